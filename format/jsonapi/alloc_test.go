//go:build !race

package jsonapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
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
		Maker       int64     `json:"maker" api:"ref=Maker"`
	}
	c := newClient(t, resource.Config{}, resource.Of[maker]{}, resource.Of[item]{})
	c.Client.Send("POST /api/makers", `{"name":"Ann"}`, "Content-Type", format.JSON)
	body := `{"name":"a ring","category":"crown","email":"hoard@example.com","price":12.5,"count":4,"sold":true,"made":"2026-01-02T03:04:05Z","maker":"/api/makers/1","description":"` +
		strings.Repeat("It was made long ago, and nobody knows by whom. ", 8) + `"}`
	for range 30 {
		c.Client.Send("POST /api/items", body, "Content-Type", format.JSON).Mentions(http.StatusCreated)
	}
	return c
}

// What a page costs beside JSON is for the page, and nothing for each of its records.
func TestAllocationsOfAPage(t *testing.T) { //nolint:paralleltest // it counts allocations
	c := newShop(t)
	counted := map[string]float64{}
	for _, path := range []string{"/api/items.json", "/api/items.jsonapi"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		w := &sink{http.Header{}}
		counted[path] = testing.AllocsPerRun(20, func() {
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
