package httpserve

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
)

// Inner is a request of an operation that stands within a request of another protocol, such as
// the call of a tool. What HTTP would negotiate is settled, and who asks is known.
type Inner struct {
	Client *Client
	Path   string           // percent-encoded, one of the operation's template
	Body   []byte           // JSON; nil for none
	Format *compiled.Format // of the answer; refusals are problems as JSON
}

// ServeInner answers an inner request as if it had come by itself: hooks, observers and kept
// answers see the request, whose method, URL and header are to be those of the operation.
func (s *Server) ServeInner(w http.ResponseWriter, r *http.Request, inner *Inner) {
	r.Pattern = s.op.Path()
	if len(s.op.API.Observers) > 0 {
		var way *Way
		r, way = WithWay(r, nil)
		way.lead(r, s, inner.Path, "")
	}
	s.handle(w, r, inner.Path, "", inner)
}

// takeClient takes who asks from the request around this one.
// Credentials are not read again: an agent's request has been answered for them already.
func takeClient(_ context.Context, x *exchange) error {
	if x.op.Anonymous {
		return nil
	}
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
	return checkExtent(x.call.Body, x.op.API.MaxBodyDepth, x.op.API.MaxBodyMembers)
}

// MayServe reports whether a client could be answered by the operation, as far as rules of access
// can tell without a record.
// Lists of tools leave out what their reader cannot call.
func (s *Server) MayServe(ctx context.Context, client *Client) bool {
	call := execute.Call{Operation: s.op}
	if !s.op.Anonymous {
		call.Principal, call.Scopes = client.principal, client.scopes
	}
	return call.Authorize(ctx) == nil && !call.IsBlind()
}
