package serve

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
)

// CallerField is the header field of requests that the page of the admin makes. It chooses a key, and the response has a
// tag of the caller, which the page compares.
const CallerField = "Admin-Caller"

// Witness has seen called for each request of the operation whose caller is known, before the response. Operations that
// ignore credentials know none. An operation without a witness has no step for it. Call it before serving.
func (o *Operation) Witness(seen func(w http.ResponseWriter, r *http.Request, client *Client)) {
	if o.Anonymous {
		return
	}
	at := 1 + slices.IndexFunc(o.receive, func(s step) bool { return s.name == "credentials" })
	o.receive = slices.Insert(o.receive, at, step{"witness", func(_ context.Context, c *call) error {
		seen(c.w, c.r, &c.Client)
		return nil
	}})
	if o.Private || !o.Reads { // no cache stores its responses for several callers
		return
	}
	vary := []string{CallerField}
	o.headers = append(o.headers, func(_ *call, header http.Header) {
		if header[CallerField] != nil {
			addField(header, "Vary", vary)
		}
	})
}

// Principal returns the principal of a request, nil for an anonymous one.
func (c *Client) Principal(ctx context.Context) any {
	if isNothing(c.principal) {
		return operation.PrincipalFrom(ctx)
	}
	return c.principal
}

// Scopes returns the scopes of the credentials.
func (c *Client) Scopes() access.Scopes { return c.scopes }

// Identity returns a string that differs between callers, and has nothing that they do not know: the text of the principal if
// by, which histories show, is that text, else the credentials.
func (c *Client) Identity(r *http.Request, by string) string {
	principal := c.Principal(r.Context())
	if by != "" {
		if text, _ := textOf(principal, reflect.ValueOf(principal)); text == by {
			return fmt.Sprintf("principal %T %s", principal, text)
		}
	}
	if c.secret == "" { // middleware has authenticated them
		return authorizes(r, "")
	}
	user, _, _ := r.BasicAuth()
	return fmt.Sprintf("secret %q %s", user, c.secret)
}
