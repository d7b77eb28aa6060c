// Package page serves the documentation page from embedded files, with a content security policy that allows no others.
package page

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/look"
	"github.com/trove-api/trove/internal/naming"
)

// UI is a page that shows a document.
type UI struct {
	HTML   string            // with placeholders, see [Settings]
	Files  fs.FS             // that the page loads
	Policy map[string]string // sources that the policy allows in addition, by directive
}

// Settings are what a page shows.
type Settings struct {
	Title, Version string
	Docs           string // the path of the page
	Style          string // the user's CSS; "" for none
	Origins        []string
	Links          func() []Link // called when the page is made, as the next ones
	Logo           func() string // the path of an image for the head; "" for none
	Accent         func() string // a style sheet with the color of all pages; "" for the usual one
}

// Link is a link of the page.
type Link struct {
	Title, Path, Hint string
	IsPage            bool // a page for people, not a document or an endpoint
}

// Page is a page and its files.
type Page struct {
	HTML  func() *content.Content // makes the page, once
	Files map[string]http.Handler
}

// styleName is the name of the file with the user's CSS.
const styleName = "style.css"

// placeholder matches the placeholders of a page.
var placeholder = regexp.MustCompile(`\{([a-z]+)(?::([^{}\s]+))?\}`)

// New returns the page of a UI. It returns errors for unknown placeholders, files and directives.
func New(ui UI, s Settings) (*Page, error) {
	assets, err := newAssets(ui.Files)
	if err != nil {
		return nil, fmt.Errorf("Files: %w", err)
	}
	for _, name := range look.Names() {
		if assets[name] == nil {
			_, assets[name] = newAsset(look.Files(s.Accent), name)
		}
	}
	made := &Page{Files: map[string]http.Handler{}}
	for name, asset := range assets {
		made.Files[name] = asset
	}
	errs := []error{checkHTML(ui.HTML, assets), checkPolicy(ui.Policy)}
	if s.Style != "" {
		if !strings.Contains(ui.HTML, "{style}") {
			errs = append(errs, errors.New("HTML: no {style}, the link to Style, in the page"))
		}
		if assets[styleName] != nil {
			errs = append(errs, fmt.Errorf("Files: %s is the name of the file with Style; use another name", styleName))
		}
		made.Files[styleName] = content.New(mediaTypes[".css"], []byte(s.Style))
	}
	policy := contentSecurityPolicy(ui.Policy, s.Origins)
	made.HTML = sync.OnceValue(func() *content.Content {
		page := content.New("text/html; charset=utf-8", []byte(render(ui.HTML, &s, assets)))
		page.Header.Set("Content-Security-Policy", policy)
		page.Header.Set("Referrer-Policy", "no-referrer")
		page.Header.Set("X-Frame-Options", "DENY")
		return page
	})
	return made, errors.Join(errs...)
}

// checkHTML checks that the page has the document, and only known placeholders and files.
func checkHTML(text string, assets map[string]*asset) error {
	var errs []error
	known := []string{"title", "version", "docs", "document", "pages", "documents", "links", "initial", "mark", "style", "file"}
	for _, match := range placeholder.FindAllStringSubmatch(text, -1) {
		name, file := match[1], match[2]
		switch {
		case name == "file" && assets[file] == nil:
			errs = append(errs, fmt.Errorf("HTML: %s is not one of the Files%s", file, naming.DidYouMean(file, slices.Sorted(maps.Keys(assets)))))
		case !slices.Contains(known, name):
			errs = append(errs, fmt.Errorf("HTML: unknown placeholder {%s}%s", name, naming.DidYouMean(name, known)))
		}
	}
	if !strings.Contains(text, "{document}") {
		errs = append(errs, errors.New("HTML: no {document}, the path of the OpenAPI document, in the page"))
	}
	return errors.Join(errs...)
}

// render replaces the placeholders of a page. Values are escaped for text and quoted attributes.
func render(text string, s *Settings, assets map[string]*asset) string {
	values := map[string]string{"title": s.Title, "version": s.Version, "docs": s.Docs, "document": s.Docs + ".json", "initial": look.Initial(s.Title)}
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		match := placeholder.FindStringSubmatch(found)
		if value, is := values[match[1]]; is {
			return html.EscapeString(value)
		}
		switch match[1] {
		case "pages":
			return s.links(func(link Link) bool { return link.IsPage })
		case "documents":
			return s.links(func(link Link) bool { return !link.IsPage })
		case "links":
			return s.links(func(link Link) bool { return link.Path != s.Docs })
		case "mark":
			return s.mark()
		case "style":
			if s.Style == "" {
				return ""
			}
			return `<link rel="stylesheet" href="` + html.EscapeString(s.Docs+"/"+styleName) + `">`
		}
		version, _ := assets[match[2]].tag() // a file that cannot be read is an error when it is requested
		return html.EscapeString(s.Docs + "/" + match[2] + "?v=" + version)
	})
}

// mark returns what represents the service in the head: its logo, else the first letter of its title.
func (s *Settings) mark() string {
	if logo := s.Logo(); logo != "" {
		return `<img src="` + html.EscapeString(logo) + `" alt="">`
	}
	return `<span class="mark" aria-hidden="true">` + html.EscapeString(look.Initial(s.Title)) + `</span>`
}

// links returns the links that a function selects. That of the page itself is marked.
func (s *Settings) links(shows func(link Link) bool) string {
	var b strings.Builder
	for _, link := range s.Links() {
		if !shows(link) {
			continue
		}
		b.WriteString(`<a href="` + html.EscapeString(link.Path) + `"`)
		if link.Path == s.Docs {
			b.WriteString(` aria-current="page"`)
		} else if link.Hint != "" {
			b.WriteString(` title="` + html.EscapeString(link.Hint) + `"`)
		}
		b.WriteString(`>` + html.EscapeString(link.Title) + `</a> `)
	}
	return b.String()
}
