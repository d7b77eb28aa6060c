package pipeline

import (
	"cmp"
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
)

// FormatKey is the routing parameter that carries the format suffix of the path.
const FormatKey = "._format"

// routed is a request in whose context chi says how it is routed, as middleware, observers
// and functions of the user's may ask. All of it is one piece of memory: it is made for each
// request that one of them sees.
type routed struct {
	context.Context //nolint:containedctx // it is one

	request      http.Request
	route        chi.Context
	patterns     [1]string
	names, texts [2]string
}

// Value returns chi's context, or what the context around it has.
func (r *routed) Value(key any) any {
	if key == chi.RouteCtxKey {
		return &r.route
	}
	return r.Context.Value(key)
}

// Routed returns a copy of a request that routes will find the way of.
func Routed(r *http.Request, routes chi.Routes) *http.Request {
	made := &routed{Context: r.Context()}
	made.request = *r.WithContext(made)
	made.route.Routes = routes
	made.route.RoutePatterns = made.patterns[:0]
	made.route.URLParams = chi.RouteParams{Keys: made.names[:0], Values: made.texts[:0]}
	return &made.request
}

// announce says of a request that it leads to the operation, as chi does.
func (s *Server) announce(r *http.Request, route *chi.Context, path string) {
	route.RouteMethod = cmp.Or(route.RouteMethod, r.Method)
	route.RoutePatterns = append(route.RoutePatterns, s.op.Path())
	for _, name := range s.op.Template.Variables() {
		route.URLParams.Add(name, s.op.Template.Variable(path, name))
	}
	for i, name := range route.URLParams.Keys {
		r.SetPathValue(name, route.URLParams.Values[i])
	}
	r.Pattern = route.RoutePattern()
}
