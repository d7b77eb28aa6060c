package resource_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
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
	"github.com/trove-api/trove/format/msgpack"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

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
	return append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format, msgpack.Format)
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

// sendCounting sends a request, and returns the response and how many bytes were allocated for it. It is for tests that
// do not run in parallel with others. A response that is broken off has its status and what was sent of it.
func (c client) sendCounting(request string) (response answer, allocated uint64, aborted bool) {
	c.t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(c.t.Context(), method, target, http.NoBody)
	w := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	func() {
		defer func() { aborted = recover() != nil }()
		c.handler.ServeHTTP(w, r)
	}()
	runtime.ReadMemStats(&after)
	return answer{c.t, w.Code, w.Header(), w.Body.String()}, after.TotalAlloc - before.TotalAlloc, aborted
}

const tooMany = "embedded records. Request fewer expansions or a smaller page."

func TestExpansionsHaveABudgetOfRecords(t *testing.T) { //nolint:paralleltest // measures memory
	c := newClient(t, resource.Config{Formats: allFormats(), MaxEmbeddedBytes: 64 << 20, Pagination: operation.Pagination{ItemsPerPage: 80}},
		resource.Of[Node]{Store: memory.New(mesh()...)})
	for _, suffix := range []string{".json", ".ndjson", ".jsonld", ".jsonhal", ".msgpack"} {
		got, allocated, aborted := c.sendCounting("GET /api/nodes" + suffix + "?expand=links.links")
		if got.hasStatus(400).has("Cache-Control", "no-store").mentions("more than 20000 " + tooMany); aborted || allocated > 4<<20 {
			t.Errorf("%s: %d bytes are allocated for an error", suffix, allocated)
		}
		got, _, _ = c.sendCounting("GET /api/nodes" + suffix + "?expand=next&itemsPerPage=20")
		got.hasStatus(200)
	}
	c.send("GET /api/nodes.csv?expand=links.links", "").hasStatus(200) // embeds nothing
	c.send("GET /api/nodes?expand=links.links&itemsPerPage=3", "").hasStatus(200)
	c.send("GET /api/nodes?expand=links.links&itemsPerPage=4", "").isProblem(400).mentions(tooMany)
	c.send("GET /api/nodes/1?expand=links.links", "").hasStatus(200)
}

// TestARecordThatIsIncludedIsNotWalkedAgain is about JSON:API, which includes each record once.
func TestARecordThatIsIncludedIsNotWalkedAgain(t *testing.T) { //nolint:paralleltest // measures memory
	c := newClient(t, resource.Config{Formats: allFormats(), MaxEmbedded: 200}, resource.Of[Node]{Store: memory.New(mesh()...)})
	for request, included := range map[string]int{
		"GET /api/nodes.jsonapi?include=links.links&page[size]=80": 0,
		"GET /api/nodes.jsonapi?include=links.links&page[size]=10": 70,
		"GET /api/nodes/1.jsonapi?include=links.links":             79,
	} {
		got, allocated, _ := c.sendCounting(request)
		_, list, found := strings.Cut(got.hasStatus(200).body, `"included":[`)
		if n := strings.Count(list, `"attributes"`); !found || n != included {
			t.Errorf("%s: %d records are included, want %d", request, n, included)
		}
		if allocated > 8<<20 {
			t.Errorf("%s: %d bytes are allocated", request, allocated)
		}
	}
	c = newClient(t, resource.Config{Formats: allFormats(), MaxEmbedded: 79}, resource.Of[Node]{Store: memory.New(mesh()...)})
	c.send("GET /api/nodes.jsonapi?include=links&page[size]=10", "").hasStatus(400).mentions("more than 79 " + tooMany)
}

func TestExpansionsHaveABudgetOfBytes(t *testing.T) { //nolint:paralleltest // measures memory
	nodes := make([]Node, 100)
	nodes[0].Text = strings.Repeat("x", 1<<20)
	for i := range nodes[1:] {
		nodes[i+1] = Node{Next: new(int64(1)), Other: new(int64(1))}
	}
	c := newClient(t, resource.Config{Formats: allFormats(), Pagination: operation.Pagination{ItemsPerPage: 100}},
		resource.Of[Node]{Store: memory.New(nodes...)})
	for _, suffix := range []string{".json", ".jsonld", ".jsonhal", ".msgpack"} {
		got, allocated, _ := c.sendCounting("GET /api/nodes" + suffix + "?expand=next,other")
		if got.hasStatus(400).mentions("more than 16777216 bytes of " + tooMany); allocated > 160<<20 {
			t.Errorf("%s: %d bytes are allocated for an error", suffix, allocated)
		}
	}
	got, allocated, aborted := c.sendCounting("GET /api/nodes.ndjson?expand=next,other")
	if got.hasStatus(200); !aborted || len(got.body) > 17<<20 || len(got.body) < 8<<20 || allocated > 200<<20 {
		t.Errorf("a stream sends %d bytes and allocates %d; broken off: %t", len(got.body), allocated, aborted)
	}
	c.send("GET /api/nodes.jsonapi?include=next,other&page[size]=100", "").hasStatus(200)
	c.send("GET /api/nodes?expand=next,other&itemsPerPage=7", "").hasStatus(200)
	small := newClient(t, resource.Config{MaxEmbeddedBytes: 1 << 10}, resource.Of[Node]{Store: memory.New(Node{Text: strings.Repeat("x", 2<<10), Next: new(int64(1)), Other: new(int64(1))})})
	small.send("GET /api/nodes.ndjson?expand=next,other", "").isProblem(400).mentions("more than 1024 bytes of " + tooMany)
}

// TestAViewThatEmbedsHasABudget is about what a view embeds without being asked.
func TestAViewThatEmbedsHasABudget(t *testing.T) {
	t.Parallel()
	view := &operation.View{Name: "Linked", Members: []string{"id", "links.text"}}
	c := newClient(t, resource.Config{MaxEmbedded: 500, MaxEmbeddedBytes: 1000}, resource.Of[Node]{
		Store: memory.New(mesh()...), Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{View: view, Pagination: operation.Pagination{ItemsPerPage: 1, MaxItemsPerPage: 80}},
		},
	})
	c.send("GET /api/nodes?itemsPerPage=7", "").isProblem(400).mentions("more than 500 " + tooMany)
	c.send("GET /api/nodes?itemsPerPage=1", "").isProblem(400).mentions("more than 1000 bytes of " + tooMany)
	c.send("GET /api/nodes.ndjson", "").isProblem(400).mentions("more than 1000 bytes of " + tooMany)
}

// TestAStreamThatAlwaysEmbedsHasBatchesThatFit shows that a stream never fails on lists that are as long as they may be.
func TestAStreamThatAlwaysEmbedsHasBatchesThatFit(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{MaxEmbedded: 500}, resource.Of[Node]{
		Store: memory.New(mesh()...), Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{Expand: []string{"links"}, Pagination: operation.Pagination{ItemsPerPage: 1}},
		},
	})
	if got := strings.Count(c.send("GET /api/nodes.ndjson", "").hasStatus(200).body, "\n"); got != 80 {
		t.Errorf("the stream has %d lines", got)
	}
}

func TestAgentsAreToldOfTheBudget(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{MaxEmbedded: 100}, resource.Of[Node]{Store: memory.New(mesh()...)})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listNodes","arguments":{"expand":["links"]}}}`
	client{t, api}.send("POST /mcp", call, "Accept", "application/json, text/event-stream").hasStatus(200).
		mentions(`"isError":true`, "more than 100 "+tooMany)
}

// TestTheBudgetDoesNotRevealHiddenReferences is about callers who may not see a list: its length must not change what they
// get.
func TestTheBudgetDoesNotRevealHiddenReferences(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{MaxEmbedded: 50, Authentication: []access.Scheme{bearer()}}, resource.Of[Node]{
		Store: memory.New(mesh()...),
		Access: access.Rules{
			Read: access.Public, Create: isAdmin, Update: isAdmin, Delete: isAdmin,
			Members: map[string]access.Member{"links": {Read: isAdmin}},
		},
	})
	c.as("ann", "GET /api/nodes/1?expand=links", "").is(200, `{"id":1,"text":"node","next":null,"other":null,"_embedded":{"links":null}}`)
	c.as("root", "GET /api/nodes/1?expand=links", "").isProblem(400)
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
		for _, path := range []string{".json", ".ndjson", ".jsonld", ".jsonhal", ".jsonapi", ".csv", ".msgpack"} {
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
					c := newClient(t, resource.Config{Timeout: how.timeout, Formats: allFormats(), Pagination: operation.Pagination{ItemsPerPage: 100}},
						resource.Of[Node]{Store: memory.New(nodes...), Computed: []operation.Computed{shout}})
					if strings.Contains(path, "jsonapi") {
						query = strings.Replace(query, "expand", "include", 1)
					}
					w := httptest.NewRecorder()
					func() {
						defer func() { _ = recover() }() // a stream that is broken off
						c.handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/nodes"+path+query, http.NoBody))
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
