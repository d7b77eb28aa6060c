package httpserve

import (
	"context"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/operation"
)

// seen is what functions of the user's can ask of a request. They may keep it, so each request that they see has
// one of its own, and what it returns is made only when a function asks.
type seen struct {
	request operation.Request // that functions are handed

	server *Server
	path   string // percent-encoded, one of the operation's template
	suffix string
	guard  reentry.Guard // of the request's transaction

	mu       sync.Mutex // functions may have goroutines
	received *http.Request
	told     *http.Request // received, with path values and a way; nil until a function asks
}

// describe makes what functions and stores see of the request, in place of what an
// earlier run of the steps has left of it.
func (x *exchange) describe(ctx context.Context) {
	if x.call.Request == nil {
		o := &seen{server: x.Server, path: x.path, suffix: x.suffix, received: x.r}
		o.request.Origin = o
		x.call.Request = &o.request
	}
	x.call.Describe(ctx)
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

// HTTP returns the request, with path values, and with a way for chi's functions.
func (o *seen) HTTP() *http.Request {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.told == nil {
		var way *Way
		o.told = o.received
		if way = WayOf(o.received); way == nil {
			o.told, way = WithWay(o.received, nil)
			if o.server.op.Transacts {
				way.outer = &o.guard
			}
			way.lead(o.told, o.server, o.path, o.suffix)
		}
		o.server.setPathValues(o.told, o.path)
	}
	return o.told
}

// Value returns what a context of the request has: the guard of its transaction, and what chi says.
func (o *seen) Value(key any) any {
	switch {
	case reentry.IsAsked(key):
		if o.server.op.Transacts && !reentry.IsGuarded(o.received.Context()) {
			return &o.guard
		}
	case key == chi.RouteCtxKey:
		return o.HTTP().Context().Value(key)
	}
	return nil
}
