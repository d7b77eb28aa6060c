package jsonld_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// An API whose responses and bodies can also be JSON-LD.
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
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format)},
		resource.Of[Author]{Store: memory.New(Author{Name: "Herbert"})},
		resource.Of[Book]{Store: memory.New(Book{Title: "Dune", Author: 1})})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/books/1.jsonld", http.NoBody))
	fmt.Println(w.Body)
	// Output: {"@context":"/api/contexts/Book","@id":"/api/books/1","@type":"Book","id":1,"title":"Dune","author":"/api/authors/1"}
}
