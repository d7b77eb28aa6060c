package sqlstore

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Report has a listener called after each commit that changed records of the database through its stores: see
// [store.Reporter]. What statements change that a program runs itself ([Tx], [DB.Exec]) is not reported.
func (s *Store[T]) Report(listener *store.Listener) { s.db.Report(listener) }

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
	plan    *plan
	keys    []key
	before  map[any]any
	deleted bool
}

// affectedBy returns the record that is to be deleted, followed by all that are deleted with it and all that lose a
// reference. A record that loses one and is deleted too is in both: the deletion comes first, and counts.
func (t *transaction) affectedBy(ctx context.Context, p *plan, id key) ([]affected, error) {
	root := rowsOf{p, []key{id}}
	met := map[*plan]map[any]bool{p: {id.hashable(): true}}
	var deleted, changed []affected
	for todo := []rowsOf{root}; len(todo) > 0; {
		rows := todo[0]
		if todo = todo[1:]; len(rows.keys) > maxTogether {
			todo = append(todo, rowsOf{rows.plan, rows.keys[maxTogether:]})
			rows.keys = rows.keys[:maxTogether]
		}
		before, err := rows.plan.copies(ctx, t, rows.keys)
		if err != nil {
			return nil, err
		}
		deleted = append(deleted, affected{rows.plan, rows.keys, before, true})
		for _, other := range t.db.plans() {
			if other.err != nil {
				continue
			}
			with, losing, err := t.affectedIn(ctx, other, rows, met)
			if err != nil {
				return nil, err
			}
			if len(with.keys) > 0 {
				todo = append(todo, with)
			}
			if len(losing.keys) > 0 {
				changed = append(changed, losing)
			}
		}
	}
	return append(deleted, changed...), nil
}

// affectedIn returns the rows of a table that are deleted with others, and those that lose a reference to them.
func (t *transaction) affectedIn(ctx context.Context, other *plan, deleted rowsOf, met map[*plan]map[any]bool) (with rowsOf, losing affected, err error) {
	if with, err = t.deletedWith(ctx, other, deleted, met); err != nil {
		return with, losing, err
	}
	losing.plan = other
	if losing.keys, err = t.losing(ctx, other, deleted); err == nil && len(losing.keys) > 0 {
		losing.before, err = other.copies(ctx, t, losing.keys)
	}
	return with, losing, err
}

// losing returns the rows of a table that lose a reference when others are deleted: it becomes null, or leaves a list.
func (t *transaction) losing(ctx context.Context, other *plan, deleted rowsOf) (all []key, err error) {
	add := func(condition func(b *builder) string) {
		if err == nil {
			var found []key
			found, err = t.keys(ctx, other, condition)
			all = append(all, found...)
		}
	}
	for _, reference := range other.foreignKeys() {
		if reference.target == deleted.plan && reference.column.field.Reference.OnDelete == model.SetNull {
			add(func(b *builder) string { return anyOf(b, reference.column.whole(), deleted.keys) })
		}
	}
	for _, c := range other.lists {
		if other.target(c) == deleted.plan && c.list.onDelete(c) == model.Cascade {
			add(func(b *builder) string {
				return other.inList(c, anyOf(b, c.list.target.whole(), deleted.keys))
			})
		}
	}
	return all, err
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
