package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func TestRequestsAreMeasured(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "books.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	api, page, err := newAPI(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	send := func(handler http.Handler, method, path, body string) string {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Body.String()
	}
	send(api, "POST", "/api/books", `{"title":"Dune"}`)
	send(api, "POST", "/api/books", `{"title":" "}`)
	send(api, "GET", "/api/books/1", "")
	send(api, "GET", "/api/books/2", "")
	send(api, "GET", "/api/nothing", "")
	send(api, "PROPFIND", "/api/books", "")
	got := send(page, "GET", "/metrics", "")
	for _, want := range []string{
		`http_request_duration_seconds_count{method="POST",operation="createBook",status="201"} 1`,
		`http_request_duration_seconds_count{method="POST",operation="createBook",status="400"} 1`,
		`http_request_duration_seconds_count{method="GET",operation="getBook",status="200"} 1`,
		`http_request_duration_seconds_count{method="GET",operation="getBook",status="404"} 1`,
		`http_request_duration_seconds_count{method="GET",operation="none",status="404"} 1`,
		`http_request_duration_seconds_count{method="other",operation="none",status="405"} 1`,
		`http_requests_in_flight 0`,
		`http_response_bytes_total{operation="getBook"} `,
		`db_statement_duration_seconds_count{database="books",operation="INSERT",table="books"} 1`,
		`db_connections{database="books",state="used"} 0`,
		"go_goroutines ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "/api/") || strings.Contains(got, "PROPFIND") {
		t.Error("a label has what clients choose")
	}
}
