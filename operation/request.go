package operation

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/access"
)

// Request is what hooks and handlers know of the request they run in. It belongs to
// that request alone and is valid until the answer is sent.
type Request struct {
	// Kind is the kind of the operation.
	Kind Kind
	// Name is the operation's [Metadata.Name], "" where none is set.
	Name string
	// ExtraProperties are those of the operation with those of its resource, as they were
	// when the API was made; nil for none. All requests share them: they are only read.
	ExtraProperties map[string]any
	// Parameters are the operation's own parameters, a pointer to the struct that
	// [Parameters] declares, checked; nil where it declares none.
	Parameters any
	// Previous is the record before the change, a *T that must not be changed; nil
	// where a record is created or none is named.
	Previous any
	// Principal is who makes the request: the one that a scheme of the API has found out, else
	// the one given to [WithPrincipal]; nil if nobody said.
	Principal any
	// Scopes are what the credentials of the request grant, by the scheme that has found out the
	// principal: access.Unlimited for all, nil where no scheme has.
	Scopes access.Scopes
	// Origin is where the request comes from. Trove sets it; a test of a hook can set [From]. Nil has no variables and
	// no HTTP request.
	Origin Origin
	// ResponseHeader are fields of the header of the answer that functions set: see [ResponseHeader].
	ResponseHeader ResponseHeader
}

// Origin is the request as the protocol has it that received it. Its methods are safe for concurrent use.
type Origin interface {
	// Variables returns the variables of the URI template, percent-decoded, by name.
	Variables() map[string]string
	// HTTP returns the HTTP request, nil for another protocol.
	HTTP() *http.Request
}

// Variables returns the variables of the URI template, percent-decoded, by name; nil for none. The map is made by the
// first call of [Origin.Variables], so call it only if you need it.
func (r *Request) Variables() map[string]string {
	if r.Origin == nil {
		return nil
	}
	return r.Origin.Variables()
}

// HTTP returns the HTTP request, nil for a call that came by another protocol. Its body has been read already. Its
// context does not carry the transaction that a hook runs in: the context that the hook is given does. The first call
// copies the request to add its path values, so call it only if you need it.
func (r *Request) HTTP() *http.Request {
	if r.Origin == nil {
		return nil
	}
	return r.Origin.HTTP()
}

// From returns the origin of a request with that HTTP request, which may be nil, and those variables. It is for tests
// of hooks and handlers.
func From(r *http.Request, variables map[string]string) Origin { return &given{r, variables} }

// given is an origin that is known from the beginning.
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

// WithPrincipal returns a context that carries who makes the request, for rules of access and
// for hooks, which read it as [Request.Principal]. An authentication middleware in
// Config.Middleware calls it where a scheme of package access does not do. Answers that are kept for an Idempotency-Key belong to the
// principal: for these it is a string, an integer, or a type with a method String or
// MarshalText whose text is another one for each; with another type such a key is refused.
func WithPrincipal(ctx context.Context, principal any) context.Context {
	return context.WithValue(ctx, principalKey{}, principal)
}

// PrincipalFrom returns what [WithPrincipal] put into the context, or within an operation its
// [Request.Principal]; nil if nothing.
func PrincipalFrom(ctx context.Context) any {
	return ctx.Value(principalKey{})
}

// PrincipalAs returns what [PrincipalFrom] does where that is a P, the type of a scheme's principals, and whether it
// is. It is the zero P for nobody, and for a principal of another type.
func PrincipalAs[P any](ctx context.Context) (P, bool) {
	principal, ok := PrincipalFrom(ctx).(P)
	return principal, ok
}

// WithRequest returns a context that carries req, for tests of hooks and handlers.
// Trove calls it before each of them.
func WithRequest(ctx context.Context, req *Request) context.Context {
	return &requestContext{ctx, req}
}

// requestContext is a context that carries a request.
type requestContext struct {
	context.Context //nolint:containedctx // it is one

	request *Request
}

// Value returns the request, or what the context around it has.
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

// RequestFrom returns the request that a hook, a handler or a store runs in, and whether
// there is one: in every call of a store that an operation makes there is. Stores of
// store/memory, which do not ask, are told where the operation has a hook or a handler.
func RequestFrom(ctx context.Context) (*Request, bool) {
	req, ok := ctx.Value(requestKey{}).(*Request)
	return req, ok
}
