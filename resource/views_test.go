package resource_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
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

// inEachStore runs a test on each sort of store.
func inEachStore[T any](t *testing.T, run func(t *testing.T, records store.Store[T])) {
	t.Helper()
	for name, records := range stores[T](t) {
		t.Run(name, func(t *testing.T) { run(t, records) })
	}
}

var wareCard = &operation.View{Name: "WareCard", Members: []string{"id", "name"}}

func TestAViewShowsExactlyItsMembers(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, wares store.Store[Ware]) {
		t.Helper()
		c := newClient(t, resource.Config{Prefix: "/api"}, resource.Of[Ware]{Store: wares, SparseFields: true, Operations: append(operation.Standard(),
			operation.GetCollection{Name: "cards", URITemplate: "/cards{._format}", View: wareCard},
			operation.Get{Name: "card", URITemplate: "/cards/{id}", View: wareCard})})
		c.send("POST /api/wares", `{"name":"cup","price":3,"note":"blue","secret":"s","place":{"city":"Rome"}}`).hasStatus(201)
		c.send("POST /api/wares", `{"name":"pot","price":2}`).hasStatus(201)
		const cards = `[{"id":1,"name":"cup"},{"id":2,"name":"pot"}]`
		c.send("GET /api/cards", "").is(200, cards).has("X-Total-Count", "2")
		c.send("GET /api/cards/1", "").is(200, `{"id":1,"name":"cup"}`)
		if got, want := c.send("GET /api/cards.ndjson", "").body, "{\"id\":1,\"name\":\"cup\"}\n{\"id\":2,\"name\":\"pot\"}\n"; got != want {
			t.Errorf("the stream is %s, want %s", got, want)
		}
		c.send("GET /api/cards?fields=name", "").is(200, `[{"id":1,"name":"cup"},{"id":2,"name":"pot"}]`)
		c.send("GET /api/cards/2?fields=id", "").is(200, `{"id":2}`)
		c.send("GET /api/cards?sort=-name", "").is(200, `[{"id":2,"name":"pot"},{"id":1,"name":"cup"}]`)
		c.send("GET /api/cards?name=pot", "").is(200, `[{"id":2,"name":"pot"}]`)
		c.send("GET /api/cards?q=blue", "").is(200, `[]`)
		c.send("GET /api/wares?q=blue", "").hasStatus(200).mentions("cup")
		for _, query := range []string{
			"published=true", "price=3", "price[gt]=1", "note=blue", "place.city=Rome", "sort=price", "order[price]=asc",
			"order[place.city]=asc", "fields=price", "fields=place",
		} {
			c.send("GET /api/cards?"+query, "").hasStatus(400)
		}
		c.send("GET /api/wares?published=false&price[gt]=2", "").hasStatus(200).mentions("cup")
	})
}

func TestTheTagOfAViewNamesTheStateOfTheRecord(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, wares store.Store[Ware]) {
		t.Helper()
		c := newClient(t, resource.Config{}, resource.Of[Ware]{Store: wares, Operations: append(operation.Standard(),
			operation.Get{Name: "card", URITemplate: "/cards/{id}", View: wareCard})})
		c.send("POST /api/wares", `{"name":"cup","price":3}`).hasStatus(201)
		whole, card := c.send("GET /api/wares/1", "").header.Get("ETag"), c.send("GET /api/cards/1", "").header.Get("ETag")
		if whole == card || whole == "" || card == "" {
			t.Fatalf("two representations have the tags %s and %s", whole, card)
		}
		c.send("GET /api/cards/1", "", "If-None-Match", card).hasStatus(304)
		c.send("GET /api/cards/1", "", "If-None-Match", whole).hasStatus(200)
		c.send("PATCH /api/wares/1", `{"price":4}`, "If-Match", card).hasStatus(200)
		c.send("PATCH /api/wares/1", `{"price":5}`, "If-Match", card).hasStatus(412)
		if c.send("GET /api/cards/1", "").header.Get("ETag") == card {
			t.Error("a change of what a view leaves out leaves the tag, so that If-Match would miss it")
		}
	})
}

func TestAViewOfTheResourceHoldsForEveryAnswer(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, wares store.Store[Ware]) {
		t.Helper()
		c := newClient(t, resource.Config{}, resource.Of[Ware]{Store: wares, View: wareCard, Idempotency: 1e12, Operations: append(operation.Standard(),
			operation.Get{Name: "whole", URITemplate: "/whole/{id}", Unset: []string{"View"}},
			operation.Patch{Name: "raise", URITemplate: "/wares/{id}/raise", Handler: operation.Handle(
				func(_ context.Context, w *Ware, _ struct{}) (*Ware, error) { w.Price++; return w, nil })})})
		const card = `{"id":1,"name":"cup"}`
		created := c.send("POST /api/wares", `{"name":"cup","price":3}`, "Idempotency-Key", "a").is(201, card)
		c.send("POST /api/wares", `{"name":"cup","price":3}`, "Idempotency-Key", "a").is(201, card).has("Idempotent-Replayed", "true")
		c.send("GET /api/wares/1", "").is(200, card).has("ETag", created.header.Get("ETag"))
		changed := c.send("PATCH /api/wares/1", `{"price":7}`, "If-Match", created.header.Get("ETag")).is(200, card).has("Content-Location", "/api/wares/1")
		c.send("GET /api/wares/1", "").has("ETag", changed.header.Get("ETag"))
		c.send("PUT /api/wares/1", `{"note":"n"}`).is(200, card)
		c.send("PATCH /api/wares/1/raise", "").is(200, card)
		c.send("GET /api/wares", "").is(200, "["+card+"]")
		c.send("GET /api/whole/1", "").hasStatus(200).mentions(`"price":8`, `"note":"n"`)
		c.send("GET /api/wares?price=8", "").hasStatus(400)
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
			resource.Of[Ware]{Operations: []operation.Operation{list(operation.View{Name: "C", Members: []string{"nmae"}})}},
			`View "C" has the member "nmae", which resource_test.Ware does not have; allowed: id, name, price, published, note, place; did you mean "name"?`,
		},
		"a member twice": {resource.Of[Ware]{View: &operation.View{Name: "C", Members: []string{"id", "id"}}}, `has the member "id" twice`},
		"a hidden member": {
			resource.Of[Ware]{View: &operation.View{Name: "C", Members: []string{"secret"}}},
			`has the member "secret", which is writeonly`,
		},
		"a member within": {resource.Of[Ware]{View: &operation.View{Name: "C", Members: []string{"place.city"}}}, `which is within another one; allowed: members of the record itself`},
		"no members":      {resource.Of[Ware]{View: &operation.View{Name: "C"}}, `View "C" has no Members`},
		"no name":         {resource.Of[Ware]{View: &operation.View{Members: []string{"id"}}}, `View has the Name ""`},
		"the name of a schema": {
			resource.Of[Ware]{View: &operation.View{Name: "WareCreate", Members: []string{"id"}}},
			`View has the Name "WareCreate", which is that of a schema of the resource Ware`,
		},
		"two that differ": {resource.Of[Ware]{View: wareCard, Operations: append(operation.Standard(),
			operation.Get{Name: "other", URITemplate: "/o/{id}", View: &operation.View{Name: "WareCard", Members: []string{"id"}}})}, `View "WareCard" differs from`},
		"a view of a write":          {resource.Of[Ware]{Operations: []operation.Operation{operation.Post{View: wareCard}}}, "it is for a Get or GetCollection without a Handler"},
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
	rules := openBut(map[string]access.Member{"name": {Read: access.Authenticated}, "note": {Read: access.Authenticated}})
	inEachStore(t, func(t *testing.T, wares store.Store[Ware]) {
		t.Helper()
		c := newClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{known}},
			resource.Of[Ware]{Store: wares, View: wareCard, SparseFields: true, Access: rules})
		c.send("POST /api/wares", `{"name":"cup","note":"n"}`).is(201, `{"id":1}`)
		c.send("GET /api/wares", "").is(200, `[{"id":1}]`)
		c.send("GET /api/wares/1?fields=name", "").is(200, `{"id":1}`)
		c.send("GET /api/wares", "", "Who", "ann").is(200, `[{"id":1,"name":"cup"}]`)
		c.send("GET /api/wares.ndjson?fields=name", "", "Who", "ann").is(200, `{"id":1,"name":"cup"}`)
	})
}
