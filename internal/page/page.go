// Package page is the look of the pages that Trove renders for people: a stylesheet, the frame around the content, and
// the header fields that keep a page without scripts safe. The pages load nothing, not even the stylesheet, which is part
// of each page.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io/fs"
	"strings"
)

//go:embed style.css
var style string

//go:embed frame.html
var frame string

// Frame is what surrounds the content of each page.
type Frame struct {
	Title  string // of the page, for the window
	API    string // the title of the API
	Home   string // the path of the home page
	IsHome bool   // the page is the home page
	Icon   string // the path of the icon; "" for none
	Links  []Link // in the header
}

// Link is a link in the header of a page.
type Link struct{ Title, Path string }

// Parse parses the templates of a page, which define "main", the content, and can define "caller", the end of the header.
// Execute the template "page" with a value that has a field Frame.
func Parse(files fs.FS, names ...string) (*template.Template, error) {
	t := template.New("page").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(style) }, //nolint:gosec // our own
		"odd":   func(i int) bool { return i%2 == 1 },
	})
	if _, err := t.Parse(frame); err != nil {
		return nil, err
	}
	return t.ParseFS(files, names...)
}

// Header returns header fields of every page, by their names. Its content security policy allows the stylesheet of the
// page, images and forms of the same origin, and nothing else: no script runs, even if a value were not escaped.
func Header() map[string]string {
	sum := sha256.Sum256([]byte(style))
	return map[string]string{
		"Content-Security-Policy": strings.Join([]string{
			"default-src 'none'",
			"style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
			"img-src 'self'",
			"form-action 'self'",
			"frame-ancestors 'none'",
			"base-uri 'none'",
		}, "; "),
		"Referrer-Policy":        "same-origin",
		"X-Content-Type-Options": "nosniff",
		"X-Frame-Options":        "DENY",
	}
}
