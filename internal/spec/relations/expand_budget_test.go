package relations_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
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
		got, allocated, aborted := c.SendCounting("GET /api/nodes" + suffix + "?expand=links.links")
		if got.HasStatus(400).Has("Cache-Control", "no-store").Mentions("more than 20000 " + tooMany); aborted || allocated > 4<<20 {
			t.Errorf("%s: %d bytes are allocated for an error", suffix, allocated)
		}
		got, _, _ = c.SendCounting("GET /api/nodes" + suffix + "?expand=next&itemsPerPage=20")
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
		got, allocated, _ := c.SendCounting(request)
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
		got, allocated, _ := c.SendCounting("GET /api/nodes" + suffix + "?expand=next,other")
		if got.HasStatus(400).Mentions("more than 16777216 bytes of " + tooMany); allocated > 160<<20 {
			t.Errorf("%s: %d bytes are allocated for an error", suffix, allocated)
		}
	}
	got, allocated, aborted := c.SendCounting("GET /api/nodes.ndjson?expand=next,other")
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
