package httpserve

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/internal/problem"
)

// arrival is a request of an operation as routing has found it.
type arrival struct {
	server       *Server
	passed       int // how many of the operation's middleware the request has passed
	routing      *Routing
	path, suffix string
	inner        *Inner // nil for a request over HTTP
}

// arrivalKey is the key of the arrival in the context of a request that is in a middleware of an operation.
type arrivalKey struct{}

// Around returns a middleware as a handler of requests of operations. All operations that have the handler share the
// middleware's state.
func Around(middleware func(http.Handler) http.Handler) http.Handler {
	return middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, ok := r.Context().Value(arrivalKey{}).(arrival)
		if !ok { // the middleware has replaced the context of the request
			problemOfKind(problem.Internal).Write(w, r)
			return
		}
		at.passed++
		at.admit(w, r)
	}))
}

// admit passes a request to the next middleware of its operation, and serves it after the last one.
func (a arrival) admit(w http.ResponseWriter, r *http.Request) {
	if around := a.server.op.Around; a.passed < len(around) {
		around[a.passed].ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), arrivalKey{}, a)))
		return
	}
	x := a.server.exchange(w, r, a.path, a.suffix)
	x.routing, x.inner = a.routing, a.inner
	if a.inner != nil {
		x.format = a.inner.Format
	}
	x.handle()
}
