package formats_test

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Paper is a record whose identifier may end in the suffix of a format.
type Paper struct {
	Name string `json:"name" api:"id"`
	Text string `json:"text"`
}

// Copy has a composite identifier, and refers to a paper.
type Copy struct {
	Hall  string `json:"hall" api:"id"`
	Name  string `json:"name" api:"id"`
	Paper string `json:"paper" api:"ref=Paper,filter"`
}

// Loan refers to a copy, by both parts of its identifier.
type Loan struct {
	ID   int64   `json:"id"`
	Copy CopyKey `json:"copy" api:"ref=Copy"`
}

// CopyKey is the identifier of a copy.
type CopyKey struct {
	Hall string `json:"hall"`
	Name string `json:"name"`
}

func TestAnIdentifierThatEndsInASuffixIsWrittenWithAnEscapedDot(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	for name, escaped := range map[string]string{
		"report.csv": "report%2Ecsv", "x.json": "x%2Ejson", "a b/c.jsonld": "a%20b%2Fc%2Ejsonld", "x.json.json": "x.json%2Ejson",
		".json": "%2Ejson", "é.csv": "%C3%A9%2Ecsv", "x.json;y.csv": "x.json%3By%2Ecsv",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, resource.Config{Formats: formats}, resource.Of[Paper]{}, resource.Of[Copy]{}, resource.Of[Loan]{})
			quoted := spec.CanonicalString(name)
			paper, copied := "/api/papers/"+escaped, "/api/copies/hall.json;"+escaped
			c.Send("POST /api/papers", `{"name":"report","text":"another"}`).HasStatus(201)
			c.Send("POST /api/papers", `{"name":`+quoted+`,"text":"this"}`).HasStatus(201).Has("Location", paper)
			c.Send("PATCH "+paper, `{"text":"changed"}`).HasStatus(200)
			c.Send("GET "+paper, "").HasStatus(200).Has("Content-Type", "application/json").Mentions(`"name":`+quoted, `"changed"`)
			c.Send("GET "+paper, "", "Accept", "application/hal+json").HasStatus(200).Has("Content-Type", "application/hal+json").Mentions(`"` + paper + `"`)
			c.Send("GET "+paper+".jsonld", "").HasStatus(200).Has("Content-Type", "application/ld+json").Mentions(`"@id":"` + paper + `"`)
			for _, spelled := range []string{paper, strings.ReplaceAll(paper, "%2E", ".")} {
				body := `{"hall":"hall.json","name":` + quoted + `,"paper":"` + spelled + `"}`
				c.Send("POST /api/copies", body).HasStatus(201).Has("Location", copied).Mentions(`"paper":"` + paper + `"`)
				c.Send("GET /api/copies?paper="+strings.ReplaceAll(spelled, "%", "%25"), "").HasStatus(200).Has("X-Total-Count", "1")
				c.Send("POST /api/loans", `{"copy":"`+strings.ReplaceAll(copied, "%2E", ".")+`"}`).HasStatus(201).Mentions(`"copy":"` + copied + `"`)
				for accept, wants := range map[string][]string{
					"application/json":         {`"paper":"` + paper + `"`},
					"application/ld+json":      {`"@id":"` + copied + `"`, `"paper":"` + paper + `"`},
					"application/hal+json":     {`"self":{"href":"` + copied + `"}`, `"paper":{"href":"` + paper + `"}`},
					"application/vnd.api+json": {`"self":"` + copied + `"`},
					"text/csv":                 {paper},
				} {
					c.Send("GET /api/copies", "", "Accept", accept).HasStatus(200).Mentions(wants...)
					c.Send("GET "+copied, "", "Accept", accept).HasStatus(200).Mentions(wants...)
				}
				c.Send("DELETE /api/loans/1", "")
				c.Send("DELETE /api/loans/2", "")
				c.Send("DELETE "+copied, "").HasStatus(204)
			}
			c.Send("DELETE "+paper, "").HasStatus(204)
			c.Send("GET /api/papers/report", "").HasStatus(200).Mentions("another")
		})
	}
}

// Sheet is a record whose operations have paths that end in the suffix of a format.
type Sheet struct {
	Name string `json:"name" api:"id"`
	Text string `json:"text"`
}

// sheets have a path that ends in a suffix next to each path that takes suffixes.
func sheets() resource.Of[Sheet] {
	says := func(text string) operation.Handler {
		return operation.Handle(func(context.Context, *Sheet, struct{}) (Sheet, error) { return Sheet{Name: "x", Text: text}, nil })
	}
	return resource.Of[Sheet]{Operations: append(operation.Standard(),
		operation.GetCollection{Name: "table", URITemplate: "/sheets.csv"},
		operation.Get{Name: "export", URITemplate: "/sheets/export.csv", Handler: says("export")},
		operation.Get{Name: "one", URITemplate: "/sheets/{name}/export.csv", Handler: says("one")},
		operation.Get{Name: "both", URITemplate: "/sheets/{name}/both{._format}", Handler: says("both")},
		operation.Get{Name: "literal", URITemplate: "/sheets/{name}/both.csv", Handler: says("literal")},
		operation.Get{Name: "twice", URITemplate: "/twice.csv{._format}", Handler: says("twice")},
		operation.Post{Name: "import", URITemplate: "/sheets/import.csv", Handler: says("import")},
	)}
}

func TestATemplateThatEndsInASuffixIsAPathLikeOthers(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), csv.Format, hal.Format)}, sheets())
	c.Send("POST /api/sheets", `{"name":"a","text":"stored"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/sheets", `{"name":"import","text":"stored"}`).HasStatus(http.StatusCreated)
	for path, text := range map[string]string{
		"/sheets.csv": "stored", "/sheets/export.csv": "export", "/sheets/a/export.csv": "one", "/sheets/a/both.csv": "literal", "/twice.csv": "twice",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			for accept, want := range map[string]string{
				"": "application/json", "application/json": "application/json", "text/csv": "text/csv; charset=utf-8; header=present", "application/hal+json": "application/hal+json",
			} {
				for _, method := range []string{"GET", "HEAD"} {
					header := []string{}
					if accept != "" {
						header = append(header, "Accept", accept)
					}
					got := c.Send(method+" /api"+path, "", header...).HasStatus(http.StatusOK).Has("Content-Type", want)
					if method == "GET" {
						got.Mentions(text)
					}
				}
			}
			c.Send("GET /api"+path, "", "Accept", "image/png").IsProblem(http.StatusNotAcceptable)
			allowed := map[string]string{ // other methods read the end as a suffix
				"/sheets.csv": "GET, HEAD, QUERY, POST, OPTIONS", "/sheets/export.csv": "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
			}
			c.Send("OPTIONS /api"+path, "").Has("Allow", cmp.Or(allowed[path], "GET, HEAD, OPTIONS"))
			if path != "/sheets/export.csv" {
				c.Send("DELETE /api"+path, "").IsProblem(http.StatusMethodNotAllowed).Has("Allow", cmp.Or(allowed[path], "GET, HEAD, OPTIONS"))
			}
		})
	}
	t.Run("paths that take suffixes do so", func(t *testing.T) {
		t.Parallel()
		for path, text := range map[string]string{
			"/sheets/a.csv": "stored", "/sheets/a/both.jsonhal": "both", "/sheets/a/both": "both", "/twice.csv.csv": "twice", "/twice.csv.jsonhal": "twice", "/sheets.jsonhal": "stored",
		} {
			c.Send("GET /api"+path, "").HasStatus(http.StatusOK).Mentions(text)
		}
		c.Send("GET /api/sheets/a/export.csv.csv", "").IsProblem(http.StatusNotFound)
		c.Send("POST /api/sheets", `{"name":"export.csv","text":"a record"}`).HasStatus(http.StatusCreated).Has("Location", "/api/sheets/export%2Ecsv")
		c.Send("GET /api/sheets/export%2Ecsv", "").HasStatus(http.StatusOK).Mentions("a record")
	})
	t.Run("another method takes the suffix", func(t *testing.T) {
		t.Parallel()
		c.Send("POST /api/sheets/import.csv", "").HasStatus(http.StatusOK).Mentions("import").Has("Content-Type", "application/json")
	})
}

// Card is a record at a path that ends in a suffix, next to another that takes it.
type Card struct {
	ID   int64  `json:"id"`
	Back *int64 `json:"back" api:"ref=Card"`
}

func TestARecordCanHaveAPathThatEndsInASuffix(t *testing.T) {
	t.Parallel()
	for _, template := range []string{"/cards/{id}/card.csv", "/cards/{id}/card.csv{._format}"} {
		c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), csv.Format)}, resource.Of[Card]{Operations: []operation.Operation{
			operation.Get{URITemplate: template}, operation.Post{}, operation.GetCollection{}, operation.Get{
				Name: "other", URITemplate: "/cards/{id}/card{._format}",
				Handler: operation.Handle(func(context.Context, *Card, struct{}) (string, error) { return "another", nil }),
			},
		}})
		const path = "/api/cards/1/card.csv"
		c.Send("POST /api/cards", `{"back":null}`).HasStatus(http.StatusCreated).Has("Location", path)
		c.Send("POST /api/cards", `{"back":"`+path+`"}`).Is(http.StatusCreated, `{"id":2,"back":"`+path+`"}`)
		c.Send("GET "+path, "").Is(http.StatusOK, `{"id":1,"back":null}`)
		c.Send("GET /api/cards/1/card", "").Mentions("another")
		c.Send("GET /api/cards/1/card.json", "").Mentions("another")
	}
}

func TestARouteOfYourOwnCanEndInASuffix(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format)}, resource.Of[Sheet]{})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/api/sheets/own.csv", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	if err := api.Check(); err != nil {
		t.Error(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("POST /api/sheets", `{"name":"own","text":"stored"}`).HasStatus(http.StatusCreated)
	c.Send("GET /api/sheets/own.csv", "").HasStatus(http.StatusTeapot)
	c.Send("GET /api/sheets/own.json", "").HasStatus(http.StatusOK)
}

func TestADocumentHasThePathsOfTemplatesThatEndInASuffix(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), csv.Format)}, sheets())
	doc, err := openapi.Document(c.Handler.(*resource.API), openapi.Config{Title: "Sheets", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/sheets.csv", "/api/sheets/export.csv", "/api/sheets/{name}/export.csv", "/api/sheets/{name}/both", "/api/sheets/{name}/both.csv", "/api/twice.csv", "/api/sheets/import.csv"} {
		if doc.Paths.Value(path) == nil {
			t.Errorf("the document lacks %s: %v", path, doc.Paths.InMatchingOrder())
		}
	}
	if got := doc.Paths.Value("/api/sheets.csv").Get.Responses.Value("200").Value.Content; got["application/json"] == nil || got["text/csv"] == nil {
		t.Errorf("the media types are %v", got)
	}
}
