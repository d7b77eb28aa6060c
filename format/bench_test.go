package format_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/resource"
)

// sink is a writer that keeps nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

// newShop returns an API with thirty records of some 600 bytes, each of which refers to another one.
func newShop(b *testing.B, formats ...format.Format) *resource.API {
	b.Helper()
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
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), formats...)}, resource.Of[maker]{}, resource.Of[item]{})
	if err != nil {
		b.Fatal(err)
	}
	create := func(path, body string) {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", format.JSON)
		w := httptest.NewRecorder()
		if api.ServeHTTP(w, r); w.Code != http.StatusCreated {
			b.Fatal(w.Body)
		}
	}
	create("/api/makers", `{"name":"Ann"}`)
	for range 30 {
		create("/api/items", `{"name":"a ring","category":"crown","email":"hoard@example.com","price":12.5,"count":4,"sold":true,`+
			`"made":"2026-01-02T03:04:05Z","maker":"/api/makers/1","description":"`+strings.Repeat("It was made long ago, and nobody knows by whom. ", 8)+`"}`)
	}
	return api
}

// BenchmarkPage writes thirty records in each format, in turns, so that load on the machine affects all formats alike.
func BenchmarkPage(b *testing.B) {
	alone, all := newShop(b), newShop(b, jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	for round := range 5 {
		for _, of := range []struct {
			name, target string
			api          *resource.API
		}{
			{"json alone", "/api/items.json", alone},
			{"json", "/api/items.json", all},
			{"jsonld", "/api/items.jsonld", all},
			{"jsonhal", "/api/items.jsonhal", all},
			{"jsonapi", "/api/items.jsonapi", all},
			{"csv", "/api/items.csv", all},
			{"ndjson", "/api/items.ndjson", all},
			{"json expanded", "/api/items.json?expand=maker", all},
			{"jsonld expanded", "/api/items.jsonld?expand=maker", all},
			{"jsonhal expanded", "/api/items.jsonhal?expand=maker", all},
			{"jsonapi expanded", "/api/items.jsonapi?include=maker", all},
		} {
			b.Run(fmt.Sprintf("%s/%d", of.name, round), func(b *testing.B) {
				r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, of.target, http.NoBody)
				w := &sink{http.Header{}}
				b.ReportAllocs()
				for b.Loop() {
					clear(w.header)
					of.api.ServeHTTP(w, r)
				}
			})
		}
	}
}
