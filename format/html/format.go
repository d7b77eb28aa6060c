package html

import (
	"bytes"
	"embed"
	"html/template"
	"maps"
	"sync"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/page"
)

// MediaType is the media type of pages.
const MediaType = "text/html"

// formType is the media type of the bodies of forms.
const formType = "application/x-www-form-urlencoded"

//go:embed pages/*.html
var files embed.FS

// Format serves pages, with the suffix ".html". It reads the bodies of forms. It is safe for concurrent use. Do not change
// it; a copy can have another suffix.
var Format = format.Format{ //nolint:gochecknoglobals // a value, as all formats are
	MediaType:   MediaType,
	ContentType: MediaType + "; charset=utf-8",
	Suffix:      ".html",
	Reads:       []string{formType},
	ForBrowsers: true,
	ForAPI:      ofAPI,
}

// site is the pages of one API. It is safe for concurrent use.
type site struct {
	api       *format.API
	templates *template.Template
	known     func() *catalog
}

// ofAPI returns the format for one API.
func ofAPI(api *format.API) (format.Format, error) {
	templates, err := page.Parse(files, "pages/*.html")
	if err != nil {
		return format.Format{}, err
	}
	s := &site{api: api, templates: templates, known: sync.OnceValue(func() *catalog { return newCatalog(api) })}
	header := maps.Clone(page.Header())
	// A page depends on what the caller may do, so that no cache can know whether it is still right.
	header["Cache-Control"] = "private, no-store"
	header["Cross-Origin-Opener-Policy"] = "same-origin"
	return format.Format{
		Header:     header,
		For:        s.ofType,
		WriteError: s.writeError,
		Index:      s.writeIndex,
		Documents:  func() []format.Document { return nil }, // makes New describe the API
	}, nil
}

// ofType returns the functions for one type.
func (s *site) ofType(t *format.Type) (format.Format, error) {
	made := format.Format{
		Read:  (&reader{t}).read,
		Query: queries(t),
		Item:  func(b []byte, item format.Item) ([]byte, error) { return s.writeItem(b, item, t) },
	}
	made.Collection = format.Collection{
		Begin: func(b []byte, _ format.Page) ([]byte, error) { return append(b, beginRows...), nil },
		Item:  appendRow,
		End:   func(b []byte, list format.Page) ([]byte, error) { return s.writePage(b, list, t) },
	}
	return made, nil
}

// write appends a page to b.
func (s *site) write(b []byte, of *content) ([]byte, error) {
	text := bytes.NewBuffer(b)
	err := s.templates.ExecuteTemplate(text, "page", of)
	return text.Bytes(), err
}
