package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func start(t *testing.T) *httptest.Server {
	t.Helper()
	api, err := newAPI(t.Context(), ":memory:", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := api.Check(); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return server
}

func open(t *testing.T, server *httptest.Server, as, request, body string) *http.Response {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+as)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func send(t *testing.T, server *httptest.Server, as, request, body string, want int) string {
	t.Helper()
	response := open(t, server, as, request, body) //nolint:bodyclose // open does
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != want {
		t.Errorf("%s by %s is %d, want %d: %s (%v)", request, as, response.StatusCode, want, text, err)
	}
	return strings.TrimSpace(string(text))
}

func TestAReportHasTheSumsOfTheCallersOrders(t *testing.T) {
	t.Parallel()
	server := start(t)
	for _, order := range []string{`{"product":"Tea","cents":300}`, `{"product":"Tea","cents":400}`, `{"product":"Cup","cents":900}`} {
		send(t, server, "ann", "POST /api/orders", order, 201)
	}
	send(t, server, "bob", "POST /api/orders", `{"product":"Pot","cents":5000}`, 201)
	want := `[{"product":"Cup","orders":1,"cents":900},{"product":"Tea","orders":2,"cents":700}]`
	if got := send(t, server, "ann", "GET /report", "", 200); got != want {
		t.Errorf("the report is %s, want %s", got, want)
	}
	send(t, server, "eve", "GET /report", "", 401)
}

func TestOnlyTheOwnerSendsAndGetsAReceipt(t *testing.T) {
	t.Parallel()
	server := start(t)
	send(t, server, "ann", "POST /api/orders", `{"product":"Tea","cents":300}`, 201)
	send(t, server, "ann", "GET /orders/1/receipt", "", 404)
	send(t, server, "ann", "PUT /orders/1/receipt", "<script>alert(1)</script>", 204)
	got := open(t, server, "ann", "GET /orders/1/receipt", "") //nolint:bodyclose // open does
	if body, _ := io.ReadAll(got.Body); string(body) != "<script>alert(1)</script>" || !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the receipt is %q with %v", body, got.Header)
	}
	send(t, server, "bob", "GET /orders/1/receipt", "", 404)
	send(t, server, "bob", "PUT /orders/1/receipt", "x", 404)
	send(t, server, "ann", "PUT /orders/x/receipt", "x", 404)
	send(t, server, "ann", "PUT /orders/1/receipt", strings.Repeat("x", maxReceipt+1), 413)
	if got := send(t, server, "ann", "GET /orders/1/receipt", "", 200); got != "<script>alert(1)</script>" {
		t.Errorf("after one that is too large, the receipt is %.60q", got)
	}
}

func TestEventsTellOwnersOfTheirOrders(t *testing.T) {
	t.Parallel()
	server := start(t)
	lines := bufio.NewScanner(open(t, server, "ann", "GET /events", "").Body) //nolint:bodyclose // open does
	next := func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		return ""
	}
	lines.Scan() // the stream is open
	send(t, server, "bob", "POST /api/orders", `{"product":"Pot","cents":1}`, 201)
	send(t, server, "ann", "POST /api/orders", `{"product":"Tea","cents":1}`, 201)
	if got := next(); got != "/api/orders/2" {
		t.Errorf("the event of ann's order is %q", got)
	}
}
