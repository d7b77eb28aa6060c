package pipeline

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
)

// formatKey is the routing parameter that carries the format suffix of the path.
const formatKey = "._format"

// Suffixes of the formats.
const jsonSuffix = ".json"

// Path finds the route of operations on the path as it was sent, percent-encoded, so
// that an identifier may hold an encoded slash, and cuts a known format suffix off where
// the operations take one. Other routes see the path as chi gives it. It is the last
// middleware before the routes. find tells whether there are operations at an encoded
// path, and whether they take a suffix.
func Path(find func(path string) (found, suffix bool)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			route(r, find)
			next.ServeHTTP(w, r)
		})
	}
}

func route(r *http.Request, find func(path string) (found, suffix bool)) {
	route, path := chi.RouteContext(r.Context()), r.URL.EscapedPath()
	if stem, ok := strings.CutSuffix(path, jsonSuffix); ok {
		if _, suffix := find(stem); suffix {
			route.RoutePath = stem
			route.URLParams.Add(formatKey, jsonSuffix)
			return
		}
	}
	if !strings.Contains(path, "%") {
		return // encoded and decoded, it is the same
	}
	if found, _ := find(path); found {
		route.RoutePath = path
	}
}

// pathFormat returns the format suffix that Path cut off, "" for none.
func pathFormat(r *http.Request) string { return chi.URLParam(r, formatKey) }

// variable returns a variable of the template, percent-decoded.
func variable(r *http.Request, name string) string {
	raw := chi.URLParam(r, name)
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
	path := get.Template.Expand(func(string) string { return text })
	if get.Suffix && strings.HasSuffix(path, jsonSuffix) {
		path += jsonSuffix
	}
	return path
}
