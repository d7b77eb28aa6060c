package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// living writes that a row is living and matches a condition, "" for none.
func (p *plan) living(condition string) string {
	switch {
	case p.deleted == nil:
		return condition
	case condition == "" || condition == always:
		return p.deleted.quoted + " IS NULL"
	}
	return and(condition, p.deleted.quoted+" IS NULL")
}

// trash moves a record to the trash, and with it those that the trash takes along.
func (t *tx) trash(ctx context.Context, p *plan, id key) error {
	all, err := t.onDelete(ctx, p, id, true)
	if err != nil {
		return err
	}
	if found, err := t.t.db.first(ctx, t.t, p.statements.get, id); err != nil || !found {
		return cmp.Or(err, store.ErrNotFound)
	}
	db := t.t.db
	db.mu.Lock()
	at := model.NextDeletion(db.deleted) // no other one has this time
	db.deleted = at
	db.mu.Unlock()
	for _, each := range all {
		if err := t.t.setDeleted(ctx, each.plan, each.keys, at); err != nil {
			return err
		}
	}
	delete(t.read, id.hashable())
	return t.t.noteDelete(ctx, all)
}

// setDeleted sets when records were deleted, and stamps them; the zero time makes them living.
func (t *transaction) setDeleted(ctx context.Context, p *plan, keys []key, at time.Time) error {
	b, record := new(builder), reflect.New(p.typ).Elem()
	p.record.SetDeleted(record, at)
	value, err := p.deleted.valueIn(record)
	if err != nil {
		return err
	}
	t.wrote = true
	return t.stamp(ctx, b, p, keys, p.deleted.quoted+" = "+p.deleted.written(b.value(value)))
}

// Purge deletes a record in the trash, with what its references entail.
func (t *tx) Purge(ctx context.Context, id any) error {
	p := t.store.plan()
	if p.deleted == nil {
		return store.ErrNotFound
	}
	page, err := p.list(ctx, t.t.locking(p, txn.Exclusive), p.record.ByID(id, store.OnlyDeleted))
	switch {
	case err != nil:
		return err
	case page.Items.Len()+len(page.Broken) == 0:
		return store.ErrNotFound
	}
	own, err := p.keyFor(id)
	if err != nil {
		return err
	}
	return t.remove(ctx, p, own)
}

// Restore makes a record in the trash living again, with those that its deletion took along.
func (t *tx) Restore(ctx context.Context, id any) (err error) {
	p := t.store.plan()
	if p.deleted == nil {
		return store.ErrNotFound
	}
	var done []restored
	for left := []restoring{{p, p.record.ByID(id, store.OnlyDeleted)}}; len(left) > 0; left = left[1:] {
		var along []restoring
		if done, along, err = t.t.restore(ctx, left[0], done); err != nil {
			return err
		}
		left = append(left, along...)
	}
	if done == nil {
		return store.ErrNotFound
	}
	for _, each := range done {
		id, err := each.plan.keyOf(each.record)
		if err == nil {
			err = t.t.checkLiving(ctx, each.plan, each.record, nil, true)
		}
		if err == nil && t.t.changes.has(each.plan) {
			err = t.t.noteWrite(ctx, each.plan, id, each.before)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// restore makes records living, and adds them to those that are. It also returns those that went to the trash with them.
func (t *transaction) restore(ctx context.Context, what restoring, done []restored) (_ []restored, along []restoring, err error) {
	p := what.plan
	page, err := p.list(ctx, t.locking(p, txn.Exclusive), what.query)
	if err = errors.Join(append(page.Broken, err)...); err != nil || page.Items.Len() == 0 {
		return done, nil, err
	}
	var at time.Time // the same for all
	ids := make([]any, page.Items.Len())
	for i := range ids {
		record, before := reflect.ValueOf(page.Items.At(i)).Elem(), reflect.New(p.typ)
		before.Elem().Set(record)
		at, ids[i] = p.record.DeletedAt(record), p.key.Of(page.Items.At(i))
		if err := t.restoreOne(ctx, p, record); err != nil {
			return done, nil, err
		}
		done = append(done, restored{p, record, before.Interface()})
	}
	for _, l := range p.referrers().changed {
		if model.TakesAlong(l.of.record, l.column.field, p.record) {
			along = append(along, restoring{l.of, l.of.record.DeletedWith(l.column.field, ids, at)})
		}
	}
	return done, along, nil
}

// restoring is records to restore.
type restoring struct {
	plan  *plan
	query store.Query
}

// restored is a record that has been restored.
type restored struct {
	plan   *plan
	record reflect.Value
	before any // pointer to the record in the trash
}

// restoreOne makes a record living, which was read in the trash.
func (t *transaction) restoreOne(ctx context.Context, p *plan, record reflect.Value) error {
	p.record.SetDeleted(record, time.Time{})
	id, err := p.keyOf(record)
	if err == nil {
		err = p.before.run(ctx, t, p, record)
	}
	if err == nil {
		err = p.asBroken(t.setDeleted(ctx, p, []key{id}, time.Time{}), record)
	}
	if err == nil {
		err = p.after.run(ctx, t, p, record)
	}
	return err
}

// checkLiving returns an error if a record that has been written references one in the trash, and did not before: held is the
// stored record, a pointer, nil for a new one. A foreign key only keeps the row from being purged. Of a restored record,
// references that outlive their record do not count, and the others lock it: no foreign key does so then. The transaction
// fails, because the record is in the table.
func (t *transaction) checkLiving(ctx context.Context, p *plan, record reflect.Value, held any, restored bool) error {
	for _, l := range p.referrers().toTrash {
		if restored && l.column.field.Outlives() {
			continue
		}
		var before []key
		keys, err := l.keysIn(record)
		if held != nil && err == nil {
			before, err = l.keysIn(reflect.ValueOf(held).Elem())
		}
		for _, id := range keys {
			found := slices.ContainsFunc(before, id.is)
			switch {
			case err != nil || found:
			case restored:
				found, err = t.lockRow(ctx, l.target, id)
			default:
				found, err = t.db.first(ctx, t, l.target.statements.get, id)
			}
			if err == nil && !found {
				err = store.ReferenceError{Record: p.typ, Field: l.column.field.Name}
				t.failed = err
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
