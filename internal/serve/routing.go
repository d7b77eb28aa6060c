package serve

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/operation"
)

// seen is what user functions can ask of a request. They may keep it, so each request that they see has its own, and
// what it returns is made only when a function asks.
type seen struct {
	request operation.Request // which functions get

	op     *Operation
	path   string // percent-encoded, one of the operation's template
	suffix string
	guard  txn.Guard // of the request's transaction

	mu       sync.Mutex // functions may have goroutines
	received *http.Request
	shown    *http.Request // received, with path values and a routing; nil until a function asks
}

// Variables returns those of the template, percent-decoded, because functions compare them with values, not with
// paths. A rerun of the steps gets another map.
func (s *seen) Variables() map[string]string {
	template := s.op.Template
	if len(template.Variables()) == 0 {
		return nil
	}
	values := make(map[string]string, len(template.Variables()))
	for _, name := range template.Variables() {
		values[name] = variable(template, s.path, name)
	}
	return values
}

// HTTP returns the request, with path values, and with a routing for chi's functions.
func (s *seen) HTTP() *http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == nil {
		s.shown = s.received
		if RoutingOf(s.received) == nil {
			var routing *Routing
			s.shown, routing = WithRouting(s.received, nil)
			routing.protect(s)
			routing.found(s.shown, s.op, s.path, s.suffix)
		}
		s.op.setPathValues(s.shown, s.path)
	}
	return s.shown
}

// Value returns what a context of the request has: the guard of its transaction, and what chi says.
func (s *seen) Value(key any) any {
	switch key {
	case txn.Key{}:
		if s.op.Hooked && !s.op.Reads && s.received.Context().Value(key) == nil {
			return &s.guard
		}
	case chi.RouteCtxKey:
		return s.HTTP().Context().Value(key)
	}
	return nil
}

// formatKey is the routing parameter that carries the format suffix of the path.
const formatKey = "._format"

// Routing is how a request is routed, as chi's context says it to middleware, observers and user functions. Few of them
// ask, so chi's context is made only then.
type Routing struct {
	router *chi.Mux

	mu      sync.Mutex   // user functions may have goroutines
	context *chi.Context // nil until a function asks
	op      *Operation   // of the operation that the request is for; nil until it is found
	url     *url.URL     // of the request for which it was found
	guard   *txn.Guard   // of the transaction that hooks run in; nil for none
}

// routed is a request with its routing in its context, all in one allocation.
type routed struct {
	context.Context //nolint:containedctx // it is one

	request http.Request
	routing Routing
}

// routingKey is the key of the routing in the context of a request.
type routingKey struct{}

// Value returns the routing, what chi says of it, or what the parent context has.
func (r *routed) Value(key any) any {
	switch key {
	case chi.RouteCtxKey:
		return r.routing.Context()
	case routingKey{}:
		return &r.routing
	case txn.Key{}:
		r.routing.mu.Lock()
		defer r.routing.mu.Unlock()
		if r.routing.guard != nil {
			return r.routing.guard
		}
	}
	return r.Context.Value(key)
}

// WithRouting returns a copy of a request that has a routing.
func WithRouting(r *http.Request, router *chi.Mux) (*http.Request, *Routing) {
	made := &routed{Context: r.Context(), routing: Routing{router: router}}
	made.request = *r.WithContext(made)
	return &made.request, &made.routing
}

// RoutingOf returns the routing of a request: that of [WithRouting], else what a router around the API has begun; nil
// if no function can see the routing.
func RoutingOf(r *http.Request) *Routing {
	if routing, ok := r.Context().Value(routingKey{}).(*Routing); ok {
		return routing
	}
	if begun := chi.RouteContext(r.Context()); begun != nil {
		return &Routing{context: begun}
	}
	return nil
}

// protect makes the transaction of the request known to its context. Without a guard a hook that begins another
// transaction could wait for its own.
func (r *Routing) protect(s *seen) {
	if s.op.Hooked && !s.op.Reads {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.guard = &s.guard
	}
}

// Overrides returns the method and the path that middleware has set in chi's context, "" for none.
func (r *Routing) Overrides() (method, path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.context == nil {
		return "", ""
	}
	return r.context.RouteMethod, r.context.RoutePath
}

// Context returns what chi says of the routing.
func (r *Routing) Context() *chi.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.context == nil {
		r.begin()
		if r.op != nil {
			r.fill(r.op.Method, r.url.Path)
		}
	}
	return r.context
}

func (r *Routing) begin() {
	r.context = chi.NewRouteContext()
	r.context.Routes = r.router
}

// found notes the operation that a request is for, and does to the request what chi does. Path values cost as much as
// all other routing, so they are left out if only middleware sees the request, which has not requested them.
func (r *Routing) found(request *http.Request, o *Operation, path, suffix string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.op, r.url = o, request.URL
	request.Pattern = o.Path()
	// What the operation and the URL do not say is noted now, because few requests have it, and all of them would need
	// the memory for it.
	isAsked, isMoved := r.context != nil, path != request.URL.Path
	if !isAsked && (isMoved || request.Method != o.Method) {
		r.begin()
	}
	if isMoved { // else what is sent within the request would be routed by it, too
		SetPath(r.context, path, suffix)
	}
	if r.context != nil {
		r.fill(request.Method, path)
	}
	switch {
	case isAsked:
		request.Pattern = r.context.RoutePattern()
		for i, name := range r.context.URLParams.Keys {
			request.SetPathValue(name, r.context.URLParams.Values[i])
		}
	case len(o.API.Observers) > 0:
		o.setPathValues(request, path)
	}
}

// fill writes the operation into chi's context.
func (r *Routing) fill(method, path string) {
	r.context.RouteMethod = cmp.Or(r.context.RouteMethod, method)
	r.context.RoutePatterns = append(r.context.RoutePatterns, r.op.Path())
	for _, name := range r.op.Template.Variables() {
		r.context.URLParams.Add(name, r.op.Template.Variable(path, name))
	}
}

// setPathValues gives a request the variables of the operation's template, as chi does.
func (o *Operation) setPathValues(r *http.Request, path string) {
	for _, name := range o.Template.Variables() {
		r.SetPathValue(name, o.Template.Variable(path, name))
	}
}

// SuffixOf returns the format suffix that is cut off the path of a request, "" for none.
func SuffixOf(r *http.Request) string { return chi.URLParam(r, formatKey) }

// SetPath makes chi route by a path whose format suffix is cut off.
func SetPath(context *chi.Context, path, suffix string) {
	context.RoutePath = path
	if suffix != "" {
		context.URLParams.Add(formatKey, suffix)
	}
}
