// Package reentry finds the transaction that a hook begins beside the one of its own
// request, with the request's context in place of the one that it was handed. Such a
// transaction would wait for what the first one holds, which ends only after it.
//
// The context of a request carries a [Guard]. The store that the request is served
// from notes in it that its transaction is open, [Enter]; a second one of the same store is
// then refused, unless its context carries the first one, which the store sees before it
// asks here.
package reentry

import (
	"context"
	"errors"
	"sync"
)

// ErrOpen is the error of a transaction that is begun beside the one of its request.
var ErrOpen = errors.New("a transaction of this request is open, and another one beside it would wait for it for ever: " +
	"use the context that the hook is given, not the one of the HTTP request, so that Transact joins in; " +
	"what is to be saved by itself gets a context of its own and does not hold up the hook")

// key finds the guard in a context.
type key struct{}

// Guard knows the transaction of a request: it takes the next one to [Enter] for it. Its
// zero value is ready, and is not copied. It is safe for use by many goroutines.
type Guard struct {
	mu    sync.Mutex
	owner any // whose transaction the request is in, nil for none, ended for no more
}

// ended is the owner once the request's transaction is over: every request of a hook has a guard,
// and each byte of it costs the collector.
type ended struct{}

// IsAsked reports whether a context is asked for its guard, for contexts that have one.
func IsAsked(wanted any) bool {
	_, ok := wanted.(key)
	return ok
}

// IsGuarded reports whether a context has a guard.
func IsGuarded(ctx context.Context) bool { return ctx.Value(key{}) != nil }

// End says that the request's transaction has ended, for good.
func End(ctx context.Context) {
	if g, ok := ctx.Value(key{}).(*Guard); ok {
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
	g, ok := ctx.Value(key{}).(*Guard)
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
