//go:build !race

package jsonld_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestAllocations guards what answers allocate: as much as those of JSON, and the addresses of
// pages, whatever is on them.
//
//nolint:paralleltest // AllocsPerRun counts the allocations of the whole process
func TestAllocations(t *testing.T) {
	api := newShelf(t)
	for target, most := range map[string]float64{
		"/api/items.jsonld":                    15,
		"/api/items.jsonld?itemsPerPage=3":     23,
		"/api/items/7.jsonld":                  5,
		"/api/items.jsonld?expand=team":        240,
		"/api/items.jsonld?fields=name&page=1": 46,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody)
		w := &sink{http.Header{}}
		if got := testing.AllocsPerRun(200, func() { clear(w.header); api.ServeHTTP(w, r) }); got > most {
			t.Errorf("%s allocates %v times, want %v at most", target, got, most)
		}
	}
}
