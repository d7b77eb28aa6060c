package collections_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// tome is filtered by trees.
type tome struct {
	ID     int64  `json:"id"`
	Title  string `json:"title" api:"filter=partial,sort"`
	Year   int    `json:"year" api:"filter=exact|range,sort"`
	Status string `json:"status" validate:"oneof=new sold lost" api:"filter"`
	Note   string `json:"note"`
}

func tomes() store.Store[tome] {
	return memory.New(
		tome{Title: "Dune", Year: 1965, Status: "sold"}, tome{Title: "Emma", Year: 1815, Status: "new"},
		tome{Title: "Ubik", Year: 1969, Status: "new"}, tome{Title: "Dune Messiah", Year: 1969, Status: "lost"},
	)
}

// inTree returns the path of tomes with a tree.
func inTree(tree string) string { return "/api/tomes?filter=" + url.QueryEscape(tree) }

func TestATreeOfConditionsFindsTheSameInEachStore(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[tome]{}, func(c spec.Client) {
		for _, body := range []string{
			`{"title":"Dune","year":1965,"status":"sold","note":""}`, `{"title":"Emma","year":1815,"status":"new","note":""}`,
			`{"title":"Ubik","year":1969,"status":"new","note":""}`, `{"title":"Dune Messiah","year":1969,"status":"lost","note":""}`,
		} {
			c.Send("POST /api/things", body).HasStatus(http.StatusCreated)
		}
		for tree, want := range map[string]string{
			`{}`: "1 2 3 4", `{"all":[]}`: "1 2 3 4", `{"any":[]}`: "", `{"title":"dune"}`: "1 4", `{"year":[1965,1815]}`: "1 2", `{"year":[]}`: "",
			`{"any":[{"title":{"partial":"dune"}},{"all":[{"year":{"gte":1960,"lt":1970}},{"not":{"status":["sold","lost"]}}]}]}`: "1 3 4",
			`{"not":{"any":[{"title":"dune"},{"year":{"between":[1960,1970]}}]}}`:                                                 "2",
			`{"status":{"ne":"new"},"not":{"title":"messiah"}}`:                                                                   "1",
			`{"id":[2,3],"year":{"gt":1900}}`:                                                                                     "3",
		} {
			got := c.Send("GET /api/things?filter="+url.QueryEscape(tree), "").HasStatus(http.StatusOK)
			if found := spec.NumbersIn(got.Body); found != want {
				t.Errorf("%s finds %q, want %q", tree, found, want)
			}
			query := c.Send("QUERY /api/things", `{"filter":`+tree+`}`).HasStatus(http.StatusOK)
			if query.Body != got.Body || fmt.Sprint(query.Header["Link"]) != fmt.Sprint(got.Header["Link"]) {
				t.Errorf("QUERY %s returns %s %s, GET %s %s", tree, query.Header["Link"], query.Body, got.Header["Link"], got.Body)
			}
		}
	})
}

// A store nests conditions as deep as a tree may.
func TestATreeMayBeAsDeepAsItsLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1000} {
		for name, s := range spec.Stores[tome](t) {
			t.Run(name, func(t *testing.T) {
				c := spec.NewClient(t, resource.Config{MaxFilterNodes: limit, MaxBodyDepth: 10_000}, resource.Of[tome]{ShortName: "Tome", Store: s})
				nodes := max(limit, 50)
				tree, closing := `{"year":1`, `}`
				for n := 1; n+5 <= nodes; n += 5 {
					tree = `{"year":1,"any":[{"year":2},{"all":[{"year":3},` + tree
					closing += `]}]}`
				}
				c.Send("QUERY /api/tomes", `{"filter":`+tree+closing+`}`).HasStatus(http.StatusOK)
			})
		}
	}
}

func TestTreesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[tome]{ShortName: "Tome", Store: tomes()})
	c.Send("GET "+inTree(`{"any":[{"title":{"partiel":"x"}}]}`), "").Is(http.StatusBadRequest, `{"type":"about:blank","title":"Bad Request","status":400,
		"detail":"Unknown operator \"partiel\" in filter; did you mean \"partial\"?",
		"parameters":[{"name":"filter","in":"query","message":"Unknown operator \"partiel\" in filter; did you mean \"partial\"?","pointer":"/any/0/title/partiel","allowed":["partial"]}]}`)
	c.Send("GET "+inTree(`{"yeer":1}`), "").IsProblem(http.StatusBadRequest).
		Mentions(`"pointer":"/yeer"`, `did you mean \"year\"?`, `"allowed":["any","all","not","title","year","status","id"]`)
	c.Send("QUERY /api/tomes", `{"filter":{"any":[{"year":"x"}]}}`).IsProblem(http.StatusBadRequest).
		Mentions(`"in":"body"`, `"pointer":"/filter/any/0/year"`, "year must be an integer")
	c.Send("QUERY /api/tomes", `{"page":"2"}`).IsProblem(http.StatusBadRequest).Mentions(`"in":"body"`, `"pointer":"/page"`, "page must be an integer")
	c.Send("QUERY /api/tomes", `{"sort":["yeer"]}`).IsProblem(http.StatusBadRequest).Mentions(`"pointer":"/sort"`, "sort must be a comma-separated list of")
	c.Send("QUERY /api/tomes", `{"pagee":2}`).IsProblem(http.StatusBadRequest).Mentions(`"pointer":"/pagee"`, `did you mean \"page\"?`)
	c.Send("QUERY /api/tomes", `{`).IsProblem(http.StatusBadRequest)
	c.Send("QUERY /api/tomes", `{"a":1,"a":1}`).IsProblem(http.StatusBadRequest).Mentions("appears twice")
	c.Send("QUERY /api/tomes", "").IsProblem(http.StatusBadRequest)
	c.Send("QUERY /api/tomes", `[]`).IsProblem(http.StatusBadRequest)
	c.Send("QUERY /api/tomes?page=1", `{}`).IsProblem(http.StatusBadRequest).Mentions("query string")
	c.Send("QUERY /api/tomes", `{}`, "Content-Type", "text/plain").IsProblem(http.StatusUnsupportedMediaType).Has("Accept-Query", "application/json")
	c.Send("QUERY /api/tomes/1", `{}`).IsProblem(http.StatusMethodNotAllowed)
	c.Send("GET "+inTree(`{"any":[`+strings.Repeat(`{"year":1},`, 49)+`{"year":1}]}`), "").IsProblem(http.StatusBadRequest).Mentions("at most 50")
	c.Send("GET "+inTree(`{"any":[`+strings.Repeat(`{"year":1},`, 48)+`{"year":1}]}`), "").HasStatus(http.StatusOK)
}

func TestQueryIsAGetWithItsParametersInTheBody(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{middleware.Origins("https://shop.example")}},
		resource.Of[tome]{ShortName: "Tome", Store: tomes(), SparseFields: true})
	got := c.Send("QUERY /api/tomes", `{"filter":{"year":{"gt":1900}},"sort":["-year","title"],"page":1,"itemsPerPage":2,"fields":["title"],"status":["new","lost","sold"]}`)
	got.Is(http.StatusOK, `[{"id":4,"title":"Dune Messiah"},{"id":3,"title":"Ubik"}]`).Has("X-Total-Count", "3").Has("Accept-Query", "application/json")
	next := got.Link("next")
	c.Send("GET "+next, "").Is(http.StatusOK, `[{"id":1,"title":"Dune"}]`)
	if !strings.Contains(next, "filter=%7B%22year%22%3A%7B%22gt%22%3A1900%7D%7D") {
		t.Errorf("the link is %s", next)
	}
	tag := got.Header.Get("ETag")
	c.Send("QUERY /api/tomes", `{"filter":{"year":{"gt":1900}},"sort":["-year","title"],"page":1,"itemsPerPage":2,"fields":["title"],"status":["new","lost","sold"]}`, "If-None-Match", tag).
		Is(http.StatusNotModified, "")
	cursor := c.Send("QUERY /api/tomes", `{"filter":{"not":{"title":"dune"}},"cursor":"","itemsPerPage":1}`).HasStatus(http.StatusOK)
	c.Send("GET "+cursor.Link("next"), "").HasStatus(http.StatusOK).Mentions("Ubik")
	c.Send("QUERY /api/tomes.ndjson", `{"filter":{"title":"ubik"}}`).HasStatus(http.StatusOK).Has("Content-Type", "application/x-ndjson").Mentions("Ubik")
	for _, request := range []string{"GET /api/tomes", "HEAD /api/tomes", "OPTIONS /api/tomes"} {
		c.Send(request, "").Has("Accept-Query", "application/json")
	}
	c.Send("OPTIONS /api/tomes", "").Has("Allow", "GET, HEAD, QUERY, POST, OPTIONS")
	c.Send("OPTIONS /api/tomes/1", "").Has("Accept-Query", "")
	c.Send("OPTIONS /api/tomes", "", "Origin", "https://shop.example", "Access-Control-Request-Method", "QUERY").
		Has("Access-Control-Allow-Methods", "QUERY")
}

func TestLinksThatWouldBeTooLongAreLeftOut(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{MaxURLBytes: 300}, resource.Of[tome]{ShortName: "Tome", Store: tomes()})
	long := c.Send("QUERY /api/tomes", `{"filter":{"not":{"title":"`+strings.Repeat("x", 300)+`"}},"itemsPerPage":1}`).HasStatus(http.StatusOK)
	long.Has("Link", "")
	for n := range 300 {
		got := c.Send("QUERY /api/tomes", `{"filter":{"not":{"title":"`+strings.Repeat("x", n+1)+`"}},"itemsPerPage":1}`).HasStatus(http.StatusOK)
		if first := got.Link("first"); first != "" || got.Header.Get("Link") != "" {
			c.Send("GET "+first, "").HasStatus(http.StatusOK)
		}
	}
}

func TestWithoutTreesThereIsNeitherParameterNorMethod(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{MaxFilterNodes: -1}, resource.Of[tome]{ShortName: "Tome", Store: tomes()})
	c.Send("GET "+inTree(`{}`), "").IsProblem(http.StatusBadRequest).Mentions("Unknown parameter")
	c.Send("QUERY /api/tomes", `{}`).IsProblem(http.StatusMethodNotAllowed)
	c.Send("GET /api/tomes", "").HasStatus(http.StatusOK).Has("Accept-Query", "")
	c.Send("OPTIONS /api/tomes", "").Has("Accept-Query", "").Has("Allow", "GET, HEAD, POST, OPTIONS")
}

// A store that does not support groups has no trees, so that no condition is ignored.
func TestAStoreWithoutGroupsHasNoTrees(t *testing.T) {
	t.Parallel()
	type plain struct{ store.Store[tome] }
	c := spec.NewClient(t, resource.Config{}, resource.Of[tome]{ShortName: "Tome", Store: plain{tomes()}})
	c.Send("GET "+inTree(`{}`), "").IsProblem(http.StatusBadRequest)
	c.Send("QUERY /api/tomes", `{}`).IsProblem(http.StatusMethodNotAllowed)
}

// choice has the name of a word of trees.
type choice struct {
	ID  int64  `json:"id"`
	Any string `json:"any" api:"filter"`
	Not *int   `json:"not" api:"filter=range"`
}

func TestAFilterCannotHaveTheNameOfAWordOfTrees(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[choice]{ShortName: "Choice"})
	if err == nil || !strings.Contains(err.Error(), `the field "any" has a filter`) || !strings.Contains(err.Error(), `the field "not" has a filter`) {
		t.Errorf("the error is %v", err)
	}
	if _, err = resource.New(resource.Config{MaxFilterNodes: -1}, resource.Of[choice]{ShortName: "Choice"}); err != nil {
		t.Error(err)
	}
	if _, err = resource.New(resource.Config{MaxFilterNodes: 1001}, resource.Of[tome]{ShortName: "Tome"}); err == nil || !strings.Contains(err.Error(), "MaxFilterNodes is 1001") {
		t.Errorf("the error is %v", err)
	}
}

// A handler that returns a page gets the conditions of the tree in its query.
func TestAHandlerGetsTheConditionsOfATree(t *testing.T) {
	t.Parallel()
	all := tomes()
	c := spec.NewClient(t, resource.Config{}, resource.Of[tome]{ShortName: "Tome", Store: all, Operations: []operation.Operation{
		operation.GetCollection{Handler: operation.Handle(func(ctx context.Context, _ *tome, query store.Query) (store.Page[tome], error) {
			return all.List(ctx, query)
		})},
	}})
	c.Send("QUERY /api/tomes", `{"filter":{"any":[{"title":"ubik"},{"year":1815}]}}`).HasStatus(http.StatusOK).Mentions("Ubik", "Emma")
}
