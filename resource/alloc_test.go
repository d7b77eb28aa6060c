//go:build !race

package resource_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// stone is a record with a filter, as most resources have one.
type stone struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"filter=exact"`
}

// forgetful is a writer that keeps nothing but the header.
type forgetful struct{ header http.Header }

func (f *forgetful) Header() http.Header            { return f.header }
func (f *forgetful) WriteHeader(int)                {}
func (f *forgetful) Write(body []byte) (int, error) { return len(body), nil }

// TestPagesAllocateLittle guards what a page of a collection allocates: its records' list,
// the fields of its header, and the values of a filter. The race detector empties pools,
// which the figures rest on.
//
//nolint:paralleltest // AllocsPerRun counts the allocations of the whole process
func TestPagesAllocateLittle(t *testing.T) {
	stones := make([]stone, 1000)
	for i := range stones {
		stones[i].Name = []string{"ruby", "green jade"}[i%2]
	}
	api, err := resource.New(resource.Config{}, resource.Of[stone]{Store: memory.New(stones...)})
	if err != nil {
		t.Fatal(err)
	}
	for target, most := range map[string]float64{
		"/api/stones":                          4,
		"/api/stones?page=3":                   4,
		"/api/stones?page=2&name=ruby":         8,
		"/api/stones?page=2&name=green%20jade": 9,
		"/api/stones?cursor=":                  16,
	} {
		w, pattern := &forgetful{http.Header{}}, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody)
		var request http.Request
		allocs := testing.AllocsPerRun(100, func() {
			request = *pattern // routers write into it
			clear(w.header)
			api.ServeHTTP(w, &request)
		})
		if w.header.Get("Etag") == "" || w.header.Get("Link") == "" {
			t.Errorf("%s is answered with %v", target, w.header)
		}
		if allocs > most {
			t.Errorf("%s allocates %v times, more than %v", target, allocs, most)
		}
	}
}
