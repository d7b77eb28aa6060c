package pipeline

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
)

// routed is the context of a request that has not gone through chi, for functions of the
// user's that ask chi about it. What they are told is only made then.
type routed struct {
	context.Context //nolint:containedctx // it is one

	method, pattern string
	name, value     string // of the variable, "" for none
}

// Value returns what chi says of the route, or what the context around it has.
func (c *routed) Value(key any) any {
	if key != chi.RouteCtxKey {
		return c.Context.Value(key)
	}
	route := chi.NewRouteContext()
	route.RouteMethod, route.RoutePatterns = c.method, []string{c.pattern}
	if c.name != "" {
		route.URLParams.Add(c.name, c.value)
	}
	return route
}

// routed returns the request as hooks see one that chi has routed.
func (s *Server) routed(r *http.Request, segment string) *http.Request {
	about := &routed{Context: r.Context(), method: r.Method, pattern: s.op.Path(), value: segment}
	if segment != "" {
		about.name = s.op.Template.Variables()[0]
	}
	return r.WithContext(about)
}
