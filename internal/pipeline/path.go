package pipeline

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
)

// formatKey is the routing parameter that carries the format suffix of the path.
const formatKey = "._format"

// Finder tells whether there are operations at an encoded path, and which formats' suffixes
// they take.
type Finder func(path string) (suffixes []string, found bool)

// Path refuses addresses that are longer than maxURL bytes. It finds the route of
// operations on the path as it was sent, percent-encoded, so that an identifier may hold
// an encoded slash, and cuts a known format suffix off where the operations take it.
// Other routes see the path as chi gives it. It is the last middleware before the routes.
func Path(find Finder, maxURL int) func(http.Handler) http.Handler {
	formats := compiled.Formats()
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path := r.URL.EscapedPath()
			if len(path)+len(r.URL.RawQuery) > maxURL {
				problem.New(http.StatusRequestURITooLong, fmt.Sprintf("The path and the query must not have more than %d bytes.", maxURL)).Write(w, r)
				return
			}
			route(r, path, find, formats)
			next.ServeHTTP(w, r)
		})
	}
}

func route(r *http.Request, path string, find Finder, formats []compiled.Format) {
	for _, format := range formats {
		stem, ok := strings.CutSuffix(path, format.Suffix)
		if !ok {
			continue
		}
		if suffixes, _ := find(stem); slices.Contains(suffixes, format.Suffix) {
			route := chi.RouteContext(r.Context())
			route.RoutePath = stem
			route.URLParams.Add(formatKey, format.Suffix)
			return
		}
	}
	if strings.IndexByte(path, '%') < 0 {
		return // encoded and decoded, it is the same
	}
	if _, found := find(path); found {
		chi.RouteContext(r.Context()).RoutePath = path
	}
}

// variable returns a variable of the template, percent-decoded.
func (x *exchange) variable(name string) string {
	if x.segment != "" {
		return x.segment
	}
	raw := chi.URLParam(x.r, name)
	if value, err := url.PathUnescape(raw); err == nil {
		return value
	}
	return raw
}

// location returns the address of the record that id names: the path of the resource's
// first Get, or "" without one.
func (x *exchange) location(id any) string {
	get := x.op.Resource.Item
	if get == nil {
		return ""
	}
	text, err := x.op.Resource.ID.Text(id)
	if err != nil {
		return ""
	}
	var room [128]byte
	path := string(get.Template.Append(room[:0], func(string) string { return text }))
	return path + get.DoubledSuffix(path)
}
