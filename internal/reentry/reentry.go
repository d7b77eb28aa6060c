// Package reentry rejects a transaction that a hook begins next to that of its own
// request, with the request's context in place of the one that it was given. Such a
// transaction would wait for locks of the first one, which ends only after it.
//
// The context of a request carries a [Guard]. The store notes in it that the request's transaction is open, [Enter]; a
// second one of the same store is
// then rejected, unless its context carries the first one, which the store checks before it calls Enter.
package reentry

import (
	"context"
	"errors"
	"sync"
)

// ErrOpen is the error of a transaction that is begun next to the one of its request.
var ErrOpen = errors.New("a transaction of this request is open, and another one beside it would wait for it for ever: " +
	"use the context that the hook is given, not the one of the HTTP request, so that Transact joins in; " +
	"what is to be saved by itself gets a context of its own and does not hold up the hook")

// Key finds the guard in a context.
type Key struct{}

// Guard knows the transaction of a request: it takes the next one to [Enter] for it. Its
// zero value is ready, and is not copied. It is safe for concurrent use.
type Guard struct {
	mu    sync.Mutex
	owner any // of the transaction that the request is in; nil for none, ended if there will be none
}

// ended is the owner once the request's transaction is over: a field for that would cost the collector more, and every
// request of a hook has a guard.
type ended struct{}

// End notes that the request will have no more transactions.
func End(ctx context.Context) {
	if g, ok := ctx.Value(Key{}).(*Guard); ok {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.owner = ended{}
	}
}

// Entry is a transaction that is noted as the one of its request, or none.
type Entry struct{ of *Guard }

// Enter notes that a transaction begins, of an owner that can have one of a request at a
// time: a pointer. It returns [ErrOpen] if the request is in one of the same owner already.
// Transactions of other owners within it are not noted. The caller leaves in the end.
func Enter(ctx context.Context, owner any) (Entry, error) {
	g, ok := ctx.Value(Key{}).(*Guard)
	if !ok {
		return Entry{}, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.owner == owner:
		return Entry{}, ErrOpen
	case g.owner != nil:
		return Entry{}, nil
	}
	g.owner = owner
	return Entry{g}, nil
}

// Leave notes that the transaction has ended.
func (e Entry) Leave() {
	if e.of != nil {
		e.of.mu.Lock()
		defer e.of.mu.Unlock()
		if e.of.owner != (ended{}) {
			e.of.owner = nil
		}
	}
}
