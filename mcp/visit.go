package mcp

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/trove-api/trove/internal/httpserve"
)

// visit is one HTTP request with messages of an agent. The context of its messages has it.
type visit struct {
	reception *httpserve.Reception
	r         *http.Request
	client    *httpserve.Client

	challenge atomic.Pointer[answer] // a refusal of somebody who is to sign in; nil for none
}

type visitKey struct{}

// visitOf returns the visit that a message came with, nil for none.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// mayUse reports whether a tool is for the client. Rules ask functions of the user's: the tools
// of one that panics are for nobody.
func (v *visit) mayUse(t *tool) (may bool) {
	defer func() {
		if cause := recover(); cause != nil {
			v.reception.Fail(nil, v.r, v.client, cause)
			may = false
		}
	}()
	return t.server.MayServe(v.r.Context(), v.client)
}

// challenges notes a refusal that the connection answers, and reports whether it is one.
func (v *visit) challenges(a *answer) bool {
	if a.status != http.StatusUnauthorized {
		return false
	}
	v.challenge.Store(a)
	return true
}
