package sqlstore

import (
	"context"
	"reflect"
	"slices"

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
	found, err := p.byKey(ctx, t, []key{id}, false)
	return found[id.hashable()], err
}

// note records a change; at least one of before and after is not nil.
func (t *transaction) note(p *plan, id, before, after any) {
	change := store.Change{Before: before, After: after}
	change.ID = p.key.Of(change.Record())
	t.changes.Note(p.name, id, change)
}

// noteWrite records an insert or update.
func (t *transaction) noteWrite(ctx context.Context, p *plan, id key, before any) error {
	after, err := t.copyOf(ctx, p, id)
	if err == nil {
		t.note(p, id.hashable(), before, after)
	}
	return err
}

// noteDelete records the changes of the records that a delete has affected. A record that would lose a reference may be
// deleted too; it no longer exists.
func (t *transaction) noteDelete(ctx context.Context, all []affected) error {
	for _, each := range all {
		if !t.changes.has(each.plan) {
			continue
		}
		isGone := each.deleted && !each.trashed
		var after map[any]any
		if !isGone {
			var err error
			if after, err = each.plan.byKey(ctx, t, each.keys, false); err != nil {
				return err
			}
		}
		for _, id := range each.keys {
			key := id.hashable()
			if each.before[key] != nil && (isGone || after[key] != nil) {
				t.note(each.plan, key, each.before[key], after[key])
			}
		}
	}
	return nil
}

// seen returns the changes as listeners see them.
func (db *DB) seen(changes *noted) []store.Change {
	if !db.hasTrash.Load() {
		return changes.All()
	}
	var seen []store.Change
	for table, change := range changes.Each() {
		isSeen := true
		for _, p := range db.plans() {
			if p.name == table && p.typ == reflect.TypeOf(change.Record()).Elem() {
				change, isSeen = p.record.Seen(change)
				break
			}
		}
		if isSeen {
			seen = append(seen, change)
		}
	}
	return seen
}
