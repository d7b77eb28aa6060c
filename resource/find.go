package resource

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/httpserve"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/internal/route"
)

// matcher finds what chi has when the API first serves, routes of the user's own among it,
// without chi.
type matcher struct {
	tree    route.Tree
	targets []target // by the numbers of the tree
}

// target is what chi has at a pattern for a method.
type target struct {
	pattern string
	server  *httpserve.Server // of an operation; nil for all else
}

// ServeHTTP serves a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case chi.RouteContext(r.Context()) != nil: // of a router around the API
	case a.hasMiddleware:
		routed, _ := httpserve.WithWay(r, a.router)
		a.handler.ServeHTTP(w, routed) // and not the router, which would ask for its context
		return
	case a.serves(w, r, nil):
		return
	}
	a.router.ServeHTTP(w, r)
}

// whole keeps what the router makes of its middleware and routes, as the first of them.
func (a *API) whole(next http.Handler) http.Handler {
	if a.handler == nil { // chi.Walk hands it out
		a.handler = next
	}
	return next
}

// operations is the last middleware before chi's routes: it finds operations, and leaves all
// the rest to chi. Both would lead to the same, but chi's way costs more than many an
// operation.
func (a *API) operations(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.serves(w, r, httpserve.WayOf(r)) {
			next.ServeHTTP(w, r)
		}
	})
}

// serves reports whether an operation is at the address of a request, or nothing can be
// since it is too long; the request has then been served.
func (a *API) serves(w http.ResponseWriter, r *http.Request, way *httpserve.Way) bool {
	escaped, isPlain := r.URL.Path, r.URL.RawPath == "" && isPlain(r.URL.Path)
	if !isPlain {
		escaped = r.URL.EscapedPath()
	}
	if len(escaped)+len(r.URL.RawQuery) > a.model.MaxURLBytes {
		problem.New(refusal.URITooLong.Status(), refusal.URITooLong.Says(a.model.MaxURLBytes)).Write(w, r)
		return true
	}
	method, set := way.Said()
	path, suffix, ours := escaped, "", false
	if !isPlain {
		path, suffix, ours = a.path(escaped)
	}
	if !ours {
		path = cmp.Or(set, r.URL.RawPath, r.URL.Path, "/")
	}
	found := a.matcher().at(cmp.Or(method, r.Method), path)
	ok := found != nil && found.server != nil
	switch {
	case ok:
		found.server.Serve(w, r, way, path, suffix)
	case ours && way != nil:
		httpserve.SetPath(way.Context(), path, suffix)
	}
	return ok
}

// isPlain reports whether a path is sent as it is, and ends in no suffix: it has no character that
// is percent-encoded, and no dot. Most paths are such ones, and are looked at once.
func isPlain(path string) bool {
	for i := range len(path) {
		c := path[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '/' && c != '_' && c != '-' && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// path returns what requests to operations are routed by: the path as it was sent,
// percent-encoded, so that an identifier may hold an encoded slash, without a format's suffix
// where they take it. It returns false where chi's own rules lead to the same.
func (a *API) path(escaped string) (path, suffix string, ours bool) {
	for _, suffix := range a.endings {
		stem, ok := strings.CutSuffix(escaped, suffix)
		if ok && slices.Contains(a.suffixes[a.pattern(stem)], suffix) {
			return stem, suffix, true
		}
	}
	if strings.IndexByte(escaped, '%') >= 0 {
		_, ours = a.suffixes[a.pattern(escaped)]
	}
	return escaped, "", ours
}

// pattern returns the pattern at a path, whatever the method is; "" for none.
func (a *API) pattern(path string) string {
	if found := a.matcher().at(http.MethodOptions, path); found != nil {
		return found.pattern
	}
	return a.router.Find(chi.NewRouteContext(), http.MethodOptions, path)
}

// at returns what is at a path, nil where there is nothing or only chi knows.
func (m *matcher) at(method, path string) *target {
	if i, ok := m.tree.Match(method, path); ok {
		return &m.targets[i]
	}
	return nil
}

func newMatcher(router chi.Routes) *matcher {
	m := &matcher{}
	for _, r := range router.Routes() {
		for method, handler := range r.Handlers {
			server, _ := handler.(*httpserve.Server)
			m.add(method, r.Pattern, server)
		}
		// chi has what is mounted here, too, and keeps it to itself.
		if within, ok := strings.CutSuffix(r.Pattern, "/*"); ok && within != "" {
			m.add("*", within, nil)
			m.add("*", within+"/", nil)
		}
	}
	return m
}

func (m *matcher) add(method, pattern string, server *httpserve.Server) {
	m.tree.Add(method, pattern, len(m.targets))
	m.targets = append(m.targets, target{pattern, server})
}
