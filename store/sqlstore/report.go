package sqlstore

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Report has a listener called after each commit that changed records of the database through its stores: see
// [store.Reporter]. What statements change that a program runs itself ([Tx], [DB.Exec]) is not reported.
func (s *table) Report(listener *store.Listener) { s.db.Report(listener) }

// Report has a listener called after each commit that changed records of the database, as [Store.Report] does.
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

// copyOf returns a copy of the record with a key as it is now, nil if there is none.
func (t *transaction) copyOf(ctx context.Context, p *plan, id key) (any, error) {
	found, err := p.copies(ctx, t, []key{id})
	return found[id.hashable()], err
}

// note notes a change of a record, of which at least one state is not nil.
func (t *transaction) note(p *plan, id, before, after any) {
	record := after
	if record == nil {
		record = before
	}
	t.changes.Note(p.name, id, store.Change{ID: p.key.Of(record), Before: before, After: after})
}

// noteWrite notes the insertion or the update of a record.
func (t *transaction) noteWrite(ctx context.Context, p *plan, id key, before any) error {
	after, err := t.copyOf(ctx, p, id)
	if err == nil {
		t.note(p, id.hashable(), before, after)
	}
	return err
}

// affected are records that change because another one is deleted, as they were before.
type affected struct {
	rowsOf

	before  map[any]any
	deleted bool
}

// affectedBy returns the record that is to be deleted, followed by all that are deleted with it and all that lose a
// reference. A record that loses one and is deleted too is in both: the deletion comes first, and counts.
func (t *transaction) affectedBy(ctx context.Context, p *plan, id key) ([]affected, error) {
	var deleted, changed []affected
	add := func(to *[]affected, rows rowsOf, isDeleted bool) error {
		before, err := rows.plan.copies(ctx, t, rows.keys)
		*to = append(*to, affected{rows, before, isDeleted})
		return err
	}
	err := t.eachDeleted(ctx, p, id, func(rows rowsOf) (more bool, err error) {
		if err := add(&deleted, rows, true); err != nil {
			return false, err
		}
		for _, other := range t.db.plans() {
			losing, err := t.referring(ctx, other, rows, model.SetNull)
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

// noteDelete notes what has come of records that a delete affects.
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
