package memory

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// domain is shared by stores whose transactions join: those of one API.
type domain struct {
	rank  uint64                // of two domains to merge, the turn of the lower one is taken first
	turn  chan struct{}         // held by the one transaction that may write
	state atomic.Pointer[state] // what is saved

	deleted time.Time // of the last deletion to the trash; guarded by the turn
}

// state is what the stores of a domain have saved. It never changes: a transaction saves another one.
type state struct {
	version   uint64 // one more than that of the state before
	tables    []*table
	relations []*relation
	listeners []*store.Listener
}

// table returns the table of a store.
func (s *state) table(of *Store) *table { return s.tables[s.index(of)] }

func (s *state) index(of *Store) int {
	return slices.IndexFunc(s.tables, func(t *table) bool { return t.store == of })
}

// Join merges the domains of two stores with records, and with them all stores that already share these. It waits for
// their transactions.
func (s *Store) Join(other model.Linker) {
	with, ok := other.(*Store)
	if !ok || s.domain.Load() == nil || with.domain.Load() == nil {
		return
	}
	for {
		first, second := s.domain.Load(), with.domain.Load()
		if first == second {
			return
		}
		if first.rank > second.rank {
			first, second = second, first
		}
		first.turn <- struct{}{}
		second.turn <- struct{}{}
		if !first.isMerged() && !second.isMerged() {
			first.merge(second)
		}
		<-second.turn
		<-first.turn
	}
}

// isMerged reports whether the stores have another domain now. The caller must hold the turn.
func (d *domain) isMerged() bool { return d.state.Load().tables[0].store.domain.Load() != d }

// merge adds the stores of another domain. The caller must hold both turns.
func (d *domain) merge(other *domain) {
	merged, added := *d.state.Load(), other.state.Load()
	merged.tables = slices.Concat(merged.tables, added.tables)
	merged.version = max(merged.version, added.version)
	merged.relations = slices.Concat(merged.relations, added.relations)
	for _, listener := range added.listeners {
		merged.listen(listener)
	}
	d.state.Store(&merged)
	if d.deleted.Before(other.deleted) {
		d.deleted = other.deleted
	}
	for _, t := range added.tables {
		t.store.domain.Store(d)
	}
}

// Report registers a listener for each transaction that changes records of the store, or of a store that shares
// transactions with it. Records passed to [New] are not reported.
func (s *Store) Report(listener *store.Listener) {
	if s != nil && s.domain.Load() != nil && listener != nil {
		s.change(func(saved *state) { saved.listen(listener) })
	}
}

func (s *state) listen(listener *store.Listener) {
	if !slices.Contains(s.listeners, listener) {
		s.listeners = append(slices.Clip(s.listeners), listener)
	}
}

// change changes the state of the store's domain when no transaction writes.
func (s *Store) change(change func(*state)) {
	d, _ := s.take(context.Background(), 0) // without a limit it cannot fail
	defer d.release()
	changed := *d.state.Load()
	change(&changed)
	d.state.Store(&changed)
}

// take waits for the turn of the store's domain.
func (s *Store) take(ctx context.Context, limit time.Duration) (*domain, error) {
	for {
		d := s.domain.Load()
		if err := txn.Take(ctx, d.turn, limit); err != nil {
			return nil, err
		}
		if !d.isMerged() {
			return d, nil
		}
		d.release()
	}
}

func (d *domain) release() { <-d.turn }

// transactionKey is the context key of the transaction of a domain.
type transactionKey struct{ domain *domain }

// in returns the transaction that a context carries, or nil.
func (d *domain) in(ctx context.Context) *transaction {
	t, _ := ctx.Value(transactionKey{d}).(*transaction)
	return t
}

// seen returns the state that a reader sees: that of the context's transaction, or the saved one.
func (d *domain) seen(ctx context.Context) *state {
	if t := d.in(ctx); t != nil {
		if s := t.state.Load(); s != nil {
			return s
		}
	}
	return d.state.Load()
}
