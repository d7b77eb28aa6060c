// Package scalar shows an OpenAPI document with Scalar instead of Swagger UI. Its files, about 1 MB, are embedded in
// programs that import it.
//
//	err := openapi.Mount(api, openapi.Config{UI: scalar.UI()})
package scalar

import (
	"embed"
	"io/fs"

	"github.com/trove-api/trove/openapi"
)

//go:embed files
var files embed.FS

// UI returns the page for openapi.Config.UI. The page requests nothing from other hosts: fonts, proxy, telemetry and
// chat of Scalar are off. Its policy allows inline styles, because Scalar inserts them. UI is safe for concurrent
// use.
func UI() openapi.UI {
	in, _ := fs.Sub(files, "files") // the name is valid
	page, _ := fs.ReadFile(files, "files/index.html")
	return openapi.UI{HTML: string(page), Files: in, Policy: map[string]string{"style-src": "'unsafe-inline'"}}
}
