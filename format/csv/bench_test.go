package csv_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/resource"
)

// sink is a writer that keeps nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

// BenchmarkCollection writes thirty records of some 600 bytes in each format.
func BenchmarkCollection(b *testing.B) {
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
	}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format)}, resource.Of[item]{})
	if err != nil {
		b.Fatal(err)
	}
	body := `{"name":"a ring","category":"crown","email":"hoard@example.com","price":12.5,"count":4,"sold":true,"made":"2026-01-02T03:04:05Z","description":"` +
		strings.Repeat("It was made long ago, and nobody knows by whom. ", 8) + `"}`
	for range 30 {
		send(b, api, "POST /api/items", body, "Content-Type", format.JSON)
	}
	for _, suffix := range []string{".json", ".ndjson", ".csv"} {
		b.Run(suffix[1:], func(b *testing.B) {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/api/items"+suffix, http.NoBody)
			w := &sink{http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				api.ServeHTTP(w, r)
			}
		})
	}
}
