package httpserve

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/reentry"
)

// formatKey is the routing parameter that carries the format suffix of the path.
const formatKey = "._format"

// Way is how a request is routed, as chi tells middleware, observers and functions of the
// user's. Few ask, so that chi's context is made only then. A nil one is of a request that
// nobody sees before it is routed.
type Way struct {
	router *chi.Mux

	mu      sync.Mutex   // functions of the user's may have goroutines
	context *chi.Context // nil until somebody asks
	server  *Server      // that it leads to; nil until that is known
	at      *url.URL     // that it leads from

	guard reentry.Guard  // of an operation whose hooks run in a transaction
	outer *reentry.Guard // in place of guard: that of the request which this one is a copy of; nil for none
}

// routed is a request with its way in its context, all in one piece of memory.
type routed struct {
	context.Context //nolint:containedctx // it is one

	request http.Request
	way     Way
}

// wayKey is where a context has the way of its request.
type wayKey struct{}

// Value returns the way, what chi says of it, or what the context around it has.
func (r *routed) Value(key any) any {
	switch {
	case key == chi.RouteCtxKey:
		return r.way.Context()
	case key == wayKey{}:
		return &r.way
	case reentry.IsAsked(key) && r.way.outer != nil:
		return r.way.outer
	case reentry.IsAsked(key) && r.way.isGuarded():
		return &r.way.guard
	}
	return r.Context.Value(key)
}

// WithWay returns a copy of a request that has a way, for a router to find.
func WithWay(r *http.Request, router *chi.Mux) (*http.Request, *Way) {
	// One allocation for the copy of the request, its context and the way, where a context of the standard
	// library for each would be three.
	made := &routed{Context: r.Context(), way: Way{router: router}}
	made.request = *r.WithContext(made)
	return &made.request, &made.way
}

// WayOf returns the way of a request: the one of [WithWay], else what a router around the
// API has begun.
func WayOf(r *http.Request) *Way {
	if way, ok := r.Context().Value(wayKey{}).(*Way); ok {
		return way
	}
	// The API stands in a router of the user's, which has begun a context that has to go on.
	if begun := chi.RouteContext(r.Context()); begun != nil {
		return &Way{context: begun}
	}
	return nil
}

// Said returns the method and the path that others have told chi to go by, "" for none.
func (y *Way) Said() (method, path string) {
	if y == nil {
		return "", ""
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.context == nil {
		return "", ""
	}
	return y.context.RouteMethod, y.context.RoutePath
}

// Context returns what chi says of the way.
func (y *Way) Context() *chi.Context {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.context == nil {
		y.begin()
		if y.server != nil {
			y.tell(y.server.op.Method, y.at.Path)
		}
	}
	return y.context
}

func (y *Way) begin() {
	y.context = chi.NewRouteContext()
	y.context.Routes = y.router
}

// isGuarded reports whether the way leads to an operation whose hooks run in a transaction.
// Without a guard a hook that begins another transaction could wait for its own.
func (y *Way) isGuarded() bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.server != nil && y.server.op.Transacts
}

// lead notes that the way of a request leads to an operation, and does to the request what
// chi does. Path values cost as much as all else that routing does, so they are left out
// where nobody sees the request but a middleware that does not ask for them.
func (y *Way) lead(r *http.Request, s *Server, path, suffix string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.server, y.at = s, r.URL
	r.Pattern = s.pattern
	// What the operation and the address do not tell is told at once, for few requests are such ones, and
	// all of them would need the room for it.
	isAsked, isMoved := y.context != nil, path != r.URL.Path
	if !isAsked && (isMoved || r.Method != s.op.Method) {
		y.begin()
	}
	if isMoved { // else what is sent within the request would be routed by it, too
		SetPath(y.context, path, suffix)
	}
	if y.context != nil {
		y.tell(r.Method, path)
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

// setPathValues gives a request the variables of the operation's template, as chi does.
func (s *Server) setPathValues(r *http.Request, path string) {
	for _, name := range s.op.Template.Variables() {
		r.SetPathValue(name, s.op.Template.Variable(path, name))
	}
}

// tell writes where the way leads into chi's context.
func (y *Way) tell(method, path string) {
	y.context.RouteMethod = cmp.Or(y.context.RouteMethod, method)
	y.context.RoutePatterns = append(y.context.RoutePatterns, y.server.pattern)
	for _, name := range y.server.op.Template.Variables() {
		y.context.URLParams.Add(name, y.server.op.Template.Variable(path, name))
	}
}

// SuffixOf returns the format suffix that is cut off the path of a request, "" for none.
func SuffixOf(r *http.Request) string { return chi.URLParam(r, formatKey) }

// SetPath makes chi go by a path whose format suffix is cut off.
func SetPath(context *chi.Context, path, suffix string) {
	context.RoutePath = path
	if suffix != "" {
		context.URLParams.Add(formatKey, suffix)
	}
}
