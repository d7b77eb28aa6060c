package openapi_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing/fstest"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/scalar"
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

// Scalar shows the document instead of Swagger UI.
func ExampleUI() {
	api, err := resource.New(resource.Config{}, resource.Of[Category]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Bookshop", UI: scalar.UI()})
	}
	fmt.Println(err)
	// Output: <nil>
}

// The colors are custom properties, which Style can set for each theme.
func ExampleConfig_style() {
	config := openapi.Config{
		Title: "Bookshop",
		Style: `
			:root { --accent: #7a1fa2 }
			:root[data-theme="dark"] { --ground: #000000 }
		`,
	}
	api, err := resource.New(resource.Config{}, resource.Of[Category]{})
	if err == nil {
		err = openapi.Mount(api, config)
	}
	fmt.Println(err)
	// Output: <nil>
}

// The texts that Trove writes are English. Customize can replace them by a translation.
func ExampleConfig_translation() {
	german := map[string]string{
		"List categories":   "Kategorien auflisten",
		"Record not found.": "Nicht gefunden.",
	}
	config := openapi.Config{
		Title: "Bookshop",
		Customize: func(doc *openapi3.T) {
			for _, path := range doc.Paths.Map() {
				for _, op := range path.Operations() {
					op.Summary = cmp.Or(german[op.Summary], op.Summary)
				}
			}
			for _, response := range doc.Components.Responses {
				text := response.Value.Description
				*text = cmp.Or(german[*text], *text)
			}
		},
	}
	api, err := resource.New(resource.Config{}, resource.Of[Category]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := openapi.Document(api, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Paths.Value("/api/categories").Get.Summary)
	fmt.Println(*doc.Components.Responses["NotFound"].Value.Description)
	// Output:
	// Kategorien auflisten
	// Nicht gefunden.
}

// A page of your own has placeholders, and loads its own files only.
func ExampleUI_own() {
	var files fs.FS = fstest.MapFS{"page.js": {Data: []byte("// …")}}
	page := openapi.UI{
		HTML: `<!DOCTYPE html>
<html lang="en">
<title>{title}</title>
<main data-document="{document}"></main>
<script type="module" src="{file:page.js}"></script>
`,
		Files: files,
	}
	api, err := resource.New(resource.Config{}, resource.Of[Category]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Bookshop", UI: page})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/docs", nil))
	fmt.Print(w.Body)
	// Output:
	// <!DOCTYPE html>
	// <html lang="en">
	// <title>Bookshop</title>
	// <main data-document="/api/docs.json"></main>
	// <script type="module" src="/api/docs/page.js?v=26a0d2f9abhn9"></script>
}
