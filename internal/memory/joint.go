package memory

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Join merges the domains of two stores that hold records: what they shared with others before goes on.
func (s *Store) Join(other model.Linker) {
	if with, ok := other.(*Store); ok && s.table != nil && with.table != nil {
		s.domain.merge(with.domain)
	}
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
				greater.listen(listener)
			}
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

	report *report // nil without listeners

	parts []*Tx  // one for each store that takes part; the first is of the one where it began
	first [1]*Tx // where parts are: most have no more
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
	j.report.collect() // before the parts forget
	var checks []referenceCheck
	for _, p := range j.parts {
		checks = p.in.linked.concern(checks, &p.staged)
	}
	if len(j.parts) == 1 && checks == nil {
		return j.parts[0].save()
	}
	j.domain.saving.Lock()
	defer j.domain.saving.Unlock()
	for _, p := range j.parts {
		p.in.table.mu.Lock()
		defer p.in.table.mu.Unlock()
	}
	defer j.closeOthers(j.openOthers(checks))
	for _, p := range j.parts {
		if err := p.in.table.conflict(&p.staged); err != nil {
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

// partOf returns the part of a store, nil if it has none.
func (j *joint) partOf(in *Store) *Tx {
	for _, p := range j.parts {
		if p.in == in {
			return p
		}
	}
	return nil
}

// staging returns what the transaction has changed in a store, nil if it has no part.
func (j *joint) staging(in *Store) *staged {
	if p := j.partOf(in); p != nil {
		return &p.staged
	}
	return nil
}

// join returns the part of a store, made now if it has none.
func (j *joint) join(in *Store) *Tx {
	found := j.partOf(in)
	if found == nil {
		found = &Tx{joint: j, in: in, staged: staged{columns: &in.shape.columns}}
		j.parts = append(j.parts, found)
	}
	return found
}

// end gives back all records, whether the transaction was saved or not.
func (j *joint) end() {
	j.failed = errEnded
	for _, p := range j.parts {
		if len(p.staged.changes) > 0 {
			p.in.table.release(&p.staged)
		}
	}
}
