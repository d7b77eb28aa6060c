package jsonapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// An API whose responses and bodies can also be JSON:API.
func Example() {
	type Author struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	type Book struct {
		ID     int64  `json:"id"`
		Title  string `json:"title"`
		Author int64  `json:"author" api:"ref=Author"`
	}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonapi.Format)},
		resource.Of[Author]{Store: memory.New(Author{Name: "Herbert"})},
		resource.Of[Book]{Store: memory.New(Book{Title: "Dune", Author: 1})})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/books/1.jsonapi", http.NoBody))
	fmt.Println(w.Body)
	// Output: {"jsonapi":{"version":"1.1"},"data":{"type":"books","id":"1","attributes":{"title":"Dune"},"relationships":{"author":{"data":{"type":"authors","id":"1"},"links":{"related":"/api/authors/1"}}},"links":{"self":"/api/books/1"}}}
}
