package memory

import (
	"context"

	"github.com/trove-api/trove/store"
)

// Report has the listener called after each transaction that changes records of the store, or of a store that shares
// transactions with it. Records that were given to [New] are not reported.
func (s *Store) Report(listener *store.Listener) {
	if s != nil && s.domain != nil && listener != nil {
		s.domain.listen(listener)
	}
}

// listen has a listener called for the transactions of a domain.
func (d *domain) listen(listener *store.Listener) {
	for {
		root := d.root()
		add(&root.listeners, listener, func(known *store.Listener) bool { return known == listener })
		if root.merged.Load() == nil { // else it may have been merged without the listener
			return
		}
	}
}

// report collects what a transaction changes, for the listeners of its domain. Nil has no listeners.
type report struct {
	listeners []*store.Listener
	noted     []noted // in the order of the changes
	changes   store.Changes
}

// noted is a record that a part has changed.
type noted struct {
	part *Tx
	id   any
}

// report returns an empty report for a transaction, nil if nothing listens.
func (d *domain) report() *report {
	if listeners := loaded(&d.listeners); listeners != nil {
		return &report{listeners: listeners}
	}
	return nil
}

func (r *report) note(in *Tx, id any) {
	if r != nil {
		r.noted = append(r.noted, noted{in, id})
	}
}

// collect copies the noted records, before and after the transaction, because listeners may keep them.
func (r *report) collect() {
	if r == nil {
		return
	}
	for _, each := range r.noted {
		c, clone := each.part.staged.find(each.id), each.part.in.shape.clone
		made := store.Change{ID: each.id}
		if c.saved != nil {
			made.Before = clone(c.saved.record)
		}
		if c.now != nil {
			made.After = clone(c.now.record)
		}
		r.changes.Note(each.part.in, each.id, made)
	}
}

// send calls the listeners once the transaction has been saved, and has given back all records.
func (r *report) send(ctx context.Context) {
	if r == nil {
		return
	}
	changes := r.changes.All()
	for i := 0; i < len(r.listeners) && len(changes) > 0; i++ {
		r.listeners[i].Committed(ctx, changes)
	}
}
