package operation

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
)

// Request describes the request that a hook or handler runs in. It is valid until the response is sent and must not be
// shared with other requests.
type Request struct {
	// Kind is the kind of the operation.
	Kind Kind
	// Name is the operation's [Metadata.Name], "" if it has none.
	Name string
	// ExtraProperties are those of the resource and the operation, merged; nil for none. All requests share the map, so
	// do not change it.
	ExtraProperties map[string]any
	// Parameters are the additional parameters that [Parameters] declares, validated: a pointer to its struct, nil for
	// none.
	Parameters any
	// Previous is the record before the change, as a *T that must not be changed. It is nil if a record is created, or
	// if the path names none.
	Previous any
	// Principal is the caller, as a scheme or [WithPrincipal] has set it; nil for an anonymous caller.
	Principal any
	// Scopes are the scopes that the credentials grant: access.Unlimited for all, nil if no scheme identified the
	// caller.
	Scopes access.Scopes
	// Origin is where the request comes from. Trove sets it. Set it with [From] in a test of a hook. If it is nil, the
	// request has no variables and no HTTP request.
	Origin Origin
	// ResponseHeader holds the response header fields that hooks and handlers set. It is empty at first.
	ResponseHeader ResponseHeader
}

// Origin is the request of the protocol that received it. Its methods are safe for concurrent use.
type Origin interface {
	// Variables returns the variables of the URI template by name, percent-decoded.
	Variables() map[string]string
	// HTTP returns the HTTP request, nil for another protocol.
	HTTP() *http.Request
}

// Variables returns the variables of the URI template by name, percent-decoded; nil for none. The first call creates
// the map, so call it only if you need it.
func (r *Request) Variables() map[string]string {
	if r.Origin == nil {
		return nil
	}
	return r.Origin.Variables()
}

// HTTP returns the HTTP request, nil if the call came by another protocol. Its body has already been read. Its context
// does not carry the hook's transaction; the context that the hook gets does. The first call copies the request to add
// its path values, so call it only if you need it.
func (r *Request) HTTP() *http.Request {
	if r.Origin == nil {
		return nil
	}
	return r.Origin.HTTP()
}

// From returns an [Origin] with an HTTP request, which may be nil, and variables. It is for tests of hooks and
// handlers.
func From(r *http.Request, variables map[string]string) Origin { return &given{r, variables} }

// given is an origin whose values are known in advance.
type given struct {
	request   *http.Request
	variables map[string]string
}

func (g *given) Variables() map[string]string { return g.variables }
func (g *given) HTTP() *http.Request          { return g.request }

type (
	principalKey struct{}
	requestKey   struct{}
)

// WithPrincipal returns a context that carries the caller, for access rules and hooks, which read it as
// [Request.Principal]. Call it in an authentication middleware in Config.Middleware if no scheme of package access
// authenticates the request.
//
// Responses stored for an Idempotency-Key belong to the principal. It must then be a string, an integer, or a type
// whose method String or MarshalText returns a distinct text for each principal. Requests of another type with such a
// key are rejected.
func WithPrincipal(ctx context.Context, principal any) context.Context {
	return context.WithValue(ctx, principalKey{}, principal)
}

// PrincipalFrom returns the principal of [WithPrincipal], or within an operation [Request.Principal]; nil for none.
func PrincipalFrom(ctx context.Context) any {
	return ctx.Value(principalKey{})
}

// PrincipalAs returns the principal of [PrincipalFrom] as a P, the type of a scheme's principals. It returns false, and
// the zero P, for an anonymous caller and for a principal of another type.
func PrincipalAs[P any](ctx context.Context) (P, bool) {
	principal, ok := PrincipalFrom(ctx).(P)
	return principal, ok
}

// WithRequest returns a context that carries req, for tests of hooks and handlers. Trove calls it before each of them.
func WithRequest(ctx context.Context, req *Request) context.Context {
	return &requestContext{ctx, req}
}

// requestContext is a context that carries a request.
type requestContext struct {
	context.Context //nolint:containedctx // it is one

	request *Request
}

// Value returns the request or its principal, else the value of the parent context.
func (c *requestContext) Value(key any) any {
	switch key.(type) {
	case requestKey:
		return c.request
	case principalKey:
		if c.request != nil && c.request.Principal != nil {
			return c.request.Principal
		}
	}
	if c.request != nil {
		if valued, ok := c.request.Origin.(interface{ Value(key any) any }); ok {
			if value := valued.Value(key); value != nil {
				return value
			}
		}
	}
	return c.Context.Value(key)
}

// RequestFrom returns the request that a hook, a handler, a store call or the function of access.Basic runs in. It
// returns false outside of an operation. Stores of store/memory get it only if the operation has a hook or a
// handler, or the API keeps a history, because they do not use it.
func RequestFrom(ctx context.Context) (*Request, bool) {
	req, ok := ctx.Value(requestKey{}).(*Request)
	return req, ok
}

// ResponseHeader holds response header fields that hooks and handlers set, such as a cookie, by canonical name. The
// zero value is empty and ready to use:
//
//	req, _ := operation.RequestFrom(ctx)
//	req.ResponseHeader.Set("Location", "/api/users/1")
//	req.ResponseHeader.Add("Set-Cookie", cookie.String())
//
// The fields are sent only with successful responses. If the store reruns a transaction, only the fields of the last
// run are sent. A response stored for an Idempotency-Key includes them. A stream sends the fields that are set before
// its first record. Agents, which call by package mcp, do not get them.
//
// Some fields are reserved for Trove. They are all that begin with Content-, except Content-Disposition and
// Content-Security-Policy, and those of the connection. ETag, Last-Modified, Idempotent-Replayed, X-Total-Count,
// X-Total-More-Than, X-Total-Estimate, Deprecation, Sunset and X-Content-Type-Options are reserved too. Location is reserved if the operation creates a
// record, and Cache-Control if it reads; use [Metadata.CacheControl] there. Setting a reserved field, or a name or
// value that HTTP does not allow, is a 500, and nothing is saved.
type ResponseHeader http.Header

// Set sets a field and replaces the values that hooks or middleware set before. Set-Cookie, Link and Vary are added to
// those of middleware and of Trove instead.
func (h *ResponseHeader) Set(name, value string) {
	if *h == nil {
		*h = ResponseHeader{}
	}
	http.Header(*h).Set(name, value)
}

// Add adds another line to a field, such as a second Set-Cookie.
func (h *ResponseHeader) Add(name, value string) {
	if *h == nil {
		*h = ResponseHeader{}
	}
	http.Header(*h).Add(name, value)
}

// Error is an error response, sent as a problem (RFC 9457). Return it, or an error that wraps it, from a hook, a
// handler or a store.
type Error struct {
	// Status is the HTTP status, 400 to 599. Default, and for any other value: 500.
	Status int
	// Type is a URI that identifies the kind of problem. Default: "about:blank".
	Type string
	// Title is a short summary, the same for every problem of the kind. Default: the text of Status, such as "Payment
	// Required".
	Title string
	// Detail explains this occurrence to the client. It is not sent with a 5xx status.
	Detail string
	// RetryAfter is sent as the header field Retry-After, in whole seconds, rounded up. A 429 also has
	// X-RateLimit-Remaining and X-RateLimit-Reset, as those of middleware.Rate. Default: not sent.
	RetryAfter time.Duration
}

// Error returns the detail, else the title, else the text of the status.
func (e Error) Error() string {
	return cmp.Or(e.Detail, e.Title, http.StatusText(e.Status), "operation failed")
}
