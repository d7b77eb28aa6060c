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
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
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
	a.router.NotFound(serve.Watched(a.model, noRoute, a.notFound))
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
	for _, r := range a.model.Resources {
		for _, op := range r.Operations {
			a.operation(op, paths)
			for _, suffix := range op.Suffixes() {
				if !slices.Contains(a.endings, suffix) {
					a.endings = append(a.endings, suffix)
				}
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
}

// options responds to OPTIONS with the methods and media types of the path (RFC 9110, section 9.3.7; RFC 5789, section
// 3.1).
func (p *target) options(api *API) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Allow", api.allow(r))
		suffix := serve.SuffixOf(r)
		for _, op := range p.operations {
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

func noRoute(*http.Request) string { return "" }

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
	if r.URL.Path == "/" && a.model.Home != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		if target = a.model.HomePath(); !a.hasIndex {
			target = a.docsFor(w, r)
		}
	}
	if target != "" {
		http.Redirect(w, r, target, http.StatusFound)
		return
	}
	problem.New(problem.NoPath.Status(), problem.NoPath.Detail()).Write(w, r)
}

// docsFor returns the path of the documentation for a browser, "" for other clients.
func (a *API) docsFor(w http.ResponseWriter, r *http.Request) string {
	w.Header().Add("Vary", "Accept")
	if best, _ := httpfield.Accept(r.Header["Accept"], []string{format.JSON, html}, nil); best == html {
		return a.model.Docs
	}
	return ""
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
