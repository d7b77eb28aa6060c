package httpserve

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

	server *Server
	path   string // percent-encoded, one of the operation's template
	suffix string
	guard  txn.Guard // of the request's transaction

	mu       sync.Mutex // functions may have goroutines
	received *http.Request
	shown    *http.Request // received, with path values and a routing; nil until a function asks
}

// Variables returns those of the template, percent-decoded, because functions compare them with values, not with
// paths. A rerun of the steps gets another map.
func (o *seen) Variables() map[string]string {
	template := o.server.op.Template
	if len(template.Variables()) == 0 {
		return nil
	}
	values := make(map[string]string, len(template.Variables()))
	for _, name := range template.Variables() {
		values[name] = variable(template, o.path, name)
	}
	return values
}

// HTTP returns the request, with path values, and with a routing for chi's functions.
func (o *seen) HTTP() *http.Request {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shown == nil {
		o.shown = o.received
		if RoutingOf(o.received) == nil {
			var routing *Routing
			o.shown, routing = WithRouting(o.received, nil)
			routing.protect(o)
			routing.found(o.shown, o.server, o.path, o.suffix)
		}
		o.server.setPathValues(o.shown, o.path)
	}
	return o.shown
}

// Value returns what a context of the request has: the guard of its transaction, and what chi says.
func (o *seen) Value(key any) any {
	switch key {
	case txn.Key{}:
		if o.server.op.Hooked && !o.server.op.Reads && o.received.Context().Value(key) == nil {
			return &o.guard
		}
	case chi.RouteCtxKey:
		return o.HTTP().Context().Value(key)
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
	server  *Server      // of the operation that the request is for; nil until it is found
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
func (y *Routing) protect(o *seen) {
	if o.server.op.Hooked && !o.server.op.Reads {
		y.mu.Lock()
		defer y.mu.Unlock()
		y.guard = &o.guard
	}
}

// Overrides returns the method and the path that middleware has set in chi's context, "" for none.
func (y *Routing) Overrides() (method, path string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.context == nil {
		return "", ""
	}
	return y.context.RouteMethod, y.context.RoutePath
}

// Context returns what chi says of the routing.
func (y *Routing) Context() *chi.Context {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.context == nil {
		y.begin()
		if y.server != nil {
			y.fill(y.server.op.Method, y.url.Path)
		}
	}
	return y.context
}

func (y *Routing) begin() {
	y.context = chi.NewRouteContext()
	y.context.Routes = y.router
}

// found notes the operation that a request is for, and does to the request what chi does. Path values cost as much as
// all other routing, so they are left out if only middleware sees the request, which has not requested them.
func (y *Routing) found(r *http.Request, s *Server, path, suffix string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.server, y.url = s, r.URL
	r.Pattern = s.pattern
	// What the operation and the URL do not say is noted now, because few requests have it, and all of them would need
	// the memory for it.
	isAsked, isMoved := y.context != nil, path != r.URL.Path
	if !isAsked && (isMoved || r.Method != s.op.Method) {
		y.begin()
	}
	if isMoved { // else what is sent within the request would be routed by it, too
		SetPath(y.context, path, suffix)
	}
	if y.context != nil {
		y.fill(r.Method, path)
	}
	switch {
	case isAsked:
		r.Pattern = y.context.RoutePattern()
		for i, name := range y.context.URLParams.Keys {
			r.SetPathValue(name, y.context.URLParams.Values[i])
		}
	case len(s.op.API.Observers) > 0:
		s.setPathValues(r, path)
	}
}

// fill writes the operation into chi's context.
func (y *Routing) fill(method, path string) {
	y.context.RouteMethod = cmp.Or(y.context.RouteMethod, method)
	y.context.RoutePatterns = append(y.context.RoutePatterns, y.server.pattern)
	for _, name := range y.server.op.Template.Variables() {
		y.context.URLParams.Add(name, y.server.op.Template.Variable(path, name))
	}
}

// setPathValues gives a request the variables of the operation's template, as chi does.
func (s *Server) setPathValues(r *http.Request, path string) {
	for _, name := range s.op.Template.Variables() {
		r.SetPathValue(name, s.op.Template.Variable(path, name))
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
