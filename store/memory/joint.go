package memory

import (
	"context"
	"math/rand/v2"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Joinable is a store in memory, of any type of records: a [Store].
type Joinable interface {
	joins() *domain
	links() *links
	identifier() (model.Identifier, bool)
	fieldOf(name string) *model.Field
	column(name string) *column
	rowsOf() *table
	itself() any
	recordType() reflect.Type
	// staging returns what a transaction has changed in the store, nil for nothing.
	staging(whole *joint) *staged
	// unlink changes, in a transaction, the records that refer to one which it deletes.
	unlink(ctx context.Context, whole *joint, by *relation, key value, all *departure) error
}

// Together lets stores share transactions: a Transact of one with the context of a transaction
// of another joins in, and what both did is saved together, or not at all. What a store shared
// with others before it goes on to share. resource.New calls it for the stores of its
// resources; others call it before the stores are used. Nil is passed over.
func Together(stores ...Joinable) {
	var first *domain
	for _, s := range stores {
		if s == nil {
			continue
		}
		if d := s.joins(); d != nil && first != nil {
			first.merge(d)
		} else if d != nil {
			first = d
		}
	}
}

// joins returns the domain of a store, nil for one that holds nothing.
func (s *Store[T]) joins() *domain {
	if s == nil {
		return nil
	}
	return s.domain
}

// domain is what stores share whose transactions join. Stores that have come together later
// have domains of their own that were merged: the root of them counts.
type domain struct {
	merged atomic.Pointer[domain]
	rank   uint64 // the less one is merged into the greater, so that no circle is made
	// turn is held by the one transaction that may wait while it holds a record.
	turn chan struct{}
	// saving is held by a transaction that locks more than one table.
	saving    sync.Mutex
	listeners atomic.Pointer[[]*store.Listener]
}

func newDomain() *domain {
	return &domain{rank: rand.Uint64(), turn: make(chan struct{}, 1)} //nolint:gosec // keeps no secret
}

// root returns the domain that counts.
func (d *domain) root() *domain {
	for next := d.merged.Load(); next != nil; next = d.merged.Load() {
		d = next
	}
	return d
}

// merge makes one domain of two.
func (d *domain) merge(other *domain) {
	for {
		less, greater := d.root(), other.root()
		switch {
		case less == greater:
			return
		case less.rank > greater.rank:
			less, greater = greater, less
		}
		if less.merged.CompareAndSwap(nil, greater) {
			for _, listener := range loaded(&less.listeners) {
				greater.report(listener)
			}
			return
		}
	}
}

// report has a listener called for the transactions of a domain.
func (d *domain) report(listener *store.Listener) {
	for {
		root := d.root()
		add(&root.listeners, listener, func(known *store.Listener) bool { return known == listener })
		if root.merged.Load() == nil { // else it may have been merged without the listener
			return
		}
	}
}

// joint is a transaction over the stores of a domain: what its parts have in common.
type joint struct {
	domain  *domain
	failed  error // why nothing is saved, whatever the function returns
	patient bool  // may wait for a record while it holds others
	holds   bool  // has a record, or the key of an answer
	// contended says that it holds a record and needs one that another transaction
	// holds: it is to be run again.
	contended bool

	// What listeners are told once it is saved: the records that it has changed, in the order in which they were
	// changed. Without listeners nothing is noted.
	listeners []*store.Listener
	noted     []noted
	changes   store.Changes

	parts []part  // one for each store that takes part; the first is of the one where it began
	first [1]part // where parts are: most have no more
}

// part is the transaction of one store within a joint one: a [transaction].
type part interface {
	// save saves the part, all or nothing.
	save() error
	// open locks the table, and close unlocks it.
	open()
	close()
	// conflict returns why the part cannot be saved, and keep saves it. The table is locked.
	conflict() error
	keep()
	// release gives back all records.
	release()
	// note adds what has become of a record to the changes.
	note(changes *store.Changes, id any)
	// relations lists, as [links.concern] does, what must hold when the part is saved.
	relations(checks []referenceCheck) []referenceCheck
}

// noted is a record that a part has changed.
type noted struct {
	part part
	id   any
}

// jointKey finds the transaction of a domain in a context.
type jointKey struct{ domain *domain }

// scope is the context that the function of a transaction is handed.
type scope struct {
	context.Context //nolint:containedctx // it is one

	joint *joint
}

// Value returns the transaction, or what the context around it has.
func (s *scope) Value(key any) any {
	if k, ok := key.(jointKey); ok && k.domain == s.joint.domain {
		return s.joint
	}
	return s.Context.Value(key)
}

// save saves all parts, or none. Whoever reads sees nothing of it or everything, whichever
// tables he reads, for all of them are locked meanwhile. One transaction at a time locks several.
func (j *joint) save() error {
	for _, each := range j.noted { // before the parts forget
		each.part.note(&j.changes, each.id)
	}
	var checks []referenceCheck
	for _, p := range j.parts {
		checks = p.relations(checks)
	}
	if len(j.parts) == 1 && checks == nil {
		return j.parts[0].save()
	}
	j.domain.saving.Lock()
	defer j.domain.saving.Unlock()
	for _, p := range j.parts {
		p.open()
		defer p.close()
	}
	defer j.closeOthers(j.openOthers(checks))
	for _, p := range j.parts {
		if err := p.conflict(); err != nil {
			return err
		}
	}
	for i := range checks {
		if err := checks[i].run(j); err != nil {
			return err
		}
	}
	for _, p := range j.parts {
		p.keep()
	}
	return nil
}

// report calls the listeners of a transaction that has been saved and has given back all records.
func (j *joint) report(ctx context.Context) {
	changes := j.changes.All()
	for i := 0; i < len(j.listeners) && len(changes) > 0; i++ {
		j.listeners[i].Committed(ctx, changes)
	}
}

// end gives back all records, whether the transaction was saved or not.
func (j *joint) end() {
	j.failed = errEnded
	for _, p := range j.parts {
		p.release()
	}
}
