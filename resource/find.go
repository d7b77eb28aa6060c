package resource

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/serve"
)

// ServeHTTP serves a request to an operation, or to a route of your own.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case chi.RouteContext(r.Context()) != nil: // of a router around the API
	case a.hasMiddleware:
		routed, _ := serve.WithRouting(r, a.router)
		a.handler.ServeHTTP(w, routed) // the router would create another routing context
		return
	case a.serves(w, r, nil):
		return
	}
	a.router.ServeHTTP(w, r)
}

// capture is the first middleware of the router. It captures the handler of all middleware and routes.
func (a *API) capture(next http.Handler) http.Handler {
	if a.handler == nil { // chi.Walk calls it too
		a.handler = next
	}
	return next
}

// operations is the last middleware before chi's routes. It serves operations itself, because chi's routing takes
// longer than many operations, and leaves all other requests to chi.
func (a *API) operations(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.serves(w, r, serve.RoutingOf(r)) {
			next.ServeHTTP(w, r)
		}
	})
}

// serves reports whether it has served the request: an operation is at the path, or the URL is too long.
func (a *API) serves(w http.ResponseWriter, r *http.Request, routing *serve.Routing) bool {
	escaped, isPlain := r.URL.Path, r.URL.RawPath == "" && isPlain(r.URL.Path)
	if !isPlain {
		escaped = r.URL.EscapedPath()
	}
	if len(escaped)+len(r.URL.RawQuery) > a.model.MaxURLBytes {
		problem.New(problem.URITooLong.Status(), problem.URITooLong.Detail(a.model.MaxURLBytes)).Write(w, r)
		return true
	}
	method, moved := "", ""
	if routing != nil {
		method, moved = routing.Overrides()
	}
	path, suffix, ours := "", "", false
	if !isPlain {
		path, suffix, ours = a.path(cmp.Or(method, r.Method), escaped)
	}
	if !ours {
		path = cmp.Or(moved, r.URL.RawPath, r.URL.Path, "/")
	}
	found, _ := a.routes().match(cmp.Or(method, r.Method), path)
	if found != nil {
		if server, ok := found.handler.(*serve.Operation); ok {
			server.Serve(w, r, routing, path, suffix)
			return true
		}
	}
	if routing != nil && (ours || a.model.Base != "") {
		serve.SetPath(routing.Context(), a.model.Own(path), suffix)
	}
	return false
}

// isPlain reports whether a path has no percent-encoded character and no dot, so that it needs no decoding and has no
// suffix. Most paths are plain.
func isPlain(path string) bool {
	for i := range len(path) {
		c := path[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '/' && c != '_' && c != '-' && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// path returns the path for routing: percent-encoded as sent, so that an identifier can contain an encoded slash, and
// without a format's suffix if the operations accept it and no route for the method ends in it, such as /orders/all.csv.
// It returns false if chi's own rules give the same result.
func (a *API) path(method, escaped string) (path, suffix string, ours bool) {
	for _, suffix := range a.endings {
		stem, ok := strings.CutSuffix(escaped, suffix)
		if !ok || !slices.Contains(a.suffixes[a.pattern(stem)], suffix) {
			continue
		}
		if found, _ := a.routes().match(method, escaped); found == nil || !strings.HasSuffix(found.pattern, suffix) {
			return stem, suffix, true
		}
		break
	}
	if strings.IndexByte(escaped, '%') >= 0 {
		_, ours = a.suffixes[a.pattern(escaped)]
	}
	return escaped, "", ours
}

// pattern returns the pattern at a path for any method, "" for none. Both are as clients see them.
func (a *API) pattern(path string) string {
	if found, _ := a.routes().match(http.MethodOptions, path); found != nil {
		return found.pattern
	}
	if own := a.router.Find(chi.NewRouteContext(), http.MethodOptions, a.model.Own(path)); own != "" {
		return a.model.Whole(own)
	}
	return ""
}

// tree returns the routes of the router, including the user's, as clients see them, for matching without chi.
func (a *API) tree() *routeTree {
	tree := &routeTree{}
	for _, r := range a.router.Routes() {
		pattern := a.model.Whole(r.Pattern)
		for method, handler := range r.Handlers {
			tree.add(treeRoute{method, pattern, handler})
		}
		// chi also serves the mount point itself, but does not list it.
		if within, ok := strings.CutSuffix(pattern, "/*"); ok && within != "" {
			tree.add(treeRoute{"*", within, nil})
			tree.add(treeRoute{"*", within + "/", nil})
		}
	}
	return tree
}
