package views_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Flotilla refers to captains.
type Flotilla struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Owner *int64 `json:"owner" api:"ref=Captain,expand"`
	Size  int    `json:"size"`
}

func TestAViewEmbedsFieldsOfReferencedRecords(t *testing.T) {
	t.Parallel()
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[spec.Captain]{Access: spec.CaptainRules},
		resource.Of[Flotilla]{
			Access: open, View: &operation.View{Name: "FleetCard", Fields: []string{"id", "owner.name", "owner.email"}},
			Operations: append(operation.Standard(), operation.Get{
				Name: "bare", URITemplate: "/flotillas/{id}/bare",
				View: &operation.View{Name: "FleetName", Fields: []string{"name"}},
			}),
		})
	c.As("ann", "POST /api/captains", `{"name":"ann","email":"ann@x.example"}`).HasStatus(201)
	made := c.As("ann", "POST /api/flotillas", `{"name":"a","owner":"/api/captains/1"}`).
		Is(201, `{"id":1,"_embedded":{"owner":{"name":"ann","email":"ann@x.example"}}}`)
	read := c.As("ann", "GET /api/flotillas/1", "").Is(200, `{"id":1,"_embedded":{"owner":{"name":"ann","email":"ann@x.example"}}}`)
	if made.Header.Get("ETag") != read.Header.Get("ETag") {
		t.Error("the tag of the creation is not that of the next Get")
	}
	c.As("bob", "GET /api/flotillas/1", "").Is(200, `{"id":1,"_embedded":{"owner":{"name":"ann"}}}`).Has("Cache-Control", "private, no-cache")
	c.As("bob", "GET /api/flotillas/1?expand=owner", "").IsProblem(400)
	c.As("bob", "POST /api/flotillas", `{"name":"b"}`).Is(201, `{"id":2,"_embedded":{"owner":null}}`)
	c.As("bob", "PATCH /api/flotillas/2", `{"owner":"/api/captains/1"}`).Is(200, `{"id":2,"_embedded":{"owner":{"name":"ann"}}}`)
	c.As("bob", "GET /api/flotillas", "").Is(200, `[{"id":1,"_embedded":{"owner":{"name":"ann"}}},{"id":2,"_embedded":{"owner":{"name":"ann"}}}]`)
	c.As("bob", "GET /api/flotillas/1/bare", "").Is(200, `{"name":"a"}`)
}

func TestAViewOfEmbeddedFieldsIsDocumented(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[spec.Captain]{},
		resource.Of[Flotilla]{View: &operation.View{Name: "FleetCard", Fields: []string{"id", "owner.name"}}})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{Title: "Fleets", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	of := doc.Components.Schemas["FleetCardOwner"]
	if of == nil || len(of.Value.Properties) != 1 || of.Value.Properties["name"] == nil {
		t.Errorf("what is embedded is of %+v", of)
	}
}

func TestMistakesInFieldsOfEmbeddedRecords(t *testing.T) {
	t.Parallel()
	type Label struct {
		Name string `json:"name"`
	}
	for want, name := range map[string]string{`did you mean "name"`: "owner.nam", `the nested field "size.x" is not supported`: "size.x"} {
		_, err := resource.New(resource.Config{}, resource.Of[spec.Captain]{},
			resource.Of[Flotilla]{View: &operation.View{Name: "FleetCard", Fields: []string{"id", name}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	for rule, test := range map[string]struct{ members, want []string }{
		"one of its own is needed": {[]string{"owner.name"}, []string{`View "FleetCard": at least one field of the record itself is needed; allowed: id, name, owner, size`}},
		"all errors are reported":  {[]string{"siez", "owner.nam"}, []string{`did you mean "size"`, `View "FleetCard": fields of "owner": unknown field "nam"; did you mean "name"?`}},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[spec.Captain]{},
			resource.Of[Flotilla]{View: &operation.View{Name: "FleetCard", Fields: test.members}})
		for _, want := range test.want {
			if err == nil || strings.Count(err.Error(), want) != 1 {
				t.Errorf("%s: the error is %v, without %s", rule, err, want)
			}
		}
	}
	_, err := resource.New(resource.Config{},
		resource.Of[spec.Captain]{Output: operation.Output(func(_ context.Context, c *spec.Captain) (Label, error) { return Label{c.Name}, nil })},
		resource.Of[Flotilla]{View: &operation.View{Name: "FleetCard", Fields: []string{"id", "owner.name"}}})
	if err == nil || !strings.Contains(err.Error(), "cannot be embedded, because their resource has an Output") {
		t.Errorf("the error is %v", err)
	}
}

func TestResponsesMadeByFunctionsAreNotShared(t *testing.T) {
	t.Parallel()
	of := resource.Of[spec.Hoard]{
		Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
		Computed: []operation.Computed{operation.Compute("mine", "", func(ctx context.Context, _ *spec.Hoard) (bool, error) {
			return operation.PrincipalFrom(ctx) != nil, nil
		})},
	}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, of)
	c.Send("GET /api/hoards", "").Has("Cache-Control", "private, no-cache").Has("Vary", "Accept, Authorization")
	of.CacheControl = "public, max-age=60"
	c = spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, of)
	c.Send("GET /api/hoards", "").Has("Cache-Control", "public, max-age=60")
}
