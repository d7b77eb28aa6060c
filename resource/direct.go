package resource

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/pipeline"
)

// direct serves the plainest requests without the router, whose context and path values
// cost more than many an operation: those to a path that is a template, or one but for its
// last segment, where no middleware or observer sees the request. All others, such as those
// that no operation serves, are left to the router.
type direct struct {
	maxURL int
	whole  map[string]servers // by path
	items  map[string]servers // by all of the path but its last segment
}

// servers are what is served at a path, by method.
type servers map[string]*pipeline.Server

// newDirect returns nil where everything goes through the router. The routes are those
// that there are when the API first serves, the user's own among them.
func (a *API) newDirect() *direct {
	if a.hasMiddleware {
		return nil
	}
	d := &direct{maxURL: a.model.MaxURLBytes, whole: map[string]servers{}, items: map[string]servers{}}
	routes := newFork(a.router.Routes()) // a router within has a pattern that ends in *
	for _, resource := range a.model.Resources {
		for _, op := range resource.Operations {
			server, ok := op.Handle.(*pipeline.Server)
			if ok && !server.NeedsRouter() && routes.isAlone(op.Path()) {
				d.add(op.Method, op.Path(), server)
			}
		}
	}
	return d
}

// add notes an operation whose template is plain.
func (d *direct) add(method, pattern string, server *pipeline.Server) {
	at, where := d.whole, pattern
	if i := strings.LastIndexByte(pattern, '/'); strings.HasPrefix(pattern[i+1:], "{") {
		at, where = d.items, pattern[:i]
	}
	if !isPlain(strings.ReplaceAll(where, "/", "")) {
		return
	}
	if at[where] == nil {
		at[where] = servers{}
	}
	at[where][method] = server
}

// serves reports whether a request is plain, and has then been served.
func (d *direct) serves(w http.ResponseWriter, r *http.Request) bool {
	path := r.URL.Path
	if r.URL.RawPath != "" || len(path)+len(r.URL.RawQuery) > d.maxURL || chi.RouteContext(r.Context()) != nil {
		return false
	}
	at, segment := d.whole[path], ""
	if at == nil {
		i := strings.LastIndexByte(path, '/')
		if i < 0 || !isPlain(path[i+1:]) {
			return false
		}
		at, segment = d.items[path[:i]], path[i+1:]
	}
	server := at[r.Method]
	if server == nil {
		return false
	}
	server.ServeDirectly(w, r, segment)
	return true
}

// isPlain reports whether a text is not empty, needs no encoding in a path, and has no dot
// that could begin a suffix.
func isPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return text != ""
}
