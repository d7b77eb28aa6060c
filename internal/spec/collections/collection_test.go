package collections_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Frigate is a resource with every option of collections.
type Frigate struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name" validate:"notblank" api:"filter=partial,sort,search"`
	Guns  int     `json:"guns" api:"filter=exact|range,sort"`
	Crew  *int    `json:"crew" api:"filter=exact|range|exists,sort"`
	Rig   string  `json:"rig" validate:"omitempty,oneof=sloop brig" api:"filter"`
	Port  Harbour `json:"port"`
	Debts string  `json:"debts" api:"writeonly"`
}

// Harbour is within a Frigate.
type Harbour struct {
	City string `json:"city" api:"filter=word_start,sort,search"`
}

// fleet returns n ships, with equal and null values among them.
func fleet(n int) []Frigate {
	ships := make([]Frigate, n)
	for i := range ships {
		ships[i] = Frigate{
			ID: int64(i + 1), Name: fmt.Sprintf("Ship %02d", (i*7)%n), Guns: i % 4, Rig: []string{"sloop", "brig"}[i%2],
			Port: Harbour{[]string{"Port Royal", "Tortuga", "Royal Bay"}[i%3]}, Debts: "many",
		}
		if i%3 > 0 {
			ships[i].Crew = new(i % 5)
		}
	}
	return ships
}

// ships declares 25 ships, ten on a page.
func ships() resource.Of[Frigate] {
	return resource.Of[Frigate]{ShortName: "Ship", Store: memory.New(fleet(25)...), Pagination: operation.Pagination{ItemsPerPage: 10}}
}

func TestACollectionIsServedPageByPage(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, ships())
	first := c.Send("GET /api/ships", "").HasStatus(200).Has("X-Total-Count", "25")
	if got := spec.IDsOf(t, first.Body); len(got) != 10 || got[0] != 1 {
		t.Errorf("the first page has %v", got)
	}
	first.Has("Link", `</api/ships?page=1>; rel="first", </api/ships?page=2>; rel="next", </api/ships?page=3>; rel="last"`)
	last := c.Send("GET /api/ships.json?page=3", "").HasStatus(200)
	last.Has("Link", `</api/ships.json?page=1>; rel="first", </api/ships.json?page=2>; rel="prev", </api/ships.json?page=3>; rel="last"`)
	c.Send("GET /api/ships?page=4", "").Is(200, "[]").Has("X-Total-Count", "25")
	c.Send("GET /api/ships?name=nothing", "").Is(200, "[]").Has("X-Total-Count", "0")
	if head := c.Send("HEAD /api/ships?page=2", "").HasStatus(200).Has("X-Total-Count", "25"); head.Body != "" || head.Link("next") == "" {
		t.Errorf("HEAD answers %q with %v", head.Body, head.Header)
	}
}

func TestWrongParametersAreAProblemThatNamesThem(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, ships())
	c.Send("GET /api/ships?page=0&guns=many&colour=red", "").IsProblem(400).
		Mentions(`{"name":"page","in":"query","message":"page must be an integer between 1 and 10000"}`, `"name":"guns"`,
			`"message":"Unknown parameter \"colour\""`, `"allowed":["page","itemsPerPage","cursor","name",`)
	c.Send("GET /api/ships?nam=x", "").IsProblem(400).Mentions(`did you mean \"name\"?`)
	c.Send("GET /api/ships?page=1&page=1", "").IsProblem(400).Mentions("page must be given only once")
	c.Send("GET /api/ships?sort=debts", "").IsProblem(400)
	c.Send("GET /api/ships?fields=id", "").IsProblem(400).Mentions(`Unknown parameter \"fields\"`)
	c.Send("GET /api/ships/1?page=1", "").IsProblem(400).Mentions(`"allowed":[]`)
	c.Send("POST /api/ships?page=1", `{"name":"x"}`).IsProblem(400)
	c.Send("GET /api/ships?%zz", "").IsProblem(400).Mentions("malformed")
}

func TestPaginationCascades(t *testing.T) {
	t.Parallel()
	api := operation.Pagination{ItemsPerPage: 7, MaxItemsPerPage: 9, ClientEnabled: new(true), Partial: new(true)}
	of := ships()
	of.Pagination = operation.Pagination{ItemsPerPage: 5, Partial: new(false)}
	of.Order = []string{"-name"}
	of.Operations = []operation.Operation{
		operation.GetCollection{},
		operation.GetCollection{
			Name: "deck", URITemplate: "/deck", Order: []string{"guns", "-crew"},
			Pagination: operation.Pagination{ItemsPerPage: 3, ClientItemsPerPage: new(false), ClientEnabled: new(false)},
		},
		operation.GetCollection{Name: "all", URITemplate: "/all", Pagination: operation.Pagination{Enabled: new(false)}},
		operation.GetCollection{Name: "wake", URITemplate: "/wake", Pagination: operation.Pagination{ViaCursor: new(true)}},
	}
	c := spec.NewClient(t, resource.Config{Pagination: api}, of)
	for request, want := range map[string]struct {
		items int
		total string
		links string
	}{
		"/api/ships":                  {5, "25", "first next last"},
		"/api/ships?itemsPerPage=9":   {9, "25", "first next last"},
		"/api/ships?pagination=false": {25, "25", ""},
		"/api/deck":                   {3, "25", "first next last"},
		"/api/all":                    {25, "25", ""},
		"/api/wake":                   {5, "", "first next"},
	} {
		got := c.Send("GET "+request, "").HasStatus(200).Has("X-Total-Count", want.total)
		var rels []string
		for _, m := range spec.LinkTo.FindAllStringSubmatch(got.Header.Get("Link"), -1) {
			rels = append(rels, m[2])
		}
		if n := len(spec.IDsOf(t, got.Body)); n != want.items || strings.Join(rels, " ") != want.links {
			t.Errorf("%s has %d items and links to %v, want %d and %q", request, n, rels, want.items, want.links)
		}
	}
	for _, request := range []string{"/api/ships?itemsPerPage=10", "/api/deck?itemsPerPage=2", "/api/deck?pagination=false", "/api/all?page=1", "/api/wake?page=1"} {
		c.Send("GET "+request, "").IsProblem(400)
	}
	c.Send("GET /api/ships?itemsPerPage=1", "").Mentions(`"name":"Ship 24"`)
	if ids := spec.IDsOf(t, c.Send("GET /api/deck", "").Body); !slices.Equal(ids, []int64{5, 9, 17}) {
		t.Errorf("the declared order of two fields is not kept: %v", ids)
	}
}

func TestClientsCanChooseFieldsIfSparseFieldsIsSet(t *testing.T) {
	t.Parallel()
	of := ships()
	of.SparseFields = true
	c := spec.NewClient(t, resource.Config{}, of)
	c.Send("GET /api/ships?fields=name,guns&itemsPerPage=1", "").Is(200, `[{"id":1,"name":"Ship 00","guns":0}]`)
	c.Send("GET /api/ships/1?fields=port", "").Is(200, `{"id":1,"port":{"city":"Port Royal"}}`)
	c.Send("GET /api/ships.ndjson?fields=id&guns=3&rig=brig&name=Ship+21", "").HasStatus(200).Mentions(`{"id":4}` + "\n")
	c.Send("GET /api/ships/1?fields=debts", "").IsProblem(400)
	c.Send("PATCH /api/ships/1?fields=id", "{}").IsProblem(400)
	if got := c.Send("GET /api/ships?fields=name&page=2", "").Link("next"); got != "/api/ships?fields=name&page=3" {
		t.Errorf("the next page is %s", got)
	}
	one := resource.Of[Frigate]{ShortName: "Ship", Operations: []operation.Operation{operation.Get{SparseFields: true}, operation.GetCollection{}}, Store: memory.New(fleet(1)...)}
	c = spec.NewClient(t, resource.Config{}, one)
	c.Send("GET /api/ships/1?fields=id", "").Is(200, `{"id":1}`)
	c.Send("GET /api/ships?fields=id", "").IsProblem(400)
}

func TestLinksKeepTheOtherParameters(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{IgnoreParameters: []string{"utm_*"}}, ships())
	next := c.Send("GET /api/ships?name[]=", "").IsProblem(400)
	if next.Header.Get("Link") != "" {
		t.Error("a refusal has links")
	}
	got := c.Send(`GET /api/ships?utm_x=%3E%22,%0D%0AX-Evil:%201&name=ship&page=2`, "").HasStatus(200)
	if want := "/api/ships?utm_x=%3E%22%2C%0D%0AX-Evil%3A+1&name=ship&page=3"; got.Link("next") != want {
		t.Errorf("the next page is %q, want %q", got.Link("next"), want)
	}
	target, err := url.Parse(got.Link("next"))
	if err != nil || target.Query().Get("utm_x") != ">\",\r\nX-Evil: 1" {
		t.Errorf("the parameter comes back as %q (%v)", target.Query().Get("utm_x"), err)
	}
}
