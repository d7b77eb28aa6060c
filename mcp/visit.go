package mcp

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/trove-api/trove/internal/guest"
)

// visit is one HTTP request with messages of an agent. The context of its messages has it.
type visit struct {
	*guest.Caller

	r         *http.Request
	challenge atomic.Pointer[guest.Response] // a refusal of somebody who is to sign in; nil for none
}

type visitKey struct{}

// visitOf returns the visit that a message came with, nil for none.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// challenges notes a refusal that the connection answers, and reports whether it is one.
func (v *visit) challenges(a *guest.Response) bool {
	if a.Status != http.StatusUnauthorized {
		return false
	}
	v.challenge.Store(a)
	return true
}
