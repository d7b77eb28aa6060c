//go:build !race

package jsonld_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

// sink is a writer that keeps nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

// newShelf returns an API with thirty records of some 600 bytes.
func newShelf(t testing.TB) *resource.API {
	t.Helper()
	type item struct {
		ID          int64     `json:"id"`
		Name        string    `json:"name" api:"filter=partial,sort"`
		Description string    `json:"description"`
		Category    string    `json:"category" api:"filter=exact"`
		Email       string    `json:"email"`
		Price       float64   `json:"price" api:"filter=range"`
		Count       int       `json:"count"`
		Sold        bool      `json:"sold"`
		Made        time.Time `json:"made"`
		Note        *string   `json:"note"`
		Team        string    `json:"team" api:"ref=Team,expand"`
	}
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format)}, resource.Of[item]{}, resource.Of[team]{})
	send(t, api, "POST /api/teams", `{"name":"Reds"}`).hasStatus(http.StatusCreated)
	body := `{"name":"a ring","category":"crown","email":"hoard@example.com","price":12.5,"count":4,"sold":true,"made":"2026-01-02T03:04:05Z","team":"/api/teams/Reds","description":"` +
		strings.Repeat("It was made long ago, and nobody knows by whom. ", 8) + `"}`
	for range 30 {
		send(t, api, "POST /api/items", body).hasStatus(http.StatusCreated)
	}
	return api
}

// TestAllocations guards that a response allocates as much as one in JSON, plus the links to pages, regardless of the
// number of records.
//
//nolint:paralleltest // counts the allocations of the whole process
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
		if got, _ := alloctest.Count(200, func() { clear(w.header); api.ServeHTTP(w, r) }); got > most {
			t.Errorf("%s allocates %v times, want %v at most", target, got, most)
		}
	}
}
