package openapi_test

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"testing/fstest"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/scalar"
	"github.com/trove-api/trove/resource"
)

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
			:root { --accent: #7a1fa2; --accent-soft: #f3e5f9 }
			:root[data-theme="dark"] { --accent: #d9a3f0; --accent-soft: #33203c }
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
