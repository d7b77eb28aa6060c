package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/store/memory"
)

func TestInvoicesAreExact(t *testing.T) {
	t.Parallel()
	api, err := newAPI(memory.New[Invoice]())
	if err != nil {
		t.Fatal(err)
	}
	send := func(method, path, body, want string) {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if api.ServeHTTP(w, r); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s %s: %s, want %s", method, path, w.Body, want)
		}
	}
	send("POST", "/api/invoices", `{"net":"0.1"}`, `"net":"0.10","discount":null,"total":"0.12"`)
	send("POST", "/api/invoices", `{"net":"100","discount":"0.30"}`, `"net":"100.00","discount":"0.30","total":"118.64"`)
	send("POST", "/api/invoices", `{"net":"9.999"}`, `"net":"net must have at most 10 digits before the decimal point and 2 after it"`)
	send("POST", "/api/invoices", `{"net":"1","discount":"2"}`, `"discount":"discount must be less than or equal to net"`)
	send("GET", "/api/invoices?net[gte]=9.5&sort=-total", "", `"net":"100.00"`)
	openapitest.Conform(t, api)
}
