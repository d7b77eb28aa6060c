package hal_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// An API whose responses and bodies can also be HAL.
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
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), hal.Format)},
		resource.Of[Author]{Store: memory.New(Author{Name: "Herbert"})},
		resource.Of[Book]{Store: memory.New(Book{Title: "Dune", Author: 1})})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/books/1.jsonhal", http.NoBody))
	fmt.Println(w.Body)
	// Output: {"_links":{"self":{"href":"/api/books/1"},"author":{"href":"/api/authors/1"}},"id":1,"title":"Dune"}
}

// WithCurie adds a prefix to relations of your own, and a link to their documentation.
func ExampleWithCurie() {
	type Author struct {
		ID int64 `json:"id"`
	}
	type Book struct {
		ID     int64 `json:"id"`
		Author int64 `json:"author" api:"ref=Author"`
	}
	own := hal.WithCurie("acme", "https://docs.example.com/rels/{rel}")
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), own)},
		resource.Of[Author]{Store: memory.New(Author{})}, resource.Of[Book]{Store: memory.New(Book{Author: 1})})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/books/1.jsonhal", http.NoBody))
	fmt.Println(w.Body)
	// Output: {"_links":{"self":{"href":"/api/books/1"},"acme:author":{"href":"/api/authors/1"},"curies":[{"name":"acme","href":"https://docs.example.com/rels/{rel}","templated":true}]},"id":1}
}
