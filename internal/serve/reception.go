package serve

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// Client is the authenticated client of a request.
type Client struct {
	principal any // nil for an anonymous client, or for the principal that operation.WithPrincipal has set in the context
	scopes    access.Scopes
	secret    string // the secret of the credentials, which is removed from logs
}

// IsAnonymous reports whether neither the credentials nor the context have a principal.
func (c *Client) IsAnonymous(ctx context.Context) bool {
	return isNothing(c.principal) && isNothing(operation.PrincipalFrom(ctx))
}

// Gate returns the client as rules see it.
func (c *Client) Gate(ctx context.Context) *authz.Caller {
	caller := &authz.Caller{}
	if c.principal == nil {
		caller.Set(operation.PrincipalFrom(ctx), c.scopes)
	} else {
		caller.Set(c.principal, c.scopes)
	}
	return caller
}

// Reception authenticates requests that are not operations, and sends errors like operations do. Other protocols in front of
// operations use it, such as MCP. It is safe for concurrent use.
type Reception struct{ op *Operation }

// NewReception returns the reception of a path, which logs show.
func NewReception(api *compiled.API, path string) *Reception {
	return &Reception{guard(api, path, nil)}
}

// unrouted returns a call of the operation that routing has not found.
func (o *Operation) unrouted(w http.ResponseWriter, r *http.Request) *call {
	return &call{arrival: arrival{op: o}, w: w, r: r}
}

// LeadTo makes challenges lead to the metadata of a path, instead of that of the API. Call it before serving.
func (p *Reception) LeadTo(metadata *Metadata) { p.op.audience = metadata.path }

// Identify authenticates a request. It returns nil if it has sent an error response, because the credentials are invalid or
// cannot be checked.
func (p *Reception) Identify(w http.ResponseWriter, r *http.Request) *Client {
	c := p.op.unrouted(w, r)
	if !c.mayPass() {
		return nil
	}
	return &c.Client
}

// Challenge sends a 401 with challenges.
func (p *Reception) Challenge(w http.ResponseWriter, r *http.Request) {
	c := p.op.unrouted(w, r)
	c.sendError(c.unauthorized(problem.Unauthorized.Detail(), nil))
}

// Reject sends an error response, and logs failures.
func (p *Reception) Reject(w http.ResponseWriter, r *http.Request, err error) {
	c := p.op.unrouted(w, r)
	c.sendError(err)
}

// Fail logs a panic outside of an operation, and sends a 500 with the incident, unless w is nil.
func (p *Reception) Fail(w http.ResponseWriter, r *http.Request, client *Client, cause any) {
	c := p.op.unrouted(w, r)
	if client != nil {
		c.Client = *client
	}
	made := problem.New(problem.Internal.Status(), "")
	made.Incident = newIncident()
	c.logPanic(cause, made.Incident)
	if w != nil {
		c.sendProblem(made, nil)
	}
}

// Inner is the request of an operation within a request of another protocol, such as a tool call. Its client is authenticated,
// and its format is fixed.
type Inner struct {
	Client *Client
	Path   string           // percent-encoded, one of the operation's template
	Body   []byte           // JSON; nil for none
	Format *compiled.Format // of the response; errors are problems as JSON
}

// ServeInner serves an inner request like a request of its own, for hooks, observers and stored responses too. The method, URL
// and header of r must be those of the operation.
func (o *Operation) ServeInner(w http.ResponseWriter, r *http.Request, inner *Inner) {
	r.Pattern = o.Path()
	var routing *Routing
	if len(o.API.Observers) > 0 {
		r, routing = WithRouting(r, nil)
		routing.found(r, o, inner.Path, "")
	}
	arrival{op: o, routing: routing, path: inner.Path, inner: inner}.admit(w, r)
}

// takeClient sets the caller to the client of the outer request.
func takeClient(_ context.Context, c *call) error {
	c.Client = *c.inner.Client
	return nil
}

// takeBody sets the body. The limits of the operation apply, because the outer request may be larger.
func takeBody(_ context.Context, c *call) error {
	if limit := c.op.MaxBodyBytes; int64(len(c.inner.Body)) > limit {
		return c.tooLarge(limit)
	}
	c.body = c.inner.Body
	return checkExtent(c.body, c.op.API.MaxBodyDepth, c.op.API.MaxBodyValues)
}

// MayServe reports whether a client may call the operation, as far as rules decide without a record. Lists of tools leave out
// the others.
func (o *Operation) MayServe(ctx context.Context, client *Client) bool {
	c := &call{arrival: arrival{op: o}}
	if !o.Anonymous {
		c.Client = *client
	}
	return authorize(ctx, c) == nil && !c.isBlind()
}

// Guarded protects a handler that is not an operation, such as the documentation, by a rule. Errors are those of operations.
// Observers see no requests to it.
type Guarded struct {
	op   *Operation
	next http.Handler
}

// Guard returns a handler that checks a rule, which must need no record, before next.
func Guard(api *compiled.API, path string, rule *authz.Rule, next http.Handler) *Guarded {
	return &Guarded{guard(api, path, rule), next}
}

// guard returns a server for a path that is not an operation, which only checks a rule; nil for none. It has an operation for
// errors, logs and challenges.
func guard(api *compiled.API, path string, rule *authz.Rule) *Operation {
	template, err := uritemplate.Parse(path)
	if err != nil { // only logs use it
		template = &uritemplate.Template{}
	}
	op := &compiled.Operation{
		API: api, Resource: &compiled.Resource{}, Kind: operation.KindPost, Method: http.MethodGet, Status: http.StatusNoContent,
		ID: path, Template: template, Gate: &compiled.Gate{Act: rule, Create: rule}, Private: true,
		Cache: []string{"private, no-cache"},
	}
	return &Operation{
		Operation: op, audience: api.Prefix, schemes: schemesOf(api), vary: api.Vary, varyErrors: api.Vary,
	}
}

// ServeHTTP calls the handler if the rule allows it, with header fields that keep the response out of shared caches.
func (g *Guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := g.op.unrouted(w, r)
	if c.mayPass() {
		addField(w.Header(), "Vary", c.op.vary)
		w.Header()["Cache-Control"] = c.op.Cache
		g.next.ServeHTTP(w, r)
	}
}

// mayPass reports whether the request is allowed; else it has sent an error response. It also handles panics of schemes.
func (c *call) mayPass() (may bool) {
	defer func() {
		if cause := recover(); cause != nil {
			c.handlePanic(cause)
		}
	}()
	err := readCredentials(c.r.Context(), c)
	if err == nil {
		err = authorize(c.r.Context(), c)
	}
	if err != nil {
		c.sendError(err)
	}
	return err == nil
}
