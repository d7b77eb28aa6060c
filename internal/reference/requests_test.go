package reference_test

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// author and book declare everything that adds a parameter or a status.
type (
	author struct {
		ID   int64  `json:"id"`
		Name string `json:"name" validate:"notblank" api:"unique,filter,sort"`
	}
	book struct {
		ID     int64    `json:"id"`
		Title  string   `json:"title" validate:"notblank" api:"filter=partial,sort,search"`
		Year   int      `json:"year" api:"filter=range,sort"`
		Price  *float64 `json:"price" api:"filter=exists,aggregate"`
		Author int64    `json:"author" api:"ref=Author,expand,filter,through=name"`

		Added   time.Time  `json:"added" api:"readonly,group"`
		Deleted *time.Time `json:"deleted" api:"deleted"`
	}
)

// described returns the document of an API that declares everything that adds a parameter or a status.
func described(t *testing.T, shape validation.Shape) *openapi3.T {
	t.Helper()
	signedIn := access.Authenticated
	rules := access.Rules{Read: access.Public, Create: signedIn, Update: signedIn, Delete: signedIn}
	ofBooks := rules
	ofBooks.Deleted = signedIn
	yes := true
	api, err := resource.New(
		resource.Config{
			Errors: shape,
			Authentication: []access.Scheme{access.Bearer("token", func(context.Context, string) (*author, access.Scopes, error) {
				return nil, nil, access.ErrCredentials
			})},
		},
		resource.Of[author]{ShortName: "Author", Access: rules},
		resource.Of[book]{
			ShortName: "Book", Access: ofBooks, SparseFields: true, RequirePrecondition: true, Idempotency: time.Hour,
			Pagination: operation.Pagination{ClientEnabled: &yes, ClientItemsPerPage: &yes, ClientPartial: &yes, ClientOffset: &yes},
			Operations: append(operation.Standard(),
				operation.Aggregate{},
				operation.Post{Name: "reprice", URITemplate: "/books/{id}/reprice", When: access.Where("year", 1965), Handler: operation.Set("price", 9.5)},
				operation.Post{Name: "restore", URITemplate: "/books/{id}/restore", Handler: operation.Restore()},
				operation.Delete{Name: "purge", URITemplate: "/books/{id}/trash", Handler: operation.Purge()},
			),
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// operations returns the operations of a document in the order of their paths.
func operations(document *openapi3.T) []*openapi3.Operation {
	var list []*openapi3.Operation
	for _, path := range document.Paths.InMatchingOrder() {
		item := document.Paths.Value(path)
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if op := item.GetOperation(method); op != nil {
				list = append(list, op)
			}
		}
	}
	return list
}

// parameterTable lists the parameters and request header fields of a collection with everything declared, and of changes.
func parameterTable(t *testing.T) string {
	t.Helper()
	var rows [][]string
	seen := map[string]bool{}
	for _, op := range operations(described(t, validation.Map)) {
		for _, p := range op.Parameters {
			key := p.Value.In + p.Value.Name
			if p.Value.Name == "sort" { // the one of an Aggregate differs
				key += p.Value.Description
			}
			if p.Value.In != "path" && !seen[key] {
				seen[key] = true
				rows = append(rows, []string{code(p.Value.Name), p.Value.In, p.Value.Description})
			}
		}
	}
	slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(b[1]+a[0], a[1]+b[0]) })
	if len(rows) < 15 {
		t.Errorf("only %d parameters are documented", len(rows))
	}
	return table([]string{"Parameter", "In", "Meaning"}, rows)
}

// statusTable lists the statuses of all operations with what the document says of them.
func statusTable(t *testing.T) string {
	t.Helper()
	texts := map[int]map[string]string{}
	for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
		for _, op := range operations(described(t, shape)) {
			for name, response := range op.Responses.Map() {
				status, err := strconv.Atoi(name)
				if err != nil || response.Value.Description == nil {
					continue
				}
				if texts[status] == nil {
					texts[status] = map[string]string{}
				}
				texts[status][*response.Value.Description] = detailOf(response.Value)
			}
		}
	}
	rows := [][]string{ // of errors that documents do not list
		{"`406`", "No media type in Accept is supported; see `supported`.", problem.NotAcceptable.Detail(format.JSON)},
		{"`408`", "The body did not arrive in time.", problem.Timeout.Detail()},
		{"`413`", "The body is too large, too deeply nested, or has too many fields and elements.", problem.TooLarge.Detail(1 << 20)},
		{"`414`", "The URL is too long.", problem.URITooLong.Detail(8192)},
		{"`415`", "Unsupported media type or content encoding of the body; see `supported`.", problem.UnsupportedMediaType.Detail(format.JSON)},
		{"`422`", "The Idempotency-Key was used for another request.", problem.KeyReused.Detail()},
		{"`500`", "Internal error. `instance` identifies it in the server's log.", ""},
		{"`503`", "Temporarily unavailable.", problem.Unavailable.Detail()},
	}
	for status, of := range texts {
		for text, detail := range of {
			if status >= 300 {
				rows = append(rows, []string{code(strconv.Itoa(status)), text, detail})
			}
		}
	}
	slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	return table([]string{"Status", "When", "Example of `detail`"}, rows)
}

// detailOf returns the detail of a problem that a response has as its example.
func detailOf(response *openapi3.Response) string {
	media := response.Content.Get("application/problem+json")
	if media == nil {
		return ""
	}
	text, err := json.Marshal(media.Example)
	if err != nil {
		return ""
	}
	var example struct {
		Detail string `json:"detail"`
	}
	if json.Unmarshal(text, &example) != nil {
		return ""
	}
	return example.Detail
}
