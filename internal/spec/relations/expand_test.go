package relations_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
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

// Node lists other nodes.
type Node struct {
	ID    int64   `json:"id"`
	Text  string  `json:"text"`
	Next  *int64  `json:"next" api:"ref=Node,expand"`
	Other *int64  `json:"other" api:"ref=Node,expand"`
	Links []int64 `json:"links" validate:"max=500" api:"ref=Node,expand"`
}

// allFormats are all formats of the library.
func allFormats() []format.Format {
	return append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
}

// mesh returns 80 nodes, each of which lists all of them.
func mesh() []Node {
	const n = 80
	var all []int64
	for i := range n {
		all = append(all, int64(i+1))
	}
	nodes := make([]Node, n)
	for i := range nodes {
		nodes[i] = Node{Text: "node", Links: all}
	}
	return nodes
}

const tooMany = "embedded records. Request fewer expansions or a smaller page."

func TestExpansionsHaveABudgetOfRecords(t *testing.T) { //nolint:paralleltest // measures memory
	c := spec.NewClient(t, resource.Config{Formats: allFormats(), MaxEmbeddedBytes: 64 << 20, Pagination: operation.Pagination{ItemsPerPage: 80}},
		resource.Of[Node]{Store: memory.New(mesh()...)})
	for _, suffix := range []string{".json", ".ndjson", ".jsonld", ".jsonhal"} {
		got, allocated, aborted := sendCounting(c, "GET /api/nodes"+suffix+"?expand=links.links")
		if got.HasStatus(400).Has("Cache-Control", "no-store").Mentions("more than 20000 " + tooMany); aborted || allocated > 4<<20 {
			t.Errorf("%s: %d bytes are allocated for an error", suffix, allocated)
		}
		got, _, _ = sendCounting(c, "GET /api/nodes"+suffix+"?expand=next&itemsPerPage=20")
		got.HasStatus(200)
	}
	c.Send("GET /api/nodes.csv?expand=links.links", "").HasStatus(200) // embeds nothing
	c.Send("GET /api/nodes?expand=links.links&itemsPerPage=3", "").HasStatus(200)
	c.Send("GET /api/nodes?expand=links.links&itemsPerPage=4", "").IsProblem(400).Mentions(tooMany)
	c.Send("GET /api/nodes/1?expand=links.links", "").HasStatus(200)
}

// TestARecordThatIsIncludedIsNotWalkedAgain is about JSON:API, which includes each record once.
func TestARecordThatIsIncludedIsNotWalkedAgain(t *testing.T) { //nolint:paralleltest // measures memory
	c := spec.NewClient(t, resource.Config{Formats: allFormats(), MaxEmbedded: 200}, resource.Of[Node]{Store: memory.New(mesh()...)})
	for request, included := range map[string]int{
		"GET /api/nodes.jsonapi?include=links.links&page[size]=80": 0,
		"GET /api/nodes.jsonapi?include=links.links&page[size]=10": 70,
		"GET /api/nodes/1.jsonapi?include=links.links":             79,
	} {
		got, allocated, _ := sendCounting(c, request)
		_, list, found := strings.Cut(got.HasStatus(200).Body, `"included":[`)
		if n := strings.Count(list, `"attributes"`); !found || n != included {
			t.Errorf("%s: %d records are included, want %d", request, n, included)
		}
		if allocated > 8<<20 {
			t.Errorf("%s: %d bytes are allocated", request, allocated)
		}
	}
	c = spec.NewClient(t, resource.Config{Formats: allFormats(), MaxEmbedded: 79}, resource.Of[Node]{Store: memory.New(mesh()...)})
	c.Send("GET /api/nodes.jsonapi?include=links&page[size]=10", "").HasStatus(400).Mentions("more than 79 " + tooMany)
}

func TestExpansionsHaveABudgetOfBytes(t *testing.T) { //nolint:paralleltest // measures memory
	nodes := make([]Node, 100)
	nodes[0].Text = strings.Repeat("x", 1<<20)
	for i := range nodes[1:] {
		nodes[i+1] = Node{Next: new(int64(1)), Other: new(int64(1))}
	}
	c := spec.NewClient(t, resource.Config{Formats: allFormats(), Pagination: operation.Pagination{ItemsPerPage: 100}},
		resource.Of[Node]{Store: memory.New(nodes...)})
	for _, suffix := range []string{".json", ".jsonld", ".jsonhal"} {
		got, allocated, _ := sendCounting(c, "GET /api/nodes"+suffix+"?expand=next,other")
		if got.HasStatus(400).Mentions("more than 16777216 bytes of " + tooMany); allocated > 160<<20 {
			t.Errorf("%s: %d bytes are allocated for an error", suffix, allocated)
		}
	}
	got, allocated, aborted := sendCounting(c, "GET /api/nodes.ndjson?expand=next,other")
	if got.HasStatus(200); !aborted || len(got.Body) > 17<<20 || len(got.Body) < 8<<20 || allocated > 200<<20 {
		t.Errorf("a stream sends %d bytes and allocates %d; broken off: %t", len(got.Body), allocated, aborted)
	}
	c.Send("GET /api/nodes.jsonapi?include=next,other&page[size]=100", "").HasStatus(200)
	c.Send("GET /api/nodes?expand=next,other&itemsPerPage=7", "").HasStatus(200)
	small := spec.NewClient(t, resource.Config{MaxEmbeddedBytes: 1 << 10}, resource.Of[Node]{Store: memory.New(Node{Text: strings.Repeat("x", 2<<10), Next: new(int64(1)), Other: new(int64(1))})})
	small.Send("GET /api/nodes.ndjson?expand=next,other", "").IsProblem(400).Mentions("more than 1024 bytes of " + tooMany)
}

// TestAViewThatEmbedsHasABudget is about what a view embeds without being asked.
func TestAViewThatEmbedsHasABudget(t *testing.T) {
	t.Parallel()
	view := &operation.View{Name: "Linked", Fields: []string{"id", "links.text"}}
	c := spec.NewClient(t, resource.Config{MaxEmbedded: 500, MaxEmbeddedBytes: 1000}, resource.Of[Node]{
		Store: memory.New(mesh()...), Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{View: view, Pagination: operation.Pagination{ItemsPerPage: 1, MaxItemsPerPage: 80}},
		},
	})
	c.Send("GET /api/nodes?itemsPerPage=7", "").IsProblem(400).Mentions("more than 500 " + tooMany)
	c.Send("GET /api/nodes?itemsPerPage=1", "").IsProblem(400).Mentions("more than 1000 bytes of " + tooMany)
	c.Send("GET /api/nodes.ndjson", "").IsProblem(400).Mentions("more than 1000 bytes of " + tooMany)
}

// TestAStreamThatAlwaysEmbedsHasBatchesThatFit shows that a stream never fails on lists that are as long as they may be.
func TestAStreamThatAlwaysEmbedsHasBatchesThatFit(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{MaxEmbedded: 500}, resource.Of[Node]{
		Store: memory.New(mesh()...), Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{Expand: []string{"links"}, Pagination: operation.Pagination{ItemsPerPage: 1}},
		},
	})
	if got := strings.Count(c.Send("GET /api/nodes.ndjson", "").HasStatus(200).Body, "\n"); got != 80 {
		t.Errorf("the stream has %d lines", got)
	}
}

func TestAgentsSeeTheBudget(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{MaxEmbedded: 100}, resource.Of[Node]{Store: memory.New(mesh()...)})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listNodes","arguments":{"expand":["links"]}}}`
	spec.Client{T: t, Handler: api}.Send("POST /mcp", call, "Accept", "application/json, text/event-stream").HasStatus(200).
		Mentions(`"isError":true`, "more than 100 "+tooMany)
}

// TestTheBudgetDoesNotRevealHiddenReferences is about callers who may not see a list: its length must not change what they
// get.
func TestTheBudgetDoesNotRevealHiddenReferences(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{MaxEmbedded: 50, Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Node]{
		Store: memory.New(mesh()...),
		Access: access.Rules{
			Read: access.Public, Create: spec.IsAdmin, Update: spec.IsAdmin, Delete: spec.IsAdmin,
			Fields: map[string]access.Field{"links": {Read: spec.IsAdmin}},
		},
	})
	c.As("ann", "GET /api/nodes/1?expand=links", "").Is(200, `{"id":1,"text":"node","next":null,"other":null,"_embedded":{"links":null}}`)
	c.As("root", "GET /api/nodes/1?expand=links", "").IsProblem(400)
}

func TestABudgetThatIsTooSmallForTheDeclarationsIsAMistake(t *testing.T) {
	t.Parallel()
	always := resource.Of[Node]{Operations: []operation.Operation{operation.Get{}, operation.GetCollection{Expand: []string{"links.next"}}}}
	for _, test := range []struct {
		config resource.Config
		of     resource.Of[Node]
		want   string
	}{
		{resource.Config{MaxEmbedded: -1}, resource.Of[Node]{}, "MaxEmbedded is -1; allowed: a positive number of records up to 1,000,000,000, or 0 for 20,000"},
		{resource.Config{MaxEmbeddedBytes: -1}, resource.Of[Node]{}, "MaxEmbeddedBytes is -1; allowed: a positive number of bytes up to 1 TiB, or 0 for 16 MiB"},
		{resource.Config{}, always, "the response embeds up to 1000 records in each of the 30 records of a page, but Config.MaxEmbedded is 20000; " +
			"lower ItemsPerPage or the max of the lists, or raise Config.MaxEmbedded"},
	} {
		_, err := resource.New(test.config, test.of)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want %s", err, test.want)
		}
	}
	for _, fits := range []resource.Config{{MaxEmbedded: 30_000}, {Pagination: operation.Pagination{ItemsPerPage: 20}}} {
		if _, err := resource.New(fits, always); err != nil {
			t.Errorf("%+v: %v", fits, err)
		}
	}
	if _, err := resource.New(resource.Config{MaxEmbedded: 100}, resource.Of[Node]{}); err != nil {
		t.Errorf("expansions that clients may request are rejected: %v", err)
	}
}

// endings are how a response ends early: by its timeout, or because its client is gone.
var endings = map[string]struct {
	timeout time.Duration
	wait    func(ctx context.Context, leave func())
}{
	"timeout":     {time.Millisecond, func(ctx context.Context, _ func()) { <-ctx.Done() }},
	"client gone": {0, func(_ context.Context, leave func()) { leave() }},
}

// TestAResponseEndsWithItsContext stops a request at a known record, in all formats, with and without expansions.
func TestAResponseEndsWithItsContext(t *testing.T) {
	t.Parallel()
	nodes := make([]Node, 100)
	for i := range nodes {
		nodes[i] = Node{Text: strings.Repeat("x", 4<<10), Next: new(int64(i + 1))}
	}
	for ending, how := range endings {
		for _, path := range []string{".json", ".ndjson", ".jsonld", ".jsonhal", ".jsonapi", ".csv"} {
			for _, query := range []string{"", "?expand=next"} {
				t.Run(fmt.Sprint(ending, " ", path, query), func(t *testing.T) {
					t.Parallel()
					ctx, leave := context.WithCancel(t.Context())
					defer leave()
					var computed atomic.Int32
					shout := operation.Compute("shout", "Counts.", func(ctx context.Context, _ *Node) (bool, error) {
						if computed.Add(1) == 10 {
							how.wait(ctx, leave)
						}
						return true, nil
					})
					c := spec.NewClient(t, resource.Config{Timeout: how.timeout, Formats: allFormats(), Pagination: operation.Pagination{ItemsPerPage: 100}},
						resource.Of[Node]{Store: memory.New(nodes...), Computed: []operation.Computed{shout}})
					if strings.Contains(path, "jsonapi") {
						query = strings.Replace(query, "expand", "include", 1)
					}
					w := httptest.NewRecorder()
					func() {
						defer func() { _ = recover() }() // a stream that is broken off
						c.Handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/nodes"+path+query, http.NoBody))
					}()
					if n := computed.Load(); n > 20 {
						t.Errorf("%d records are computed after the context has ended at the 10th", n)
					}
					if stream := path == ".ndjson" || path == ".csv"; !stream && w.Code != http.StatusServiceUnavailable {
						t.Errorf("the status is %d; %d computed; %.300s", w.Code, computed.Load(), w.Body)
					}
				})
			}
		}
	}
}

// sendCounting sends a request, and returns the response and how many bytes were allocated for it. It is for tests that
// do not run in parallel with others. A response that is broken off has its status and what was sent of it.
func sendCounting(c spec.Client, request string) (response spec.Response, allocated uint64, aborted bool) {
	c.T.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(c.T.Context(), method, target, http.NoBody)
	w := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	func() {
		defer func() { aborted = recover() != nil }()
		c.Handler.ServeHTTP(w, r)
	}()
	runtime.ReadMemStats(&after)
	return spec.Response{T: c.T, Status: w.Code, Header: w.Header(), Body: w.Body.String()}, after.TotalAlloc - before.TotalAlloc, aborted
}
