package mcp

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/trove-api/trove/internal/invoke"
)

// visit is one HTTP request of an agent. The context of its message holds it.
type visit struct {
	*invoke.Caller

	r         *http.Request
	origin    string                          // scheme and host that clients see; "" for those of the request
	challenge atomic.Pointer[invoke.Response] // the 401 for a caller who needs to sign in; nil for none
}

type visitKey struct{}

// visitOf returns the visit of a message, nil for none.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// challenges stores a 401, which then ends the connection, and reports whether the response is one.
func (v *visit) challenges(a *invoke.Response) bool {
	if a.Status != http.StatusUnauthorized {
		return false
	}
	v.challenge.Store(a)
	return true
}
