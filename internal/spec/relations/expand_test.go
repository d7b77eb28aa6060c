package relations_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// counting counts the calls of a store.
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

var _ store.BatchGetter[spec.Crew] = counting[spec.Crew]{}

// newHoards returns an API of caves with two crews and two isles, and the counts of calls of the stores of crews and
// isles.
func newHoards(t testing.TB, operations ...operation.Operation) (c spec.Client, crews, isles *atomic.Int64) {
	t.Helper()
	crews, isles = new(atomic.Int64), new(atomic.Int64)
	if operations == nil {
		operations = operation.Standard()
	}
	c = spec.NewClient(t, resource.Config{},
		resource.Of[spec.Cave]{Operations: operations, SparseFields: true},
		resource.Of[spec.Crew]{Store: counting[spec.Crew]{memory.New[spec.Crew](), crews}},
		resource.Of[spec.Isle]{Store: counting[spec.Isle]{memory.New[spec.Isle](), isles}})
	for _, name := range []string{"Elba", "Skye"} {
		c.Send("POST /api/isles", `{"name":"`+name+`"}`).HasStatus(http.StatusCreated)
	}
	c.Send("POST /api/crews", `{"name":"Reds","secret":"x","home":"/api/isles/Elba"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/crews", `{"name":"Blues","secret":"y","home":"/api/isles/Skye"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/caves", `{"crew":"/api/crews/1","isles":["/api/isles/Skye","/api/isles/Elba"]}`).HasStatus(http.StatusCreated)
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
		c.Send("GET /api/caves/1"+query, "").Is(http.StatusOK, "{"+cave+embedded+"}")
		c.Send("GET /api/caves"+query, "").Is(http.StatusOK, "[{"+cave+embedded+"}]")
		c.Send("GET /api/caves.ndjson"+query, "").Is(http.StatusOK, "{"+cave+embedded+"}")
	}
	c.Send("GET /api/caves/1?expand=crew&fields=heir", "").Is(http.StatusOK, `{"id":1,"heir":null,"_embedded":{"crew":`+reds+`}}`)
	c.Send("PATCH /api/caves/1", `{"isles":[]}`).HasStatus(http.StatusOK)
	c.Send("GET /api/caves/1?expand=isles", "").Mentions(`"_embedded":{"isles":[]}`)
}

func TestWhatCannotBeExpanded(t *testing.T) {
	t.Parallel()
	c, _, _ := newHoards(t)
	for _, path := range []string{"foo", "", "heir", "crew.caves", "crew.home.crew", "crew.home.x.y", "crew,", "Crew", "id"} {
		c.Send("GET /api/caves/1?expand="+path, "").IsProblem(http.StatusBadRequest).
			Mentions("expand must be a comma-separated list of: crew, crew.home, rival, rival.home, isles")
	}
	c.Send("POST /api/caves?expand=crew", `{"crew":"/api/crews/1"}`).IsProblem(http.StatusBadRequest)
	c.Send("GET /api/isles?expand=x", "").IsProblem(http.StatusBadRequest)
}

// Another program may have written references to records that do not exist.
func TestAVanishedRecordIsEmbeddedAsNull(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{},
		resource.Of[spec.Cave]{Store: memory.New(spec.Cave{Crew: 1, Isles: []string{"Skye", "Elba"}})},
		resource.Of[spec.Crew]{},
		resource.Of[spec.Isle]{Store: memory.New(spec.Isle{Name: "Elba"})})
	c.Send("GET /api/caves/1?expand=crew,crew.home,isles", "").
		Is(http.StatusOK, "{"+cave+`,"_embedded":{"crew":null,"isles":[null,{"name":"Elba"}]}}`)
}

func TestExpansionQueriesEachPathOnce(t *testing.T) {
	t.Parallel()
	c, crews, isles := newHoards(t)
	for range 99 {
		c.Send("POST /api/caves", `{"crew":"/api/crews/2","isles":["/api/isles/Elba"]}`).HasStatus(http.StatusCreated)
	}
	for _, path := range []string{"/api/caves?itemsPerPage=100&", "/api/caves.ndjson?"} {
		crews.Store(0)
		isles.Store(0)
		answer := c.Send("GET "+path+"expand=crew,isles", "").HasStatus(http.StatusOK)
		if n := strings.Count(answer.Body, `"_embedded"`); n != 100 {
			t.Errorf("%d of 100 records of %s are expanded", n, path)
		}
		if crews.Load() != 1 || isles.Load() != 1 {
			t.Errorf("%s asks for crews %d times and for isles %d times, want once", path, crews.Load(), isles.Load())
		}
	}
}

func TestTheETagOfAnExpandedResponse(t *testing.T) {
	t.Parallel()
	c, _, _ := newHoards(t)
	plain := c.Send("GET /api/caves/1", "").Header.Get("ETag")
	first := c.Send("GET /api/caves/1?expand=crew", "").Header.Get("ETag")
	if plain == first {
		t.Errorf("the tag %s is that of the answer without what is embedded", first)
	}
	c.Send("GET /api/caves/1?expand=crew", "", "If-None-Match", first).HasStatus(http.StatusNotModified)
	c.Send("PATCH /api/crews/1", `{"name":"Greens"}`).HasStatus(http.StatusOK)
	c.Send("GET /api/caves/1?expand=crew", "", "If-None-Match", first).HasStatus(http.StatusOK).Mentions("Greens")
	c.Send("GET /api/caves/1", "", "If-None-Match", plain).HasStatus(http.StatusNotModified)
	c.Send("PATCH /api/caves/1", `{"heir":"/api/crews/2"}`, "If-Match", first).HasStatus(http.StatusOK)
	c.Send("PATCH /api/caves/1", `{"heir":null}`, "If-Match", first).HasStatus(http.StatusPreconditionFailed)
}

func TestAnOperationThatAlwaysExpands(t *testing.T) {
	t.Parallel()
	c, _, _ := newHoards(t, append(operation.Standard(),
		operation.Get{Name: "full", URITemplate: "/caves/{id}/full", Expand: []string{"heir", "crew.home"}})...)
	c.Send("GET /api/caves/1/full", "").Is(http.StatusOK,
		"{"+cave+`,"_embedded":{"crew":{"id":1,"name":"Reds","home":"/api/isles/Elba","_embedded":{"home":{"name":"Elba"}}},"heir":null}}`)
	c.Send("GET /api/caves/1/full?expand=rival", "").Mentions(`"rival":null`, `"heir":null}`)
}

func TestMistakesInExpand(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[spec.Crew]{}, resource.Of[spec.Isle]{}, resource.Of[spec.Cave]{Operations: slices.Concat(operation.Standard(), []operation.Operation{
		operation.Get{Name: "a", URITemplate: "/a/{id}", Expand: []string{"crw", "heir", "heir"}},
		operation.Post{Name: "b", URITemplate: "/b", Expand: []string{"crew"}},
	})})
	for _, want := range []string{
		`Cave: operation 7 (Get "a"): Expand has the unknown reference "crw"; did you mean "crew"?`,
		`Cave: operation 7 (Get "a"): Expand has "heir" twice`,
		`Cave: operation 8 (Post "b"): Expand is only for a Get or GetCollection without a Handler`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is\n%v\nwant one with\n\t%s", err, want)
		}
	}
}

// A store that reads selected columns must also read the columns of references to expand.
func TestWhatIsExpandedNeedNotBeAmongTheFields(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, caves resource.Of[spec.Cave], crews resource.Of[spec.Crew], isles resource.Of[spec.Isle]) {
		t.Helper()
		caves.SparseFields = true
		caves.Operations = append(operation.Standard(), operation.GetCollection{
			URITemplate: "/cards", Name: "listCards", Expand: []string{"crew"}, View: &operation.View{Name: "Card", Fields: []string{"id", "crew"}},
		})
		c := spec.NewClient(t, resource.Config{}, caves, crews, isles)
		c.Send("POST /api/isles", `{"name":"Elba"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/crews", `{"name":"Reds","secret":"x","home":"/api/isles/Elba"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/caves", `{"crew":"/api/crews/1","isles":["/api/isles/Elba"]}`).HasStatus(http.StatusCreated)
		want := `{"id":1,"heir":null,"_embedded":{"crew":{"id":1,"name":"Reds","home":"/api/isles/Elba","_embedded":{"home":{"name":"Elba"}}}}}`
		c.Send("GET /api/caves/1?fields=heir&expand=crew.home", "").Is(http.StatusOK, want)
		c.Send("GET /api/caves?fields=heir&expand=crew.home", "").Is(http.StatusOK, "["+want+"]")
		c.Send("GET /api/caves?fields=heir&expand=crew.home", "", "Accept", "application/x-ndjson").Is(http.StatusOK, want+"\n")
		c.Send("GET /api/cards", "").Is(http.StatusOK, `[{"id":1,"crew":"/api/crews/1","_embedded":{"crew":{"id":1,"name":"Reds","home":"/api/isles/Elba"}}}]`)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, resource.Of[spec.Cave]{}, resource.Of[spec.Crew]{}, resource.Of[spec.Isle]{})
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			caves, crews, isles := sqlstore.Table[spec.Cave](db), sqlstore.Table[spec.Crew](db), sqlstore.Table[spec.Isle](db)
			if err := db.Create(t.Context(), caves, crews, isles); err != nil {
				t.Fatal(err)
			}
			test(t, resource.Of[spec.Cave]{Store: caves}, resource.Of[spec.Crew]{Store: crews}, resource.Of[spec.Isle]{Store: isles})
		})
	}
}
