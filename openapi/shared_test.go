package openapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// article is a resource as services have fifty of.
type article struct {
	ID          int64     `json:"id" api:"id"`
	Name        string    `json:"name" validate:"required,max=100" api:"filter=exact"`
	Description string    `json:"description" validate:"max=500"`
	Category    string    `json:"category" validate:"oneof=weapon armour gem scroll"`
	Email       string    `json:"email" validate:"email"`
	Price       int       `json:"price" validate:"gte=0,lte=1000000"`
	Quantity    int       `json:"quantity" validate:"gte=0,lte=1000"`
	Rating      int       `json:"rating" validate:"gte=0,lte=5"`
	Available   bool      `json:"available"`
	CreatedAt   time.Time `json:"createdAt" api:"created"`
}

// TestTheDocumentOfFiftyResourcesIsSmall counts what is served and what is exported.
func TestTheDocumentOfFiftyResourcesIsSmall(t *testing.T) {
	t.Parallel()
	var fifty []resource.Declaration
	for i := range 50 {
		fifty = append(fifty, resource.Of[article]{ShortName: fmt.Sprintf("Item%c%c", 'A'+i/26, 'a'+i%26)})
	}
	api := mounted(t, fifty...)
	for _, version := range []string{"3.1", "3.0"} {
		if size := get(t, api, "/api/docs.json?version="+version).Body.Len(); size > 640_000 {
			t.Errorf("the document in the form of %s has %d bytes, want 640,000 at most", version, size)
		}
	}
	var exported strings.Builder
	if err := openapi.Export(&exported, api, openapi.Config{}); err != nil || exported.Len() > 640_000 {
		t.Errorf("%d bytes are exported (%v), want 640,000 at most", exported.Len(), err)
	}
}

// referring returns the document as it is written, with all its references.
func referring(t *testing.T, api http.Handler) tree {
	t.Helper()
	var document tree
	if err := json.Unmarshal(get(t, api, "/api/docs.json").Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

func TestWhatOperationsHaveAlikeIsAComponent(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[article]{ShortName: "Tool"}, resource.Of[article]{ShortName: "Toy"},
		resource.Of[article]{ShortName: "Rarity", Pagination: operation.Pagination{ItemsPerPage: 5}, RequirePrecondition: true})
	document := referring(t, api)
	for _, test := range []struct {
		path, method, in string // where it is referred to: a parameter or a header field of success
		want             string // the component; "" where the operation says it itself
	}{
		{"/api/tools", "get", "page", "parameters/PageParameter"},
		{"/api/rarities", "get", "page", "parameters/PageParameter"},
		{"/api/toys", "get", "itemsPerPage", "parameters/ItemsPerPageParameter"},
		{"/api/rarities", "get", "itemsPerPage", ""},
		{"/api/tools", "get", "name", ""},
		{"/api/tools/{id}", "get", "If-None-Match", "parameters/IfNoneMatchParameter"},
		{"/api/toys/{id}", "patch", "If-Match", "parameters/IfMatchParameter"},
		{"/api/rarities/{id}", "patch", "If-Match", ""},
		{"/api/toys/{id}", "delete", "id", "parameters/ToyIdParameter"},
		{"/api/tools", "get", "200 ETag", "headers/ETag"},
		{"/api/toys/{id}", "get", "200 ETag", "headers/ETag"},
		{"/api/toys", "post", "201 Location", ""},
		{"/api/toys/{id}", "put", "200", "responses/ToyResponse"},
		{"/api/toys/{id}", "patch", "200", "responses/ToyResponse"},
		{"/api/toys/{id}", "get", "200", ""},
		{"/api/toys/{id}", "put", "default", "responses/Error"},
	} {
		op := tree(document.at(t, "paths", test.path, test.method).(map[string]any))
		if got := referenceIn(t, document, op, test.in); got != test.want {
			t.Errorf("%s of %s %s is at %q, want %q", test.in, test.method, test.path, got, test.want)
		}
	}
}

// referenceIn returns where a part of an operation is, "" for in itself.
func referenceIn(t *testing.T, document, op tree, part string) string {
	t.Helper()
	leads := func(value any) string {
		ref, _ := value.(map[string]any)["$ref"].(string)
		return strings.TrimPrefix(ref, "#/components/")
	}
	if status, field, _ := strings.Cut(part, " "); part[0] == '2' || part == "default" {
		response := op.at(t, "responses", status)
		if field == "" {
			return leads(response)
		}
		return leads(tree(response.(map[string]any)).at(t, "headers", field))
	}
	for _, p := range op.at(t, "parameters").([]any) {
		ref := leads(p)
		if ref != "" {
			p = document.at(t, "components", "parameters", strings.TrimPrefix(ref, "parameters/"))
		}
		if p.(map[string]any)["name"] == part {
			return ref
		}
	}
	t.Errorf("there is no parameter %s", part)
	return ""
}

// TestAFunctionOfAnOperationChangesThatOperationAlone changes what all others have alike.
func TestAFunctionOfAnOperationChangesThatOperationAlone(t *testing.T) {
	t.Parallel()
	change := func(op *openapi3.Operation) {
		op.Parameters.GetByInAndName(openapi3.ParameterInQuery, "page").Description = "Mine."
		op.Responses.Status(http.StatusOK).Value.Headers["ETag"].Value.Description = "Mine."
	}
	api := newAPI(t, configuration{declarations: []resource.Declaration{
		resource.Of[article]{ShortName: "Tool"}, resource.Of[article]{ShortName: "Toy"}, resource.Of[article]{ShortName: "Rarity"},
	}})
	if err := openapi.Mount(api, openapi.Config{Operations: map[string]func(*openapi3.Operation){"listRarities": change}}); err != nil {
		t.Fatal(err)
	}
	if text := get(t, api, "/api/docs.json").Body.String(); strings.Count(text, "Mine.") != 2 {
		t.Errorf("the change stands at %d places, want 2", strings.Count(text, "Mine."))
	}
}

func TestCustomizeSeesWhatReferencesLeadTo(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[article]{ShortName: "Tool"}, resource.Of[article]{ShortName: "Toy"}}})
	documented(t, api, openapi.Config{Customize: func(doc *openapi3.T) {
		for _, path := range doc.Paths.Map() {
			for _, op := range path.Operations() {
				for _, p := range op.Parameters {
					_ = p.Value.Name // of a reference, too
				}
			}
		}
		doc.Components.Parameters["PageParameter"].Value.Description = "Which page."
	}})
}

func TestCollectionsComeFirstUnlessOperationsAreListedOtherwise(t *testing.T) {
	t.Parallel()
	const all, one = "/api/tools", "/api/tools/{id}"
	for name, test := range map[string]struct {
		operations []operation.Operation
		want       []string
	}{
		"all of them":         {nil, []string{all, one}},
		"some, in that order": {[]operation.Operation{operation.Get{}, operation.Post{}, operation.Delete{}}, []string{all, one}},
		"in another order":    {[]operation.Operation{operation.Patch{}, operation.Get{}, operation.GetCollection{}}, []string{one, all}},
	} {
		api := mounted(t, resource.Of[article]{ShortName: "Tool", Operations: test.operations})
		if got := namesAt(t, get(t, api, "/api/docs.json").Body.Bytes(), "/paths"); !slices.Equal(got, test.want) {
			t.Errorf("%s: the paths are %v, want %v", name, got, test.want)
		}
	}
}
