package openapi_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// Book is the resource of the examples.
type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200" doc:"As printed on the cover." example:"Dune"`
}

func ExampleMount() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Description: "A book on sale."})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Bookshop", Version: "1.0.0"})
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range []string{"/api/docs", "/api/docs.json", "/api/docs.yaml"} {
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, path, http.NoBody))
		fmt.Println(path, w.Code, w.Header().Get("Content-Type"))
	}
	// Output:
	// /api/docs 200 text/html; charset=utf-8
	// /api/docs.json 200 application/json
	// /api/docs.yaml 200 application/yaml
}

func ExampleDocument() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		log.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{
		Title:     "Bookshop",
		Customize: func(doc *openapi3.T) { doc.Info.TermsOfService = "https://example.com/terms" },
	})
	if err != nil {
		log.Fatal(err)
	}
	title := doc.Components.Schemas["BookCreate"].Value.Properties["title"].Value
	fmt.Println(doc.Info.Title, doc.Info.TermsOfService)
	fmt.Println(doc.Paths.Value("/api/books").Post.OperationID)
	fmt.Println(title.Description, *title.MaxLength)
	// Output:
	// Bookshop https://example.com/terms
	// createBook
	// As printed on the cover. 200
}

// Export writes the document, for a build that compares or publishes it.
func ExampleExport() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		log.Fatal(err)
	}
	var document bytes.Buffer
	if err := openapi.Export(&document, api, openapi.Config{Title: "Bookshop"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Join(strings.Split(document.String(), "\n")[:4], "\n"))
	// Output:
	// {
	//   "openapi": "3.1.1",
	//   "info": {
	//     "title": "Bookshop",
}
