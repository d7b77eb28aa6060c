package sqlstore

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Report registers a listener for each commit that changes records of the database through its stores: see
// [store.Reporter]. Changes by statements of your own ([Tx], [DB.Exec]) are not reported.
func (s *table) Report(listener *store.Listener) { s.db.Report(listener) }

// Report registers a listener for each commit that changes records of the database, as [Store.Report] does.
func (db *DB) Report(listener *store.Listener) {
	if db == nil || listener == nil {
		return
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if !slices.Contains(db.listeners, listener) {
		db.listeners = append(slices.Clone(db.listeners), listener)
	}
}

// copyOf returns a copy of the current record with a key, nil if it does not exist.
func (t *transaction) copyOf(ctx context.Context, p *plan, id key) (any, error) {
	found, err := p.copies(ctx, t, []key{id})
	return found[id.hashable()], err
}

// lock locks a record that is about to change, unless the transaction has read it, or returns [store.ErrNotFound].
// Without the lock the change could wait for another transaction, and the record before the change would not be the one
// read for the report.
func (t *tx) lock(ctx context.Context, p *plan, id key) error {
	if !p.dialect.facts.RowLocks || len(t.read[id.hashable()]) > 0 {
		return nil
	}
	found, err := t.t.holds(ctx, p, id)
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return err
}

// note records a change; at least one of before and after is not nil.
func (t *transaction) note(p *plan, id, before, after any) {
	record := after
	if record == nil {
		record = before
	}
	t.changes.Note(p.name, id, store.Change{ID: p.key.Of(record), Before: before, After: after})
}

// noteWrite records an insert or update.
func (t *transaction) noteWrite(ctx context.Context, p *plan, id key, before any) error {
	after, err := t.copyOf(ctx, p, id)
	if err == nil {
		t.note(p, id.hashable(), before, after)
	}
	return err
}

// affected is a record that changes because another one is deleted, in its state before.
type affected struct {
	rowsOf

	before  map[any]any
	deleted bool
}

// affectedBy returns the record to delete, then all records that are deleted with it or lose a reference. A record may
// be in both groups: the delete comes first and takes precedence. All are locked, so that they stay as they are.
func (t *tx) affectedBy(ctx context.Context, d *deletion, id key) ([]affected, error) {
	if len(d.referrers) == 0 { // otherwise lockReferrers has locked the record
		if err := t.lock(ctx, d.of, id); err != nil {
			return nil, err
		}
	}
	var deleted, changed []affected
	add := func(to *[]affected, rows rowsOf, isDeleted bool) error {
		before, err := rows.plan.copies(ctx, t.t, rows.keys)
		*to = append(*to, affected{rows, before, isDeleted})
		return err
	}
	locks := d.partial && len(d.referrers) > 0 // otherwise lockReferrers has locked all records
	err := t.t.eachDeleted(ctx, d.of, id, locks, func(rows rowsOf) (more bool, err error) {
		if err := add(&deleted, rows, true); err != nil {
			return false, err
		}
		for _, other := range d.tables {
			losing, err := t.t.referring(ctx, other, rows, model.SetNull, locks)
			if err == nil && len(losing) > 0 {
				err = add(&changed, rowsOf{other, losing}, false)
			}
			if err != nil {
				return false, err
			}
		}
		return true, nil
	})
	return append(deleted, changed...), err
}

// noteDelete records the changes of the records that a delete affects.
func (t *transaction) noteDelete(ctx context.Context, all []affected) error {
	gone := map[*plan]map[any]bool{}
	for _, each := range all {
		var after map[any]any
		if !each.deleted {
			var err error
			if after, err = each.plan.copies(ctx, t, each.keys); err != nil {
				return err
			}
		}
		if gone[each.plan] == nil {
			gone[each.plan] = map[any]bool{}
		}
		for _, id := range each.keys {
			key := id.hashable()
			if each.before[key] != nil && !gone[each.plan][key] {
				t.note(each.plan, key, each.before[key], after[key])
			}
			gone[each.plan][key] = gone[each.plan][key] || each.deleted
		}
	}
	return nil
}
