package resource

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/serve"
)

// methods lists the methods in Allow headers, in their order there.
var methods = [...]string{
	http.MethodGet, http.MethodHead, serve.MethodQuery, http.MethodPost, http.MethodPut,
	http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// route is the last phase. It creates the server of every operation, registers it, and registers the handlers for all
// other paths.
func (a *API) route(middleware []func(http.Handler) http.Handler) {
	a.router.Use(a.capture)
	if a.model.Base != "" {
		a.hasMiddleware = true
		a.router.Use(a.rebase)
	}
	a.router.Use(middleware...)
	a.router.Use(a.operations)
	a.router.NotFound(serve.Watched(a.model, func(*http.Request) string { return "" }, a.notFound))
	a.router.MethodNotAllowed(serve.Watched(a.model, a.template, a.methodNotAllowed))
	paths := a.routeOperations()
	a.routeMetadata()
	index := a.model.HomePath()
	below := a.model.Own(index) != "/"
	if paths[index] != nil {
		return
	}
	a.hasIndex = true
	a.routeIndex(index, "")
	for _, f := range a.model.Formats {
		has := f.Index != nil || f.MediaType == format.JSON
		if path := index + f.Suffix; has && f.Suffix != "" && below && paths[path] == nil {
			a.routeIndex(path, f.MediaType)
		}
	}
}

// routeMetadata registers the metadata of the API as a protected resource, and that of the whole program, which clients try
// next (RFC 9728, section 3.1).
func (a *API) routeMetadata() {
	whole := serve.NewMetadata(a.model, a.model.Base)
	if whole == nil {
		return
	}
	served := map[string]*serve.Metadata{serve.WellKnownResource: whole, whole.Path(): whole}
	own := serve.NewMetadata(a.model, a.model.Prefix)
	served[own.Path()] = own
	for path, metadata := range served {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			a.router.Method(method, path, metadata)
		}
	}
}

// routeIndex registers the list of collections at a path. The media type is that of the path's suffix, "" to use
// Accept.
func (a *API) routeIndex(path, mediaType string) {
	reception := serve.NewReception(a.model, path)
	serve := func(w http.ResponseWriter, r *http.Request) { a.index(w, r, reception, mediaType) }
	path = a.model.Own(path)
	a.router.Get(path, serve)
	a.router.Head(path, serve)
	a.router.Options(path, (&target{}).options(a))
}

// routeOperations registers the operations and returns what is at each path.
func (a *API) routeOperations() map[string]*target {
	paths := make(map[string]*target, 2*len(a.model.Resources))
	a.suffixes = make(map[string][]string, 2*len(a.model.Resources))
	for op := range a.model.Operations() {
		a.operation(op, paths)
		for _, suffix := range op.Suffixes() {
			if !slices.Contains(a.endings, suffix) {
				a.endings = append(a.endings, suffix)
			}
		}
	}
	slices.SortFunc(a.endings, func(x, y string) int { return cmp.Or(len(y)-len(x), cmp.Compare(x, y)) })
	return paths
}

// target is a template with all operations at it.
type target struct {
	operations []*compiled.Operation
}

func (a *API) operation(op *compiled.Operation, paths map[string]*target) {
	pattern, own := op.Path(), a.model.Own(op.Path())
	p, known := paths[pattern]
	if !known {
		p = &target{}
		paths[pattern] = p
		a.router.Options(own, p.options(a))
	}
	p.operations = append(p.operations, op)
	a.suffixes[pattern] = append(a.suffixes[pattern], op.Suffixes()...)
	a.router.Method(op.Method, own, op.Server)
	if op.Method == http.MethodGet {
		a.router.Method(http.MethodHead, own, op.Server)
	}
	if op.Query != nil {
		a.router.Method(serve.MethodQuery, own, op.Query)
	}
}

// options responds to OPTIONS with the methods and media types of the path (RFC 9110, section 9.3.7; RFC 5789, section
// 3.1).
func (p *target) options(api *API) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Allow", api.allow(r))
		suffix := serve.SuffixOf(r)
		for _, op := range p.operations {
			if op.Queries && (suffix == "" || slices.Contains(op.Suffixes(), suffix)) {
				header.Set("Accept-Query", format.JSON)
			}
			switch types := strings.Join(op.MediaTypes, ", "); {
			case types == "", suffix != "" && !slices.Contains(op.Suffixes(), suffix):
			case op.Method == http.MethodPost:
				header.Set("Accept-Post", types)
			case op.Method == http.MethodPatch:
				header.Set("Accept-Patch", types)
			}
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// allow lists the methods at the path of a request, "" for none. It leaves out operations that do not accept the path's
// suffix. The end of a path can be a suffix for one method, and a part of the template for another.
func (a *API) allow(r *http.Request) string {
	whole := cmp.Or(chi.RouteContext(r.Context()).RoutePath, r.URL.RawPath, r.URL.Path) + serve.SuffixOf(r)
	var allowed []string
	for _, method := range methods {
		path, suffix, _ := a.path(method, whole)
		if !a.router.Match(chi.NewRouteContext(), method, path) {
			continue
		}
		if found, _ := a.routes().match(method, a.model.Whole(path)); found != nil {
			if server, ok := found.handler.(*serve.Operation); ok && !server.TakesSuffix(suffix) {
				continue
			}
		}
		allowed = append(allowed, method)
	}
	return strings.Join(allowed, ", ")
}

// template returns the template at the path of a request.
func (a *API) template(r *http.Request) string {
	own := a.router.Find(chi.NewRouteContext(), http.MethodOptions, cmp.Or(chi.RouteContext(r.Context()).RoutePath, r.URL.Path))
	if pattern := a.model.Whole(own); own != "" {
		if _, ours := a.suffixes[pattern]; ours {
			return pattern
		}
	}
	return own
}

// notFound responds to a path without a route. It redirects a GET of the root to the list of collections, where browsers
// see the home page. If an operation is there instead, it redirects browsers to the documentation. It does neither if no
// documentation is mounted, because the program may not want to be found at its root.
func (a *API) notFound(w http.ResponseWriter, r *http.Request) {
	target := ""
	switch isRoot := r.URL.Path == "/" && a.model.Home != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead); {
	case isRoot && a.hasIndex:
		target = a.model.HomePath()
	case isRoot:
		w.Header().Add("Vary", "Accept")
		if best, _ := httpfield.Accept(r.Header["Accept"], []string{format.JSON, html}, nil); best == html {
			target = a.model.Docs
		}
	}
	if target != "" {
		http.Redirect(w, r, target, http.StatusFound)
		return
	}
	problem.New(problem.NoPath.Status(), problem.NoPath.Detail()).Write(w, r)
}

// methodNotAllowed responds to a method that the path does not have, with those it has (RFC 9110, section 15.5.6).
func (a *API) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	allowed := a.allow(r)
	if allowed == "" {
		a.notFound(w, r)
		return
	}
	response := problem.New(problem.NoMethod.Status(), problem.NoMethod.Detail(allowed))
	response.Header = []string{"Allow", allowed}
	response.Write(w, r)
}

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

// treeRoute is what serves a pattern for a method. The method * means all others.
type treeRoute struct {
	method, pattern string
	handler         http.Handler // nil if only the router knows
}

// routeTree finds the route at a path without a request. It reads chi's patterns and follows chi's rules of precedence. The
// zero value is empty. It is safe for concurrent use once all routes are added.
type routeTree struct {
	here     []treeRoute           // paths that end here
	literals map[string]*routeTree // by the next segment
	unclear  bool                  // some patterns have a next segment that only chi can read
	variable *routeTree            // matches any segment
	rest     []treeRoute           // matches all remaining segments
}

// add adds a route. Where a pattern has a syntax other than that of URI templates or a trailing /*, such as a regular
// expression, match leaves the decision to chi.
func (t *routeTree) add(route treeRoute) {
	for segment := range strings.SplitSeq(strings.TrimPrefix(route.pattern, "/"), "/") {
		name, isVariable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		switch {
		case segment == "*":
			t.rest = append(t.rest, route)
			return
		case !strings.ContainsAny(segment, "{*"):
			if t.literals[segment] == nil {
				if t.literals == nil {
					t.literals = map[string]*routeTree{}
				}
				t.literals[segment] = &routeTree{}
			}
			t = t.literals[segment]
		case isVariable && len(segment) == len("{}")+len(name) && !strings.ContainsAny(name, "{}:*"):
			if t.variable == nil {
				t.variable = &routeTree{}
			}
			t = t.variable
		default:
			t.unclear = true
			return
		}
	}
	t.here = append(t.here, route)
}

// match returns the route at a path for a method, and whether the result is final. The route is nil if nothing is at
// the path, or if only chi knows. The path should be percent-encoded, because it is cut into segments as it is.
func (t *routeTree) match(method, path string) (found *treeRoute, settled bool) {
	if path == "" {
		found = at(t.here, method)
		return found, found != nil
	}
	if path[0] != '/' {
		return nil, false
	}
	segment, rest := path[1:], ""
	if i := strings.IndexByte(segment, '/'); i >= 0 {
		segment, rest = segment[:i], segment[i:]
	}
	if next := t.literals[segment]; next != nil {
		if found, settled = next.match(method, rest); settled {
			return found, true
		}
	}
	if t.unclear {
		return nil, true
	}
	if t.variable != nil && (segment != "" || rest != "") { // a variable matches an empty segment except at the end
		if found, settled = t.variable.match(method, rest); settled {
			return found, true
		}
	}
	found = at(t.rest, method)
	return found, found != nil
}

// at returns the route for a method, nil for none.
func at(routes []treeRoute, method string) (other *treeRoute) {
	for i := range routes {
		switch routes[i].method {
		case method:
			return &routes[i]
		case "*":
			other = &routes[i]
		}
	}
	return other
}
