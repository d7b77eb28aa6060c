//go:build !race

package jsonapi_test

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/resource"
)

// sink is a writer that keeps nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

// newShop returns an API with thirty records of some 600 bytes, each of which refers to another one.
func newShop(t testing.TB) client {
	t.Helper()
	type maker struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	type item struct {
		ID          int64     `json:"id"`
		Name        string    `json:"name"`
		Description string    `json:"description"`
		Category    string    `json:"category"`
		Email       string    `json:"email"`
		Price       float64   `json:"price"`
		Count       int       `json:"count"`
		Sold        bool      `json:"sold"`
		Made        time.Time `json:"made"`
		Note        *string   `json:"note"`
		Maker       int64     `json:"maker" api:"ref=Maker,expand"`
	}
	c := newClient(t, resource.Config{}, resource.Of[maker]{}, resource.Of[item]{})
	body := `{"name":"a ring","category":"crown","email":"hoard@example.com","price":12.5,"count":4,"sold":true,"made":"2026-01-02T03:04:05Z","maker":"/api/makers/%d","description":"` +
		strings.Repeat("It was made long ago, and nobody knows by whom. ", 8) + `"}`
	for i := range 30 {
		c.Client.Send("POST /api/makers", `{"name":"Ann"}`, "Content-Type", format.JSON).HasStatus(http.StatusCreated)
		c.Client.Send("POST /api/items", fmt.Sprintf(body, i+1), "Content-Type", format.JSON).HasStatus(http.StatusCreated)
	}
	return c
}

// What a page includes is gathered in room that is used again: it would be more than all else that a page allocates.
func TestBytesOfWhatAPageIncludes(t *testing.T) { //nolint:paralleltest // it counts bytes
	c := newShop(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/items.jsonapi?include=maker", http.NoBody)
	w := &sink{http.Header{}}
	least := uint64(math.MaxUint64)
	for range 50 { // a collection of garbage may empty the pool on the way
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		clear(w.header)
		c.api.ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if least > 3200 {
		t.Errorf("a page allocates %d bytes, want at most 3200", least)
	}
}

// A page costs more than JSON once per page, and not for each of its records.
func TestAllocationsOfAPage(t *testing.T) { //nolint:paralleltest // it counts allocations
	c := newShop(t)
	counted := map[string]float64{}
	for _, path := range []string{"/api/items.json", "/api/items.jsonapi"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		w := &sink{http.Header{}}
		counted[path], _ = alloctest.Count(20, func() {
			clear(w.header)
			c.api.ServeHTTP(w, r)
		})
	}
	if more := counted["/api/items.jsonapi"] - counted["/api/items.json"]; more > 15 {
		t.Errorf("a page allocates %v times more than as JSON: %v", more, counted)
	}
	if got := c.Client.Send("GET /api/items", "", "Accept", jsonapi.MediaType); got.Status != http.StatusOK {
		t.Errorf("the status is %d", got.Status)
	}
}
