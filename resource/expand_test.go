package resource_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Isle, Crew and Cave refer to one another.
type Isle struct {
	Name string `json:"name" api:"id"`
}

type Crew struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Secret string `json:"secret" api:"writeonly"`
	Home   string `json:"home" api:"ref=Isle,expand"`
}

type Cave struct {
	ID    int64    `json:"id"`
	Crew  int64    `json:"crew" api:"ref=Crew,expand"`
	Rival *int64   `json:"rival" api:"ref=Crew,expand"`
	Isles []string `json:"isles" validate:"max=5" api:"ref=Isle,expand"`
	Heir  *int64   `json:"heir" api:"ref=Crew"`
}

// counting counts how often a store is asked.
type counting[T any] struct {
	*memory.Store[T]

	asked *atomic.Int64
}

func (c counting[T]) Get(ctx context.Context, id any) (*T, error) {
	c.asked.Add(1)
	return c.Store.Get(ctx, id)
}

func (c counting[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	c.asked.Add(1)
	return c.Store.GetMany(ctx, ids)
}

var _ store.BatchGetter[Crew] = counting[Crew]{}

// newHoards returns an API of caves with two crews and two isles, and what counts how often
// the stores of these are asked.
func newHoards(t testing.TB, operations ...operation.Operation) (c client, crews, isles *atomic.Int64) {
	t.Helper()
	crews, isles = new(atomic.Int64), new(atomic.Int64)
	if operations == nil {
		operations = operation.Standard()
	}
	c = newClient(t, resource.Config{},
		resource.Of[Cave]{Operations: operations, SparseFields: true},
		resource.Of[Crew]{Store: counting[Crew]{memory.New[Crew](), crews}},
		resource.Of[Isle]{Store: counting[Isle]{memory.New[Isle](), isles}})
	for _, name := range []string{"Elba", "Skye"} {
		c.send("POST /api/isles", `{"name":"`+name+`"}`).hasStatus(http.StatusCreated)
	}
	c.send("POST /api/crews", `{"name":"Reds","secret":"x","home":"/api/isles/Elba"}`).hasStatus(http.StatusCreated)
	c.send("POST /api/crews", `{"name":"Blues","secret":"y","home":"/api/isles/Skye"}`).hasStatus(http.StatusCreated)
	c.send("POST /api/caves", `{"crew":"/api/crews/1","isles":["/api/isles/Skye","/api/isles/Elba"]}`).hasStatus(http.StatusCreated)
	crews.Store(0)
	isles.Store(0)
	return c, crews, isles
}

const (
	cave = `"id":1,"crew":"/api/crews/1","rival":null,"isles":["/api/isles/Skye","/api/isles/Elba"],"heir":null`
	reds = `{"id":1,"name":"Reds","home":"/api/isles/Elba"}`
)

func TestExpansion(t *testing.T) {
	t.Parallel()
	c, _, _ := newHoards(t)
	for query, embedded := range map[string]string{
		"":                        "",
		"?expand=crew":            `,"_embedded":{"crew":` + reds + `}`,
		"?expand=isles":           `,"_embedded":{"isles":[{"name":"Skye"},{"name":"Elba"}]}`,
		"?expand=rival":           `,"_embedded":{"rival":null}`,
		"?expand=isles,crew,crew": `,"_embedded":{"crew":` + reds + `,"isles":[{"name":"Skye"},{"name":"Elba"}]}`,
		"?expand=crew.home":       `,"_embedded":{"crew":{"id":1,"name":"Reds","home":"/api/isles/Elba","_embedded":{"home":{"name":"Elba"}}}}`,
	} {
		c.send("GET /api/caves/1"+query, "").is(http.StatusOK, "{"+cave+embedded+"}")
		c.send("GET /api/caves"+query, "").is(http.StatusOK, "[{"+cave+embedded+"}]")
		c.send("GET /api/caves.ndjson"+query, "").is(http.StatusOK, "{"+cave+embedded+"}")
	}
	c.send("GET /api/caves/1?expand=crew&fields=heir", "").is(http.StatusOK, `{"id":1,"heir":null,"_embedded":{"crew":`+reds+`}}`)
	c.send("PATCH /api/caves/1", `{"isles":[]}`).hasStatus(http.StatusOK)
	c.send("GET /api/caves/1?expand=isles", "").mentions(`"_embedded":{"isles":[]}`)
}

func TestWhatCannotBeExpanded(t *testing.T) {
	t.Parallel()
	c, _, _ := newHoards(t)
	for _, path := range []string{"foo", "", "heir", "crew.caves", "crew.home.crew", "crew.home.x.y", "crew,", "Crew", "id"} {
		c.send("GET /api/caves/1?expand="+path, "").isProblem(http.StatusBadRequest).
			mentions("expand must be a list, with commas, of: crew, crew.home, rival, rival.home, isles")
	}
	c.send("POST /api/caves?expand=crew", `{"crew":"/api/crews/1"}`).isProblem(http.StatusBadRequest)
	c.send("GET /api/isles?expand=x", "").isProblem(http.StatusBadRequest)
}

// Records that somebody wrote past the API may refer to what is not there.
func TestAVanishedRecordIsEmbeddedAsNull(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{},
		resource.Of[Cave]{Store: memory.New(Cave{Crew: 1, Isles: []string{"Skye", "Elba"}})},
		resource.Of[Crew]{},
		resource.Of[Isle]{Store: memory.New(Isle{Name: "Elba"})})
	c.send("GET /api/caves/1?expand=crew,crew.home,isles", "").
		is(http.StatusOK, "{"+cave+`,"_embedded":{"crew":null,"isles":[null,{"name":"Elba"}]}}`)
}

func TestExpansionAsksOnceForEachPath(t *testing.T) {
	t.Parallel()
	c, crews, isles := newHoards(t)
	for range 99 {
		c.send("POST /api/caves", `{"crew":"/api/crews/2","isles":["/api/isles/Elba"]}`).hasStatus(http.StatusCreated)
	}
	for _, path := range []string{"/api/caves?itemsPerPage=100&", "/api/caves.ndjson?"} {
		crews.Store(0)
		isles.Store(0)
		answer := c.send("GET "+path+"expand=crew,isles", "").hasStatus(http.StatusOK)
		if n := strings.Count(answer.body, `"_embedded"`); n != 100 {
			t.Errorf("%d of 100 records of %s are expanded", n, path)
		}
		if crews.Load() != 1 || isles.Load() != 1 {
			t.Errorf("%s asks for crews %d times and for isles %d times, want once", path, crews.Load(), isles.Load())
		}
	}
}

func TestTheTagOfAnExpandedAnswer(t *testing.T) {
	t.Parallel()
	c, _, _ := newHoards(t)
	plain := c.send("GET /api/caves/1", "").header.Get("ETag")
	first := c.send("GET /api/caves/1?expand=crew", "").header.Get("ETag")
	if plain == first {
		t.Errorf("the tag %s is that of the answer without what is embedded", first)
	}
	c.send("GET /api/caves/1?expand=crew", "", "If-None-Match", first).hasStatus(http.StatusNotModified)
	c.send("PATCH /api/crews/1", `{"name":"Greens"}`).hasStatus(http.StatusOK)
	c.send("GET /api/caves/1?expand=crew", "", "If-None-Match", first).hasStatus(http.StatusOK).mentions("Greens")
	c.send("GET /api/caves/1", "", "If-None-Match", plain).hasStatus(http.StatusNotModified)
	c.send("PATCH /api/caves/1", `{"heir":"/api/crews/2"}`, "If-Match", first).hasStatus(http.StatusOK)
	c.send("PATCH /api/caves/1", `{"heir":null}`, "If-Match", first).hasStatus(http.StatusPreconditionFailed)
}

func TestAnOperationThatAlwaysExpands(t *testing.T) {
	t.Parallel()
	c, _, _ := newHoards(t, append(operation.Standard(),
		operation.Get{Name: "full", URITemplate: "/caves/{id}/full", Expand: []string{"heir", "crew.home"}})...)
	c.send("GET /api/caves/1/full", "").is(http.StatusOK,
		"{"+cave+`,"_embedded":{"crew":{"id":1,"name":"Reds","home":"/api/isles/Elba","_embedded":{"home":{"name":"Elba"}}},"heir":null}}`)
	c.send("GET /api/caves/1/full?expand=rival", "").mentions(`"rival":null`, `"heir":null}`)
}

func TestMistakesInExpand(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[Crew]{}, resource.Of[Isle]{}, resource.Of[Cave]{Operations: slices.Concat(operation.Standard(), []operation.Operation{
		operation.Get{Name: "a", URITemplate: "/a/{id}", Expand: []string{"crw", "heir", "heir"}},
		operation.Post{Name: "b", URITemplate: "/b", Expand: []string{"crew"}},
	})})
	for _, want := range []string{
		`resource Cave: operation 7 (Get "a"): Expand has "crw"; allowed: crew, crew.home, rival, rival.home, isles, heir, heir.home; did you mean "crew"?`,
		`resource Cave: operation 7 (Get "a"): Expand has "heir" twice`,
		`resource Cave: operation 8 (Post "b"): Expand is set; it is for a Get or GetCollection without a Handler`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is\n%v\nwant one with\n\t%s", err, want)
		}
	}
}

// A store that reads columns alone must read that of a reference whose record is asked for.
func TestWhatIsExpandedNeedNotBeAmongTheFields(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, caves resource.Of[Cave], crews resource.Of[Crew], isles resource.Of[Isle]) {
		t.Helper()
		caves.SparseFields = true
		caves.Operations = append(operation.Standard(), operation.GetCollection{
			URITemplate: "/cards", Name: "listCards", Expand: []string{"crew"}, View: &operation.View{Name: "Card", Members: []string{"id", "crew"}},
		})
		c := newClient(t, resource.Config{}, caves, crews, isles)
		c.send("POST /api/isles", `{"name":"Elba"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/crews", `{"name":"Reds","secret":"x","home":"/api/isles/Elba"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/caves", `{"crew":"/api/crews/1","isles":["/api/isles/Elba"]}`).hasStatus(http.StatusCreated)
		want := `{"id":1,"heir":null,"_embedded":{"crew":{"id":1,"name":"Reds","home":"/api/isles/Elba","_embedded":{"home":{"name":"Elba"}}}}}`
		c.send("GET /api/caves/1?fields=heir&expand=crew.home", "").is(http.StatusOK, want)
		c.send("GET /api/caves?fields=heir&expand=crew.home", "").is(http.StatusOK, "["+want+"]")
		c.send("GET /api/caves?fields=heir&expand=crew.home", "", "Accept", "application/x-ndjson").is(http.StatusOK, want+"\n")
		c.send("GET /api/cards", "").is(http.StatusOK, `[{"id":1,"crew":"/api/crews/1","_embedded":{"crew":{"id":1,"name":"Reds","home":"/api/isles/Elba"}}}]`)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, resource.Of[Cave]{}, resource.Of[Crew]{}, resource.Of[Isle]{})
	})
	for name, open := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			caves, crews, isles := sqlstore.Table[Cave](db), sqlstore.Table[Crew](db), sqlstore.Table[Isle](db)
			if err := db.Create(t.Context(), caves, crews, isles); err != nil {
				t.Fatal(err)
			}
			test(t, resource.Of[Cave]{Store: caves}, resource.Of[Crew]{Store: crews}, resource.Of[Isle]{Store: isles})
		})
	}
}
