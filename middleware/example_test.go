package middleware_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/resource"
)

// list sends GET requests for books through a middleware, each with a header field, and prints the responses.
func list(middleware func(http.Handler) http.Handler, field string, values ...string) {
	api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{middleware}}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, value := range values {
		r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/books", http.NoBody)
		r.Header.Set(field, value)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		fmt.Printf("%s: %d %q\n", value, w.Code, w.Header().Get("Access-Control-Allow-Origin"))
	}
}

// Pages of one other origin can use the API.
func ExampleOrigins() {
	list(middleware.Origins("https://shop.example"), "Origin", "https://shop.example", "https://other.example")
	// Output:
	// https://shop.example: 200 "https://shop.example"
	// https://other.example: 200 ""
}

// The third request within a minute is rejected.
func ExampleRate() {
	list(middleware.Rate(2), "X-Request-Id", "first", "second", "third")
	// Output:
	// first: 200 ""
	// second: 200 ""
	// third: 429 ""
}

// Behind a proxy, a header field that the proxy sets identifies the client.
func ExampleRateBy() {
	client := func(r *http.Request) string { return r.Header.Get("X-Real-IP") }
	list(middleware.RateBy(client, 1), "X-Real-IP", "192.0.2.1", "192.0.2.1", "192.0.2.2")
	// Output:
	// 192.0.2.1: 200 ""
	// 192.0.2.1: 429 ""
	// 192.0.2.2: 200 ""
}
