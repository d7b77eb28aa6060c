package txn

import (
	"context"
	"errors"
	"sync"
)

// errOpen is the error of a transaction that begins within its request's transaction without joining it.
var errOpen = errors.New("the request has an open transaction, and a second one would wait for it forever: " +
	"pass the context of the hook to Transact, not that of the HTTP request, so that it joins; " +
	"to save something separately, use another context and do not let the hook wait for it")

// Key is the context key of the guard.
type Key struct{}

// Guard knows the transaction of a request: the next one that calls [Enter]. A hook may begin a transaction with the
// context of the HTTP request instead of its own. That transaction would wait for locks of the request's transaction,
// which ends only after it. The context of a request carries a guard, so Enter rejects a second transaction of the same
// store. A store first checks whether the context carries its transaction, which the second one would join. Its zero value is ready to use; do not
// copy it. It is safe for concurrent use.
type Guard struct {
	mu    sync.Mutex
	owner any // of the request's open transaction; or nil, ended if there will be none
}

// ended is the owner after the request's last transaction. It replaces a field, which would cost the garbage collector
// more, because every request with a hook has a guard.
type ended struct{}

// End records that the request will have no more transactions.
func End(ctx context.Context) {
	if g, ok := ctx.Value(Key{}).(*Guard); ok {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.owner = ended{}
	}
}

// Enter records that a transaction begins, and returns the guard of the request, or nil. Owner is a pointer that
// identifies the store, of which a request can have one transaction at a time: if it has one, Enter returns an error. It
// does not track transactions of other owners within it. The caller must call Leave.
func Enter(ctx context.Context, owner any) (*Guard, error) {
	g, ok := ctx.Value(Key{}).(*Guard)
	if !ok {
		return nil, nil //nolint:nilnil // Leave does nothing then
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.owner == owner:
		return nil, errOpen
	case g.owner != nil:
		return nil, nil //nolint:nilnil // Leave does nothing then
	}
	g.owner = owner
	return g, nil
}

// Leave records that the transaction has ended. The guard may be nil.
func (g *Guard) Leave() {
	if g != nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.owner != (ended{}) {
			g.owner = nil
		}
	}
}
