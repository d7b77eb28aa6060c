package page

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/swaggest/swgui/v5/static"
)

//go:embed swagger
var own embed.FS

// Swagger returns the page of Swagger UI. Modules of its own put operations, parameters and responses in order.
func Swagger() UI {
	text, _ := fs.ReadFile(own, "swagger/index.html") // it is embedded
	return UI{HTML: string(text), Files: swaggerFiles{}}
}

// swaggerFiles are the modules of the page, and the files of Swagger UI that it needs.
type swaggerFiles struct{}

// Open opens a file.
func (swaggerFiles) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "swagger-ui") {
		return static.FS.Open(name)
	}
	if name == "." {
		return own.Open("swagger")
	}
	return own.Open("swagger/" + name)
}

// ReadDir lists the files.
func (swaggerFiles) ReadDir(string) ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	entries, err := own.ReadDir("swagger")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.Name() != "index.html" {
			list = append(list, entry)
		}
	}
	for _, name := range []string{"swagger-ui.css.gz", "swagger-ui-bundle.js.gz"} {
		info, err := fs.Stat(static.FS, name)
		if err != nil {
			return nil, err
		}
		list = append(list, fs.FileInfoToDirEntry(info))
	}
	return list, nil
}
