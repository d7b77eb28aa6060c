package pipeline

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/reentry"
)

// routed is a request that has not gone through chi, as functions of the user's see it,
// who may ask chi about it. It is the request's context, too.
type routed struct {
	context.Context //nolint:containedctx // it is one

	request   http.Request
	transacts bool
	guard     reentry.Guard
	pattern   string
	name      string // of the variable, "" for none
	value     string
}

// Value returns what chi says of the route, or what the context around it has. Few ask, so
// that it is only made then.
func (r *routed) Value(key any) any {
	switch {
	case r.transacts && reentry.IsAsked(key):
		return &r.guard
	case key != chi.RouteCtxKey:
		return r.Context.Value(key)
	}
	route := chi.NewRouteContext()
	route.RouteMethod, route.RoutePatterns = r.request.Method, []string{r.pattern}
	if r.name != "" {
		route.URLParams.Add(r.name, r.value)
	}
	return route
}

// routed returns the request with the last segment of its path as the variable, "" for
// none.
func (s *Server) routed(r *http.Request, segment string) *http.Request {
	made := &routed{Context: r.Context(), transacts: s.transacts(), pattern: s.op.Path(), value: segment}
	made.request = *r.WithContext(made)
	if segment != "" {
		made.name = s.op.Template.Variables()[0]
		made.request.SetPathValue(made.name, segment)
	}
	return &made.request
}
