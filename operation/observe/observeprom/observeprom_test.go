package observeprom_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/operation/observe/observeprom"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type item struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank" api:"unique,filter"`
}

const marker = "m4rk3r"

// page returns the page of metrics after requests to a service with items in SQLite.
func page(t *testing.T, requests ...[2]string) string {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	registry, observer := prometheus.NewPedanticRegistry(), observeprom.NewRequests()
	registry.MustRegister(observer, observeprom.Database(db, "main"))
	items := sqlstore.Table[item](db)
	if err := db.Create(t.Context(), items); err != nil {
		t.Fatal(err)
	}
	config := resource.Config{Observers: []observe.Observer{observer}, Logger: slog.New(slog.DiscardHandler)}
	api, err := resource.New(config, resource.Of[item]{Store: items})
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range requests {
		method, path, _ := strings.Cut(request[0], " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(request[1]))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Request-ID", marker)
		api.ServeHTTP(httptest.NewRecorder(), r)
	}
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", http.NoBody))
	if w.Code != http.StatusOK {
		t.Fatalf("the page is %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func TestRequestsAndStatementsAreMeasured(t *testing.T) {
	t.Parallel()
	got := page(t,
		[2]string{"POST /api/items", `{"name":"Dune"}`}, [2]string{"POST /api/items", `{"name":"Dune"}`},
		[2]string{"GET /api/items/1", ""}, [2]string{"HEAD /api/items/1", ""}, [2]string{"GET /nothing", ""})
	for _, want := range []string{
		`http_request_duration_seconds_count{method="POST",operation="createItem",status="201"} 1`,
		`http_request_duration_seconds_count{method="GET",operation="getItem",status="200"} 1`,
		`http_request_duration_seconds_count{method="HEAD",operation="getItem",status="200"} 1`,
		`http_request_duration_seconds_count{method="GET",operation="none",status="404"} 1`,
		`http_requests_in_flight 0`,
		`http_response_bytes_total{operation="getItem"} `,
		`db_statement_duration_seconds_count{database="main",operation="INSERT",table="items"} 2`,
		`db_statement_duration_seconds_count{database="main",operation="COMMIT",table=""} `,
		`db_statement_errors_total{database="main",error="unique"} 1`,
		`db_connections{database="main",state="used"} 0`,
		`db_connections_max{database="main"} `,
		`db_waits_total{database="main"} 0`,
		`db_wait_seconds_total{database="main"} 0`,
		`db_retries_total{database="main"} 0`,
		`db_replicas{database="main"} 0`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

func TestNoLabelHasAValueOfAClient(t *testing.T) {
	t.Parallel()
	body := `{"name":"` + marker + `"}`
	got := page(t,
		[2]string{"POST /api/items", body}, [2]string{"POST /api/items", body}, [2]string{"PUT /api/items/1", body},
		[2]string{"GET /api/items?name=" + marker, ""}, [2]string{"GET /api/items/" + marker, ""}, [2]string{"GET /" + marker, ""},
		[2]string{strings.ToUpper(marker) + " /api/items", ""})
	if strings.Contains(strings.ToLower(got), marker) {
		t.Errorf("a label has a value of a client:\n%s", got)
	}
	if !strings.Contains(got, `method="other"`) {
		t.Errorf("an invented method is not other:\n%s", got)
	}
}
