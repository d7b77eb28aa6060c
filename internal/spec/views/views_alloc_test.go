//go:build !race

package views_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Casket is a record of ten fields.
type Casket struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name"`
	Maker  string   `json:"maker"`
	Origin string   `json:"origin"`
	Notes  string   `json:"notes"`
	Tags   []string `json:"tags" validate:"max=9"`
	Width  int      `json:"width"`
	Height int      `json:"height"`
	Depth  int      `json:"depth"`
	Locked bool     `json:"locked"`
}

// TestAViewCostsLessThanTheCompleteRecord compares the allocations and bytes of a record of ten fields with those of a view of
// four.
//
//nolint:paralleltest // allocations are those of the whole process
func TestAViewCostsLessThanTheCompleteRecord(t *testing.T) {
	const text = "Told at some length, as descriptions are that people write."
	caskets := slices.Repeat([]Casket{{Name: "Moon", Maker: text, Origin: text, Notes: text, Tags: []string{"old", "red"}}}, 1000)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Casket]{Store: memory.New(caskets...), Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.GetCollection{
			Name: "cards", URITemplate: "/caskets/cards",
			View: &operation.View{Name: "CasketCard", Fields: []string{"id", "name", "width", "locked"}},
		},
	}})
	for _, query := range []string{"?page=2", "?page=3"} {
		whole, view := costOf(t, c.Handler, "/api/caskets"+query), costOf(t, c.Handler, "/api/caskets/cards"+query)
		if view.count > whole.count || view.allocated >= whole.allocated || 2*view.written > whole.written {
			t.Errorf("%s: a view costs %+v, the whole %+v", query, view, whole)
		}
	}
}

// cost is what a request costs.
type cost struct{ count, allocated, written uint64 }

// costOf returns the least cost of several runs, because other goroutines may allocate too.
func costOf(t *testing.T, handler http.Handler, target string) cost {
	t.Helper()
	least := cost{count: 1 << 62, allocated: 1 << 62}
	for range 50 {
		r, w := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody), httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		handler.ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		if w.Code != http.StatusOK {
			t.Fatalf("%s answers %d %s", target, w.Code, w.Body)
		}
		least.count, least.allocated = min(least.count, after.Mallocs-before.Mallocs), min(least.allocated, after.TotalAlloc-before.TotalAlloc)
		least.written = uint64(w.Body.Len())
	}
	return least
}
