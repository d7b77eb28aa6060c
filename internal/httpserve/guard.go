package httpserve

import (
	"net/http"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// Guarded lets through to a handler that is no operation, such as the documentation, whom a
// rule lets pass. Others are refused as operations refuse them, and observers are told of neither.
type Guarded struct {
	server *Server
	next   http.Handler
}

// Guard makes a handler at a path that asks a rule first. The rule needs no record.
func Guard(api *compiled.API, path string, rule *gate.Rule, next http.Handler) *Guarded {
	return &Guarded{guard(api, path, rule), next}
}

// guard makes a server for a path that is no operation's, which only asks a rule. Nil is none.
// It is an operation like any other to what refuses, logs and challenges, so that a guarded page is
// refused in the same words.
func guard(api *compiled.API, path string, rule *gate.Rule) *Server {
	template, err := uritemplate.Parse(path)
	if err != nil { // which only the log would show
		template = &uritemplate.Template{}
	}
	op := &compiled.Operation{
		API: api, Resource: &compiled.Resource{}, Facts: compiled.Facts{Kind: operation.KindPost}, Method: http.MethodGet, Status: http.StatusNoContent,
		ID: path, Template: template, Gate: &compiled.Gate{Act: rule, Create: rule}, Private: true,
		Limits: compiled.Limits{Cache: []string{"private, no-cache"}},
	}
	return &Server{op: &execute.Operation{Operation: op}}
}

// ServeHTTP hands on what may pass, with header fields that keep the answer out of shared caches.
func (g *Guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{Server: g.server, w: w, r: r}
	if x.mayPass() {
		x.setVary(w.Header(), false)
		w.Header()["Cache-Control"] = x.op.Cache
		g.next.ServeHTTP(w, r)
	}
}

// mayPass reports whether the request may go on. It has been answered else.
// A function of a scheme may panic here too.
func (x *exchange) mayPass() (may bool) {
	defer x.recoverPanic()
	x.call.Operation = x.op
	err := readCredentials(x.r.Context(), x)
	if err == nil {
		err = x.call.Authorize(x.r.Context())
	}
	if err != nil {
		x.refuse(err)
	}
	return err == nil
}
