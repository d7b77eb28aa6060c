// Package redoc shows an OpenAPI document with Redoc instead of Swagger UI. Redoc is for reading: it sends no requests to
// the API. Its files, about 330 kB, are embedded in programs that import it.
//
//	err := openapi.Mount(api, openapi.Config{UI: redoc.UI()})
package redoc

import (
	"embed"
	"io/fs"

	"github.com/trove-api/trove/openapi"
)

//go:embed files
var files embed.FS

// UI returns the page for openapi.Config.UI. The page requests nothing from other hosts. Its policy allows inline
// styles, because Redoc inserts them, and a worker from a blob, in which Redoc searches. UI is safe for concurrent use.
func UI() openapi.UI {
	in, _ := fs.Sub(files, "files") // the name is valid
	page, _ := fs.ReadFile(files, "files/index.html")
	return openapi.UI{
		HTML: string(page), Files: in,
		Policy: map[string]string{"style-src": "'unsafe-inline'", "worker-src": "blob:"},
	}
}
