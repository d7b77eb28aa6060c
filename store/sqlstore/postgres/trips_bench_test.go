package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// byHand serves the requests of scrolls with statements of its own.
type byHand struct{ pool *pgxpool.Pool }

func (h byHand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var s scroll
	var err error
	if r.Method != http.MethodDelete {
		err = json.NewDecoder(r.Body).Decode(&s)
	}
	if err == nil {
		err = h.save(r.Context(), r.Method, r.PathValue("id"), &s)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s) //nolint:errchkjson // a scroll is always JSON
}

func (h byHand) save(ctx context.Context, method, id string, s *scroll) error {
	switch method {
	case http.MethodPost:
		return h.pool.QueryRow(ctx, `INSERT INTO scrolls (title, code, shelf, version) VALUES ($1, $2, $3, 1) RETURNING id, version`,
			s.Title, s.Code, s.Shelf).Scan(&s.ID, &s.Version)
	case http.MethodDelete:
		_, err := h.pool.Exec(ctx, `DELETE FROM scrolls WHERE id = $1`, id)
		return err
	}
	return pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
		var old scroll
		row := tx.QueryRow(ctx, `SELECT id, title, code, shelf, version FROM scrolls WHERE id = $1 FOR UPDATE`, id)
		if err := row.Scan(&old.ID, &old.Title, &old.Code, &old.Shelf, &old.Version); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `UPDATE scrolls SET title = $2, version = version + 1 WHERE id = $1 RETURNING id, version`, id, s.Title).Scan(&s.ID, &s.Version)
	})
}

// BenchmarkRequests compares requests with those of a handler that is written by hand. It runs both alternately, and reports
// the ratio of their times.
func BenchmarkRequests(b *testing.B) {
	dsn := schema(b)
	db := open(b, dsn)
	shelves, table := sqlstore.Table[shelf](db), sqlstore.Table[scroll](db)
	if err := db.Create(b.Context(), shelves, table); err != nil {
		b.Fatal(err)
	}
	api, err := resource.New(resource.Config{}, resource.Of[shelf]{Store: shelves}, resource.Of[scroll]{Store: table})
	if err != nil {
		b.Fatal(err)
	}
	administer(b, dsn, "INSERT INTO shelves (name) VALUES ('first')",
		"INSERT INTO scrolls (title, code, version) SELECT 'old', 'old ' || n, 1 FROM generate_series(1, 200000) n", "VACUUM ANALYZE scrolls")
	pool, err := pgxpool.New(b.Context(), dsn)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	hand := http.NewServeMux()
	hand.Handle("/api/scrolls", byHand{pool})
	hand.Handle("/api/scrolls/{id}", byHand{pool})
	var n atomic.Int64
	send := func(to http.Handler, method, target, body string) time.Duration {
		r := httptest.NewRequestWithContext(b.Context(), method, target, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		began := time.Now()
		to.ServeHTTP(w, r)
		if w.Code >= http.StatusBadRequest {
			b.Fatalf("%s %s returns %d: %s", method, target, w.Code, w.Body)
		}
		return time.Since(began)
	}
	for _, kind := range []struct {
		name string
		call func(to http.Handler) time.Duration
	}{
		{"create", func(to http.Handler) time.Duration {
			return send(to, "POST", "/api/scrolls", fmt.Sprintf(`{"title":"new","code":"new %d"}`, n.Add(1)))
		}},
		{"create with a reference", func(to http.Handler) time.Duration {
			shelf := `"/api/shelves/1"`
			if to == http.Handler(hand) {
				shelf = "1"
			}
			return send(to, "POST", "/api/scrolls", fmt.Sprintf(`{"title":"new","code":"new %d","shelf":%s}`, n.Add(1), shelf))
		}},
		{"patch", func(to http.Handler) time.Duration {
			return send(to, "PATCH", "/api/scrolls/1", fmt.Sprintf(`{"title":"patched %d"}`, n.Add(1)))
		}},
		{"put", func(to http.Handler) time.Duration {
			return send(to, "PUT", "/api/scrolls/1", fmt.Sprintf(`{"title":"put %d","code":"old 1"}`, n.Add(1)))
		}},
		{"delete", func(to http.Handler) time.Duration {
			return send(to, "DELETE", fmt.Sprintf("/api/scrolls/%d", 2+n.Add(1)), "")
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var own, other time.Duration
			for b.Loop() {
				own += kind.call(api)
				other += kind.call(hand)
			}
			b.ReportMetric(float64(own)/float64(b.N), "trove-ns/op")
			b.ReportMetric(float64(other)/float64(b.N), "hand-ns/op")
			b.ReportMetric(float64(own)/float64(other), "ratio")
		})
	}
}
