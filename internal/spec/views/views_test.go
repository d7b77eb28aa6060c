package views_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Ware is the resource of the tests of views.
type Ware struct {
	ID        int64    `json:"id" api:"id"`
	Name      string   `json:"name" validate:"notblank" api:"filter,sort,search"`
	Price     int      `json:"price" validate:"gte=0" api:"filter=exact|range,sort"`
	Published bool     `json:"published" api:"filter"`
	Note      string   `json:"note" api:"filter=partial,sort,search"`
	Secret    string   `json:"secret" api:"writeonly"`
	Place     wareSite `json:"place"`
}

type wareSite struct {
	City string `json:"city" api:"filter,sort"`
}

var wareCard = &operation.View{Name: "WareCard", Fields: []string{"id", "name"}}

func TestAViewShowsExactlyItsFields(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, wares store.Store[Ware]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{Prefix: "/api"}, resource.Of[Ware]{Store: wares, SparseFields: true, Operations: append(operation.Standard(),
			operation.GetCollection{Name: "cards", URITemplate: "/cards{._format}", View: wareCard},
			operation.Get{Name: "card", URITemplate: "/cards/{id}", View: wareCard})})
		c.Send("POST /api/wares", `{"name":"cup","price":3,"note":"blue","secret":"s","place":{"city":"Rome"}}`).HasStatus(201)
		c.Send("POST /api/wares", `{"name":"pot","price":2}`).HasStatus(201)
		const cards = `[{"id":1,"name":"cup"},{"id":2,"name":"pot"}]`
		c.Send("GET /api/cards", "").Is(200, cards).Has("X-Total-Count", "2")
		c.Send("GET /api/cards/1", "").Is(200, `{"id":1,"name":"cup"}`)
		if got, want := c.Send("GET /api/cards.ndjson", "").Body, "{\"id\":1,\"name\":\"cup\"}\n{\"id\":2,\"name\":\"pot\"}\n"; got != want {
			t.Errorf("the stream is %s, want %s", got, want)
		}
		c.Send("GET /api/cards?fields=name", "").Is(200, `[{"id":1,"name":"cup"},{"id":2,"name":"pot"}]`)
		c.Send("GET /api/cards/2?fields=id", "").Is(200, `{"id":2}`)
		c.Send("GET /api/cards?sort=-name", "").Is(200, `[{"id":2,"name":"pot"},{"id":1,"name":"cup"}]`)
		c.Send("GET /api/cards?name=pot", "").Is(200, `[{"id":2,"name":"pot"}]`)
		c.Send("GET /api/cards?q=blue", "").Is(200, `[]`)
		c.Send("GET /api/wares?q=blue", "").HasStatus(200).Mentions("cup")
		for _, query := range []string{
			"published=true", "price=3", "price[gt]=1", "note=blue", "place.city=Rome", "sort=price", "order[price]=asc",
			"order[place.city]=asc", "fields=price", "fields=place",
		} {
			c.Send("GET /api/cards?"+query, "").HasStatus(400)
		}
		c.Send("GET /api/wares?published=false&price[gt]=2", "").HasStatus(200).Mentions("cup")
	})
}

func TestTheTagOfAViewNamesTheStateOfTheRecord(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, wares store.Store[Ware]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Ware]{Store: wares, Operations: append(operation.Standard(),
			operation.Get{Name: "card", URITemplate: "/cards/{id}", View: wareCard})})
		c.Send("POST /api/wares", `{"name":"cup","price":3}`).HasStatus(201)
		whole, card := c.Send("GET /api/wares/1", "").Header.Get("ETag"), c.Send("GET /api/cards/1", "").Header.Get("ETag")
		if whole == card || whole == "" || card == "" {
			t.Fatalf("two representations have the tags %s and %s", whole, card)
		}
		c.Send("GET /api/cards/1", "", "If-None-Match", card).HasStatus(304)
		c.Send("GET /api/cards/1", "", "If-None-Match", whole).HasStatus(200)
		c.Send("PATCH /api/wares/1", `{"price":4}`, "If-Match", card).HasStatus(200)
		c.Send("PATCH /api/wares/1", `{"price":5}`, "If-Match", card).HasStatus(412)
		if c.Send("GET /api/cards/1", "").Header.Get("ETag") == card {
			t.Error("a change of what a view leaves out leaves the tag, so that If-Match would miss it")
		}
	})
}

func TestAViewOfTheResourceAppliesToEveryResponse(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, wares store.Store[Ware]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Ware]{Store: wares, View: wareCard, Idempotency: 1e12, Operations: append(operation.Standard(),
			operation.Get{Name: "whole", URITemplate: "/whole/{id}", View: &operation.View{Name: "WareWhole", Fields: []string{"id", "price", "note"}}},
			operation.Patch{Name: "raise", URITemplate: "/wares/{id}/raise", Handler: operation.Handle(
				func(_ context.Context, w *Ware, _ struct{}) (*Ware, error) { w.Price++; return w, nil })})})
		const card = `{"id":1,"name":"cup"}`
		created := c.Send("POST /api/wares", `{"name":"cup","price":3}`, "Idempotency-Key", "a").Is(201, card)
		c.Send("POST /api/wares", `{"name":"cup","price":3}`, "Idempotency-Key", "a").Is(201, card).Has("Idempotent-Replayed", "true")
		c.Send("GET /api/wares/1", "").Is(200, card).Has("ETag", created.Header.Get("ETag"))
		changed := c.Send("PATCH /api/wares/1", `{"price":7}`, "If-Match", created.Header.Get("ETag")).Is(200, card).Has("Content-Location", "/api/wares/1")
		c.Send("GET /api/wares/1", "").Has("ETag", changed.Header.Get("ETag"))
		c.Send("PUT /api/wares/1", `{"note":"n"}`).Is(200, card)
		c.Send("PATCH /api/wares/1/raise", "").Is(200, card)
		c.Send("GET /api/wares", "").Is(200, "["+card+"]")
		c.Send("GET /api/whole/1", "").HasStatus(200).Mentions(`"price":8`, `"note":"n"`)
		c.Send("GET /api/wares?price=8", "").HasStatus(400)
	})
}

func TestMistakesInViewsAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	list := func(v operation.View) operation.Operation { return operation.GetCollection{View: &v} }
	for rule, test := range map[string]struct {
		of   resource.Of[Ware]
		want string
	}{
		"a member that is not there": {
			resource.Of[Ware]{Operations: []operation.Operation{list(operation.View{Name: "C", Fields: []string{"nmae"}})}},
			`View "C": unknown field "nmae"; did you mean "name"?`,
		},
		"a member twice": {resource.Of[Ware]{View: &operation.View{Name: "C", Fields: []string{"id", "id"}}}, `View "C": duplicate field "id"`},
		"a hidden member": {
			resource.Of[Ware]{View: &operation.View{Name: "C", Fields: []string{"secret"}}},
			`View "C": the field "secret" is writeonly`,
		},
		"a member within": {resource.Of[Ware]{View: &operation.View{Name: "C", Fields: []string{"place.city"}}}, `View "C": the nested field "place.city" is not supported; allowed: id, name, price, published, note, place`},
		"no members":      {resource.Of[Ware]{View: &operation.View{Name: "C"}}, `View "C": Fields: list at least one field`},
		"no name":         {resource.Of[Ware]{View: &operation.View{Fields: []string{"id"}}}, `View "": the name must have letters, digits and underscores, beginning with a letter`},
		"a wrong name and a wrong field": {
			resource.Of[Ware]{View: &operation.View{Name: "C-1", Fields: []string{"nmae", "id"}}},
			"View \"C-1\": the name must have letters, digits and underscores, beginning with a letter\nWare: View \"C-1\": unknown field \"nmae\"",
		},
		"the name of a schema": {
			resource.Of[Ware]{View: &operation.View{Name: "WareCreate", Fields: []string{"id"}}},
			`View "WareCreate": resource Ware has a schema of this name; rename the view`,
		},
		"two that differ": {resource.Of[Ware]{View: wareCard, Operations: append(operation.Standard(),
			operation.Get{Name: "other", URITemplate: "/o/{id}", View: &operation.View{Name: "WareCard", Fields: []string{"id"}}})}, `View "WareCard": differs from the view of this name at Ware, which has the fields id, name; give them the same fields, or two names`},
		"a view of a write":          {resource.Of[Ware]{Operations: []operation.Operation{operation.Post{View: wareCard}}}, "View is only for a Get or GetCollection without a Handler; to limit the responses of Post, Put and Patch too, set View of the resource"},
		"an order that is not shown": {resource.Of[Ware]{View: wareCard, Order: []string{"-price"}}, `Order has "-price", which the view WareCard leaves out`},
	} {
		_, err := resource.New(resource.Config{}, test.of)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v, want one with %s", rule, err, test.want)
		}
		if err != nil && strings.Count(err.Error(), test.want) > 1 {
			t.Errorf("%s: is told more than once: %v", rule, err)
		}
	}
}

func TestAViewShowsNothingThatARuleHides(t *testing.T) {
	t.Parallel()
	known := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if who := r.Header.Get("Who"); who != "" {
				r = r.WithContext(operation.WithPrincipal(r.Context(), who))
			}
			next.ServeHTTP(w, r)
		})
	}
	rules := spec.OpenBut(map[string]access.Field{"name": {Read: access.Authenticated}, "note": {Read: access.Authenticated}})
	spec.InEachStore(t, func(t *testing.T, wares store.Store[Ware]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{known}},
			resource.Of[Ware]{Store: wares, View: wareCard, SparseFields: true, Access: rules})
		c.Send("POST /api/wares", `{"name":"cup","note":"n"}`).Is(201, `{"id":1}`)
		c.Send("GET /api/wares", "").Is(200, `[{"id":1}]`)
		c.Send("GET /api/wares/1?fields=name", "").Is(200, `{"id":1}`)
		c.Send("GET /api/wares", "", "Who", "ann").Is(200, `[{"id":1,"name":"cup"}]`)
		c.Send("GET /api/wares.ndjson?fields=name", "", "Who", "ann").Is(200, `{"id":1,"name":"cup"}`)
	})
}

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

// Port is what quays refer to.
type Port struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Budget int    `json:"budget"`
}

// Quay refers to a port.
type Quay struct {
	ID   int64 `json:"id"`
	Port int64 `json:"port" api:"ref=Port,expand"`
	Size int   `json:"size"`
}

func TestWhatRefersToARecordShowsItByItsView(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{},
		resource.Of[Port]{View: &operation.View{Name: "PortCard", Fields: []string{"id", "name"}}},
		resource.Of[Quay]{Operations: append(operation.Standard(),
			operation.Get{Name: "size", URITemplate: "/quays/{id}/size", View: &operation.View{Name: "QuaySize", Fields: []string{"size"}}})})
	c.Send("POST /api/ports", `{"name":"Brest","budget":7}`).Is(201, `{"id":1,"name":"Brest"}`)
	c.Send("POST /api/quays", `{"port":"/api/ports/1","size":3}`).HasStatus(201)
	c.Send("GET /api/quays/1?expand=port", "").HasStatus(200).Mentions(`"_embedded":{"port":{"id":1,"name":"Brest"}}`).Lacks("budget")
	c.Send("GET /api/quays/1/size?expand=port", "").HasStatus(400) // the view has no port
}

func TestARecordOfAnotherTypeForClientsIsNotEmbedded(t *testing.T) {
	t.Parallel()
	type Label struct {
		Name string `json:"name"`
	}
	c := spec.NewClient(t, resource.Config{},
		resource.Of[Port]{Output: operation.Output(func(_ context.Context, p *Port) (Label, error) { return Label{p.Name}, nil })},
		resource.Of[Quay]{})
	c.Send("POST /api/ports", `{"name":"Brest","budget":7}`).Is(201, `{"name":"Brest"}`)
	c.Send("POST /api/quays", `{"port":"/api/ports/1","size":3}`).HasStatus(201)
	c.Send("GET /api/quays/1?expand=port", "").HasStatus(400)
}

// A view that embeds a field of a referenced record without the reference keeps the filters and the sort orders of that
// field, and of no other.
func TestAViewKeepsTheQueriesOfFieldsThatItEmbeds(t *testing.T) {
	t.Parallel()
	type harbor struct {
		ID   int64  `json:"id"`
		Name string `json:"name" api:"filter=partial,sort"`
		Code string `json:"code" api:"filter,sort"`
	}
	type berth struct {
		ID     int64 `json:"id"`
		Number int   `json:"number" api:"filter,sort"`
		Harbor int64 `json:"harbor" api:"ref=Harbor,filter,sort,through=name|code"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[harbor]{ShortName: "Harbor"},
		resource.Of[berth]{ShortName: "Berth", View: &operation.View{Name: "BerthCard", Fields: []string{"id", "number", "harbor.name"}}})
	for _, body := range []string{`{"name":"Kiel","code":"b"}`, `{"name":"Bari","code":"a"}`} {
		c.Send("POST /api/harbors", body).HasStatus(http.StatusCreated)
	}
	for _, body := range []string{`{"number":1,"harbor":"/api/harbors/1"}`, `{"number":2,"harbor":"/api/harbors/2"}`} {
		c.Send("POST /api/berths", body).HasStatus(http.StatusCreated)
	}
	bari, kiel := `{"id":2,"number":2,"_embedded":{"harbor":{"name":"Bari"}}}`, `{"id":1,"number":1,"_embedded":{"harbor":{"name":"Kiel"}}}`
	for request, want := range map[string]string{
		"sort=harbor.name":                      "[" + bari + "," + kiel + "]",
		"sort=-harbor.name":                     "[" + kiel + "," + bari + "]",
		"harbor.name=ki":                        "[" + kiel + "]",
		"sort=harbor.name&itemsPerPage=1":       "[" + bari + "]",
		"order[harbor.name]=desc&number=2":      "[" + bari + "]",
		"sort=harbor.name&cursor&harbor.name=a": "[" + bari + "]",
	} {
		c.Send("GET /api/berths?"+request, "").Is(http.StatusOK, want)
	}
	for _, request := range []string{"harbor.code=a", "harbor=/api/harbors/1", "sort=harbor.code", "sort=harbor"} {
		c.Send("GET /api/berths?"+request, "").IsProblem(http.StatusBadRequest).Lacks("harbor.code,")
	}
}
