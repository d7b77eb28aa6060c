package views_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Regatta refers to captains: to one, and to some.
type Regatta struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name"`
	Owner *int64  `json:"owner" api:"ref=Captain,expand"`
	Crew  []int64 `json:"crew" validate:"max=9" api:"ref=Captain,expand"`
}

// linked declares regattas whose responses show the names of owner and crew, but no reference.
func linked(members ...string) (resource.Config, []resource.Declaration) {
	captains := spec.CaptainRules
	captains.Read = access.Any(spec.IsAdmin, access.Where("admin", false))
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	config := resource.Config{
		Formats:        append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format),
		Authentication: []access.Scheme{spec.Bearer()},
	}
	return config, []resource.Declaration{
		resource.Of[spec.Captain]{Access: captains},
		resource.Of[Regatta]{Access: open, View: &operation.View{Name: "RegattaCard", Fields: members}},
	}
}

// onRegattas makes captain ann, the hidden captain root, a regatta of both and one of root alone.
func onRegattas(t *testing.T, members ...string) spec.Client {
	t.Helper()
	config, declarations := linked(members...)
	c := spec.NewClient(t, config, declarations...)
	c.As("root", "POST /api/captains", `{"name":"ann","email":"ann@x.example"}`).HasStatus(201)
	c.As("root", "POST /api/captains", `{"name":"root","email":"root@x.example","admin":true}`).HasStatus(201)
	c.As("root", "POST /api/regattas", `{"name":"a","owner":"/api/captains/1","crew":["/api/captains/2","/api/captains/1"]}`).HasStatus(201)
	c.As("root", "POST /api/regattas", `{"name":"b","owner":"/api/captains/2","crew":["/api/captains/2"]}`).HasStatus(201)
	c.As("root", "POST /api/regattas", `{"name":"c"}`).HasStatus(201)
	return c
}

func TestLinkedFormatsShowRecordsThatAViewHasWithoutTheirReferences(t *testing.T) {
	t.Parallel()
	c := onRegattas(t, "id", "owner.name", "crew.name")
	for name, want := range map[string][3]string{
		".json": {
			`{"id":1,"_embedded":{"owner":{"name":"ann"},"crew":[null,{"name":"ann"}]}}`,
			`{"id":2,"_embedded":{"owner":null,"crew":[null]}}`,
			`{"id":3,"_embedded":{"owner":null,"crew":[]}}`,
		},
		".jsonld": {
			`{"@context":"/api/contexts/Regatta","@id":"/api/regattas/1","@type":"Regatta","id":1,
				"owner":{"@id":"/api/captains/1","@type":"Captain","name":"ann"},"crew":[{"@id":"/api/captains/1","@type":"Captain","name":"ann"}]}`,
			`{"@context":"/api/contexts/Regatta","@id":"/api/regattas/2","@type":"Regatta","id":2,"owner":null,"crew":[]}`,
			`{"@context":"/api/contexts/Regatta","@id":"/api/regattas/3","@type":"Regatta","id":3,"owner":null,"crew":[]}`,
		},
		".jsonhal": {
			`{"_links":{"self":{"href":"/api/regattas/1"},"owner":{"href":"/api/captains/1"},"crew":[{"href":"/api/captains/1"}]},"id":1,
				"_embedded":{"owner":{"_links":{"self":{"href":"/api/captains/1"}},"name":"ann"},"crew":[{"_links":{"self":{"href":"/api/captains/1"}},"name":"ann"}]}}`,
			`{"_links":{"self":{"href":"/api/regattas/2"},"crew":[]},"id":2,"_embedded":{"crew":[]}}`,
			`{"_links":{"self":{"href":"/api/regattas/3"},"crew":[]},"id":3,"_embedded":{"crew":[]}}`,
		},
		".jsonapi": {
			`{"jsonapi":{"version":"1.1"},"data":{"type":"regattas","id":"1","attributes":{},"relationships":{
				"owner":{"data":{"type":"captains","id":"1"},"links":{"related":"/api/captains/1"}},"crew":{"data":[{"type":"captains","id":"1"}]}},
				"links":{"self":"/api/regattas/1"}},"included":[{"type":"captains","id":"1","attributes":{"name":"ann"},"links":{"self":"/api/captains/1"}}]}`,
			`{"jsonapi":{"version":"1.1"},"data":{"type":"regattas","id":"2","attributes":{},"relationships":{"owner":{"data":null},"crew":{"data":[]}},
				"links":{"self":"/api/regattas/2"}},"included":[]}`,
			`{"jsonapi":{"version":"1.1"},"data":{"type":"regattas","id":"3","attributes":{},"relationships":{"owner":{"data":null},"crew":{"data":[]}},
				"links":{"self":"/api/regattas/3"}},"included":[]}`,
		},
	} {
		for i, body := range want {
			c.As("bob", "GET /api/regattas/"+string(rune('1'+i))+name, "").Is(200, body)
		}
		page := c.As("bob", "GET /api/regattas"+name, "").HasStatus(200)
		if strings.Contains(page.Body, "captains/2") || strings.Contains(page.Body, `"root"`) || !strings.Contains(page.Body, `"ann"`) {
			t.Errorf("%s: the page shows of captains: %s", name, page.Body)
		}
		c.As("root", "GET /api/regattas/2"+name, "").Mentions(`"root"`)
	}
}

func TestAReferenceThatAViewHasStaysBesideItsRecord(t *testing.T) {
	t.Parallel()
	c := onRegattas(t, "id", "owner", "owner.name")
	c.As("bob", "GET /api/regattas/1.jsonld", "").Mentions(`"owner":{"@id":"/api/captains/1","@type":"Captain","name":"ann"}`)
	c.As("bob", "GET /api/regattas/2.jsonld", "").Mentions(`"owner":"/api/captains/2"`)
}

func TestTheDocumentsOfLinkedFormatsKnowReferencesOfViews(t *testing.T) {
	t.Parallel()
	config, declarations := linked("id", "owner.name", "crew.name")
	regattas := declarations[1].(resource.Of[Regatta])
	regattas.Operations = []operation.Operation{operation.Get{}, operation.GetCollection{}}
	declarations[1] = regattas
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("GET /api/contexts/Regatta", "").Mentions(`"owner":{"@id":"Regatta/owner","@type":"@id"}`, `"Captain":{"@id":"Captain","@context":{`)
	c.Send("GET /api/docs.jsonld", "").Mentions(`"#Regatta/owner"`, `"#Regatta/crew"`)
	doc, err := openapi.Document(api, openapi.Config{Title: "Regattas", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	for mediaType, name := range map[string]string{jsonld.MediaType: "owner", hal.MediaType: "_embedded", jsonapi.MediaType: "included"} {
		media := doc.Paths.Value("/api/regattas/{id}").Get.Responses.Value("200").Value.Content[mediaType]
		if of := media.Schema.Value; of.Properties[name] == nil || slices.Contains(of.Required, "_embedded") {
			t.Errorf("%s: the schema has %v and requires %v", mediaType, of.Properties, of.Required)
		}
	}
}

func TestResponsesToPostPutAndPatchHaveAContentLocation(t *testing.T) {
	t.Parallel()
	of := resource.Of[spec.Programmer]{
		Operations: append(operation.Standard(),
			operation.Put{Name: "make", URITemplate: "/makers/{nickname}", AllowCreate: true},
			operation.Patch{Name: "quiet", URITemplate: "/quiet/{nickname}", Status: 204},
			operation.Post{Name: "touch", URITemplate: "/programmers/{nickname}/touch", Handler: operation.Handle(
				func(_ context.Context, p *spec.Programmer, _ struct{}) (*spec.Programmer, error) { return p, nil },
			)},
		),
	}
	// With a middleware requests go through the router, without one most do not.
	through := func(next http.Handler) http.Handler { return next }
	for _, middleware := range [][]func(http.Handler) http.Handler{nil, {through}} {
		of.Store = memory.New(spec.Programmer{Nickname: "ann"}, spec.Programmer{Nickname: "a b/ü.json"})
		c := spec.NewClient(t, resource.Config{Middleware: middleware}, of)
		for _, test := range []struct {
			rule, request, body string
			status              int
			place               string
		}{
			{"a patch", "PATCH /api/programmers/ann", `{"avatarNumber":1}`, 200, "/api/programmers/ann"},
			{"a put", "PUT /api/programmers/ann", `{"avatarNumber":2}`, 200, "/api/programmers/ann"},
			{"a format suffix is no part of it", "PATCH /api/programmers/ann.json", `{}`, 200, "/api/programmers/ann"},
			{"what must be encoded", "PATCH /api/programmers/a%20b%2F%C3%BC%2Ejson", `{}`, 200, "/api/programmers/a%20b%2F%C3%BC%2Ejson"},
			{"a put at an address of its own", "PUT /api/makers/ann", `{"avatarNumber":3}`, 200, "/api/programmers/ann"},
			{"a put that creates", "PUT /api/makers/bob", `{}`, 201, "/api/programmers/bob"},
			{"a patch without an answer", "PATCH /api/quiet/ann", `{}`, 204, ""},
			{"a refusal", "PATCH /api/programmers/ann", `{"colour":1}`, 400, ""},
			{"a handler", "POST /api/programmers/ann/touch", "", 200, ""},
			{"a creation", "POST /api/programmers", `{"nickname":"eve"}`, 201, "/api/programmers/eve"},
			{"a Get", "GET /api/programmers/ann", "", 200, ""},
		} {
			got := c.Send(test.request, test.body).HasStatus(test.status)
			if place := got.Header.Get("Content-Location"); place != test.place {
				t.Errorf("%s: Content-Location is %q, want %q", test.rule, place, test.place)
			}
			if test.place != "" {
				c.Send("GET "+test.place, "").Is(200, got.Body).Has("ETag", got.Header.Get("ETag"))
			}
		}
	}
}
