package httpserve

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
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

// Reception finds out who makes requests that are no operations, and turns clients away as
// operations do. It is safe for use by many goroutines.
// Other protocols in front of operations use it, such as MCP, so that they know no schemes and no
// problems.
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

// Challenge answers a request of nobody, for whom there is nothing here: 401 with the ways to
// sign in.
func (p *Reception) Challenge(w http.ResponseWriter, r *http.Request) {
	x := &exchange{Server: p.server, w: w, r: r}
	x.refuse(x.unauthorized("Say who you are.", nil))
}

// Refuse answers a request with an error, which is logged where it is a fault.
func (p *Reception) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	x := &exchange{Server: p.server, w: w, r: r}
	x.refuse(err)
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
		x.refuseWith(refusal, nil)
	}
}
