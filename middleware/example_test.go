package middleware_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
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

// All instances on a database count sign-ins together.
func ExampleStored() {
	db, err := sqlite.Open(":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	counts := sqlstore.Table[middleware.Count](db) // a table to migrate or create with the others
	signIns := middleware.Rate(100, middleware.Shared("sign-in", middleware.Stored(counts)))
	if _, err := db.Migrate(context.Background(), counts); err != nil {
		fmt.Println(err)
	}
	list(signIns, "X-Request-Id", "first")
	n, err := store.Count(context.Background(), counts)
	fmt.Println(n, err)
	// Output:
	// first: 200 ""
	// 1 <nil>
}
