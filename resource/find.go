package resource

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/pipeline"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/route"
)

// target is what chi has at a pattern for a method.
type target struct {
	pattern string
	handler http.Handler
}

// ServeHTTP serves a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case chi.RouteContext(r.Context()) != nil: // of a router around the API
	case a.hasMiddleware:
		r = pipeline.Routed(r, a.router)
	case a.serves(w, r, nil):
		return
	}
	a.router.ServeHTTP(w, r)
}

// operations is the last middleware before chi's routes: operations are found before chi
// looks for them, which has the rest. Both ways lead to the same, but chi's costs more than
// many an operation.
func (a *API) operations(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.serves(w, r, chi.RouteContext(r.Context())) {
			next.ServeHTTP(w, r)
		}
	})
}

// serves reports whether an operation is at the address of a request, or nothing can be
// since it is too long; the request has then been served. Route is nil where there is
// neither a middleware nor a router around the API.
func (a *API) serves(w http.ResponseWriter, r *http.Request, routed *chi.Context) bool {
	escaped, method := r.URL.EscapedPath(), r.Method
	if len(escaped)+len(r.URL.RawQuery) > a.model.MaxURLBytes {
		problem.New(http.StatusRequestURITooLong,
			fmt.Sprintf("The path and the query must not have more than %d bytes.", a.model.MaxURLBytes)).Write(w, r)
		return true
	}
	path, suffix := a.path(r, escaped, routed)
	if routed != nil {
		method = cmp.Or(routed.RouteMethod, method)
	}
	found, _ := a.targets().Match(method, path)
	server, ok := found.handler.(*pipeline.Server)
	if ok {
		server.Serve(w, r, routed, path, suffix)
	}
	return ok
}

// path returns what a request is routed by. At operations that is the path as it was sent,
// percent-encoded, so that an identifier may hold an encoded slash; a format's suffix is cut
// off where they take it. For other routes it is what chi goes by, which a middleware may
// have set.
func (a *API) path(r *http.Request, escaped string, routed *chi.Context) (path, suffix string) {
	for i := range a.formats {
		suffix := a.formats[i].Suffix
		stem, ok := strings.CutSuffix(escaped, suffix)
		if ok && slices.Contains(a.suffixes[a.pattern(stem)], suffix) {
			if routed != nil {
				routed.RoutePath = stem
				routed.URLParams.Add(pipeline.FormatKey, suffix)
			}
			return stem, suffix
		}
	}
	if strings.IndexByte(escaped, '%') >= 0 { // else it is the same decoded
		if _, found := a.suffixes[a.pattern(escaped)]; found {
			if routed != nil {
				routed.RoutePath = escaped
			}
			return escaped, ""
		}
	}
	if routed != nil && routed.RoutePath != "" {
		return routed.RoutePath, ""
	}
	return cmp.Or(r.URL.RawPath, r.URL.Path, "/"), ""
}

// pattern returns the pattern of the operations at a path, whatever their methods; that of
// other routes, or "", where there are none.
func (a *API) pattern(path string) string {
	if found, ok := a.targets().Match(http.MethodOptions, path); ok {
		return found.pattern
	}
	return a.router.Find(chi.NewRouteContext(), http.MethodOptions, path)
}

// newTargets makes a tree of chi's routes, those of the user's own among them.
func (a *API) newTargets() *route.Tree[target] {
	tree := &route.Tree[target]{}
	for _, r := range a.router.Routes() {
		for method, handler := range r.Handlers {
			tree.Add(method, r.Pattern, target{r.Pattern, handler})
		}
		// chi has what is mounted here, too, and keeps it to itself.
		if within, ok := strings.CutSuffix(r.Pattern, "/*"); ok && within != "" {
			tree.Add("*", within, target{})
			tree.Add("*", within+"/", target{})
		}
	}
	return tree
}
