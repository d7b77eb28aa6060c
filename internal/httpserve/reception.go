package httpserve

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// Client is who makes a request, as the credentials of it tell.
type Client struct {
	principal any // nil for nobody, or whom operation.WithPrincipal has named in the context
	scopes    access.Scopes
	secret    string // of the credentials, which no log has
}

// IsNobody reports whether nobody is known to make the request of a context.
func (c *Client) IsNobody(ctx context.Context) bool {
	return isNothing(c.principal) && isNothing(operation.PrincipalFrom(ctx))
}

// Reception finds out who makes requests that are no operations, and turns clients away as operations do. It is safe
// for use by many goroutines. Other protocols in front of operations use it, such as MCP, so that they know no schemes
// and no problems.
type Reception struct{ server *Server }

// NewReception makes the reception of a path, which logs call it by.
func NewReception(api *compiled.API, path string) *Reception {
	return &Reception{guard(api, path, nil)}
}

// Identify returns who makes a request. It is nil where the credentials are bad, or cannot be
// checked: the request has been answered then.
func (p *Reception) Identify(w http.ResponseWriter, r *http.Request) *Client {
	x := &exchange{Server: p.server, w: w, r: r}
	if !x.mayPass() {
		return nil
	}
	return &Client{x.call.Principal, x.call.Scopes, x.secret}
}

// Challenge answers a request of nobody, for whom there is nothing here: 401 with the ways to sign in.
func (p *Reception) Challenge(w http.ResponseWriter, r *http.Request) {
	x := &exchange{Server: p.server, w: w, r: r}
	x.sendError(x.unauthorized(failure.Unauthorized.Detail(), nil))
}

// Refuse answers a request with an error, which is logged where it is a fault.
func (p *Reception) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	x := &exchange{Server: p.server, w: w, r: r}
	x.sendError(err)
}

// Fail answers a panic outside of an operation, which is logged: 500, with the incident. A nil
// writer is of one that is answered otherwise.
func (p *Reception) Fail(w http.ResponseWriter, r *http.Request, client *Client, cause any) {
	x := &exchange{Server: p.server, w: w, r: r}
	if client != nil {
		x.secret = client.secret
	}
	refusal := problem.New(http.StatusInternalServerError, "")
	refusal.Incident = newIncident()
	x.logPanic(cause, refusal.Incident)
	if w != nil {
		x.sendProblem(refusal, nil)
	}
}

// Inner is a request of an operation that stands within a request of another protocol, such as
// the call of a tool. What HTTP would negotiate is settled, and who asks is known.
type Inner struct {
	Client *Client
	Path   string           // percent-encoded, one of the operation's template
	Body   []byte           // JSON; nil for none
	Format *compiled.Format // of the answer; refusals are problems as JSON
}

// ServeInner answers an inner request as if it had come by itself: hooks, observers and kept responses see the request,
// whose method, URL and header are to be those of the operation.
func (s *Server) ServeInner(w http.ResponseWriter, r *http.Request, inner *Inner) {
	r.Pattern = s.pattern
	var routing *Routing
	if len(s.op.API.Observers) > 0 {
		r, routing = WithRouting(r, nil)
		routing.found(r, s, inner.Path, "")
	}
	x := s.exchange(w, r, inner.Path, "")
	x.routing, x.inner, x.format = routing, inner, inner.Format
	x.handle()
}

// takeClient takes the caller from the request around this one, whose credentials have been read already.
func takeClient(_ context.Context, x *exchange) error {
	client := x.inner.Client
	x.call.Principal, x.call.Scopes, x.secret = client.principal, client.scopes, client.secret
	return nil
}

// takeBody takes the body, within the limits of those that are received.
// Limits hold for it like for any other: the request around it may be let be larger.
func takeBody(_ context.Context, x *exchange) error {
	if limit := x.op.MaxBodyBytes; int64(len(x.inner.Body)) > limit {
		return x.tooLarge(limit)
	}
	x.call.Body = x.inner.Body
	return checkExtent(x.call.Body, x.op.API.MaxBodyDepth, x.op.API.MaxBodyValues)
}

// MayServe reports whether a client could be answered by the operation, as far as rules of access can tell without a
// record. Lists of tools leave out what their reader cannot call.
func (s *Server) MayServe(ctx context.Context, client *Client) bool {
	call := execute.Call{Operation: s.op}
	if !s.op.Anonymous {
		call.Principal, call.Scopes = client.principal, client.scopes
	}
	return call.Authorize(ctx) == nil && !call.IsBlind()
}

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

// guard makes a server for a path that is no operation's, which only asks a rule. Nil is none. It is an operation like
// any other to what refuses, logs and challenges, so that a guarded page is refused in the same words.
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
	return &Server{
		op: &execute.Operation{Operation: op}, pattern: path, schemes: schemesOf(api), vary: api.Vary, varyErrors: api.Vary,
	}
}

// ServeHTTP hands on what may pass, with header fields that keep the answer out of shared caches.
func (g *Guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{Server: g.server, w: w, r: r}
	if x.mayPass() {
		addField(w.Header(), "Vary", x.vary)
		w.Header()["Cache-Control"] = x.op.Cache
		g.next.ServeHTTP(w, r)
	}
}

// mayPass reports whether the request may go on. It has been answered else. A function of a scheme may panic here too.
func (x *exchange) mayPass() (may bool) {
	defer func() {
		if cause := recover(); cause != nil {
			x.handlePanic(cause)
		}
	}()
	x.call.Operation = x.op
	err := readCredentials(x.r.Context(), x)
	if err == nil {
		err = x.call.Authorize(x.r.Context())
	}
	if err != nil {
		x.sendError(err)
	}
	return err == nil
}
