package serve_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// exchanged is what a client sees of a response, without what is new in each.
type exchanged struct {
	Status int
	Header http.Header
	Body   string
}

func exchangedOf(w *httptest.ResponseRecorder) exchanged {
	e := exchanged{w.Code, maps.Clone(w.Header()), w.Body.String()}
	if _, id, ok := strings.Cut(e.Body, "urn:uuid:"); ok {
		e.Body = strings.ReplaceAll(e.Body, id[:36], "…")
	}
	return e
}

// sent is a request of the tests of pools.
type sent struct {
	operation, target, body string
	fields                  []string
}

// requests fail, succeed, panic, and are small and large, as different callers.
var requests = []sent{
	{"GET", "/api/coins/1", "", nil},
	{"GET", "/api/coins/2", "", nil}, // more than a buffer keeps
	{"GET", "/api/coins/9", "", nil},
	{"GET", "/api/coins/1", "", []string{"Authorization", "Bearer Ada"}},
	{"GET", "/api/coins/1", "", []string{"If-None-Match", `"x"`}},
	{"GET", "/api/coins/1", "", []string{"If-Match", `"x"`}},
	{"GET", "/api/coins/1?fields=name", "", nil},
	{"GET", "/api/coins/1?field=name", "", nil},
	{"GET list", "/api/coins?itemsPerPage=1&sort=-value", "", nil},
	{"GET list", "/api/coins?name=Ducat", "", nil},
	{"GET list", "/api/coins", "", []string{"Accept", "application/x-ndjson"}},
	{"GET list", "/api/coins?page=x", "", nil},
	{"PATCH", "/api/coins/1", `{"value":7}`, []string{"Authorization", "Bearer Ada"}},
	{"PATCH", "/api/coins/1", `{"value":7}`, []string{"Authorization", "Bearer Bob"}},
	{"PATCH", "/api/coins/1", `{"value":7}`, nil},
	{"PATCH", "/api/coins/1", `{"value":-7,"colour":"red"}`, []string{"Authorization", "Bearer Ada"}},
	{"PATCH", "/api/coins/1", `{"value":`, []string{"Authorization", "Bearer Ada"}},
	{"PATCH", "/api/coins/1", `{"value":7,"note":"` + strings.Repeat("x", 100_000) + `"}`, []string{"Authorization", "Bearer Ada"}},
	{"PATCH", "/api/coins/1", `{"name":"panic"}`, []string{"Authorization", "Bearer Ada"}},
	{"PATCH", "/api/coins/1", `{"name":"fail"}`, []string{"Authorization", "Bearer Ada"}},
	{"DELETE", "/api/coins/7", "", []string{"Authorization", "Bearer Ada"}},
	{"DELETE", "/api/coins/7", "", nil},
}

// poolBench makes servers whose records no request changes: what is patched is what was there, or is rolled back.
func poolBench(t testing.TB) *bench {
	t.Helper()
	config, coins := guarded(resource.Of[Coin]{
		Operations: []operation.Operation{
			operation.Get{SparseFields: true}, operation.GetCollection{SparseFields: true}, operation.Patch{}, operation.Delete{},
		},
		Store: memory.New(
			Coin{Name: "Ducat", Mint: "Venice", Value: 7, Owner: "Ada"},
			Coin{Name: "Stater", Mint: "Lydia", Owner: "Bob", Note: strings.Repeat("Gold", 30_000)},
		),
		Prepare: func(_ context.Context, req *operation.Request, c *Coin) error {
			switch {
			case c.Name == "panic":
				req.ResponseHeader.Set("X-Coin", "panicked")
				panic(c.Name)
			case c.Name == "fail", c.ID == 1 && len(c.Note) > 1000:
				return operation.Error{Status: 409, Detail: "It fails."}
			}
			req.ResponseHeader.Set("X-Coin", c.Name)
			return nil
		},
	})
	config.CursorKey = []byte("0123456789abcdef0123456789abcdef")
	return newBench(t, config, coins)
}

// TestAnExchangeLeavesNothingToTheNext compares each response of servers that have served others with that of servers
// which have not.
func TestAnExchangeLeavesNothingToTheNext(t *testing.T) {
	t.Parallel()
	want := make([]exchanged, len(requests))
	for i, r := range requests {
		want[i] = exchangedOf(poolBench(t).send(r.operation, r.target, r.body, r.fields...))
	}
	used := poolBench(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		i := random.IntN(len(requests))
		r := requests[i]
		got := exchangedOf(used.send(r.operation, r.target, r.body, r.fields...))
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Fatalf("%s %s differs after other requests (-first +got):\n%s", r.operation, r.target, diff)
		}
	}
}

func TestConcurrentExchangesAreApart(t *testing.T) {
	t.Parallel()
	want := make([]exchanged, len(requests))
	for i, r := range requests {
		want[i] = exchangedOf(poolBench(t).send(r.operation, r.target, r.body, r.fields...))
	}
	used := poolBench(t)
	var all sync.WaitGroup
	for seed := range uint64(8) {
		all.Go(func() {
			random := rand.New(rand.NewPCG(seed, seed))
			for range 200 {
				i := random.IntN(len(requests))
				r := requests[i]
				if got := exchangedOf(used.send(r.operation, r.target, r.body, r.fields...)); !cmp.Equal(want[i], got) {
					t.Errorf("%s %s differs beside other requests (-alone +got):\n%s", r.operation, r.target, cmp.Diff(want[i], got))
					return
				}
			}
		})
	}
	all.Wait()
}

// TestHooksMayKeepWhatTheyAreHanded reads the request after other requests have been served.
func TestHooksMayKeepWhatTheyAreHanded(t *testing.T) {
	t.Parallel()
	var kept []*operation.Request
	b := newBench(t, resource.Config{}, resource.Of[Coin]{
		Store: memory.New(Coin{Name: "Ducat", Mint: "Venice"}, Coin{Name: "Florin", Mint: "Florence"}),
		Prepare: func(_ context.Context, req *operation.Request, _ *Coin) error {
			kept = append(kept, req)
			return nil
		},
	})
	for _, target := range []string{"/api/coins/1", "/api/coins/2", "/api/coins/9"} {
		b.send("PATCH", target, `{"value":1}`, "X-Target", target)
	}
	for i, want := range []string{"/api/coins/1", "/api/coins/2"} {
		r := kept[i].HTTP()
		if r.Header.Get("X-Target") != want || kept[i].Variables()["id"] != want[len("/api/coins/"):] || r.PathValue("id") != want[len("/api/coins/"):] {
			t.Errorf("request %d has become %s with %v", i, r.Header.Get("X-Target"), kept[i].Variables())
		}
	}
}

// TestAResponseIsWithinItsTime ends a request whose handler takes longer than its operation may.
func TestAResponseIsWithinItsTime(t *testing.T) {
	t.Parallel()
	coins := failing(func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	b := newBench(t, resource.Config{Timeout: time.Millisecond}, coins)
	w := b.send("mint", "/api/mint", "")
	if b.is(w, 503); w.Header().Get("Retry-After") != "1" || b.problemOf(w)["detail"] != "The operation took too long. Try again later." {
		t.Errorf("the response is %v %s", w.Header(), w.Body)
	}
}
