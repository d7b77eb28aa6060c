package memory

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// departure is a deleted record with those that are deleted because of it, by ondelete=cascade.
type departure struct{ gone []departed }

// departed is a deleted record as it was before.
type departed struct {
	from *Store
	row  *row
}

// remove stages the delete of a record, and what follows from it for those that refer to it.
func (t *Tx) remove(ctx context.Context, id any, all *departure) error {
	found, err := t.load(ctx, id)
	if err != nil {
		return err
	}
	key := *found.now.value(0)
	all.gone = append(all.gone, departed{t.in, found.now})
	t.put(found, nil) // first, so that a circle of references ends
	for _, by := range t.in.linked.to() {
		if by.onDelete == model.Restrict {
			continue
		}
		if err := t.joint.join(by.from).unlink(ctx, by, key, all); err != nil {
			return err
		}
	}
	return nil
}

// restricted returns the error of a delete that a reference with ondelete=restrict forbids: a
// reference to any of the deleted records, by a record that stays or by one that is deleted with
// the first one. What the first one refers to does not count. References that other transactions
// save meanwhile are found when this one is saved.
func (d *departure) restricted(whole *joint) error {
	var stores []*Store
	keys := map[*table]map[value]bool{}
	for _, each := range d.gone {
		in := each.from.table
		if keys[in] == nil {
			keys[in], stores = map[value]bool{}, append(stores, each.from)
		}
		keys[in][*each.row.value(0)] = true
	}
	for _, to := range stores {
		for _, by := range to.linked.to() {
			if by.onDelete == model.Restrict && by.refersToAny(keys[to.table], whole, d.gone[1:]) {
				return store.ReferenceError{Record: by.from.shape.record.Go, Field: by.field.Name, Referred: true}
			}
		}
	}
	return nil
}

// refersToAny reports whether a record refers to one of the keys: one of those that the transaction
// deletes, or one that it sees.
func (r *relation) refersToAny(keys map[value]bool, whole *joint, deleted []departed) (found bool) {
	refers := func(of *row) bool {
		return slices.ContainsFunc(r.column.keys(of), func(key value) bool { return keys[key] })
	}
	from := r.from.table
	for _, each := range deleted {
		if each.from.table == from && refers(each.row) {
			return true
		}
	}
	changed := map[*row]bool{}
	if staged := whole.staging(r.from); staged != nil {
		for i := range staged.changes {
			c := &staged.changes[i]
			if c.now == c.saved {
				continue
			}
			if c.now != nil && refers(c.now) {
				return true
			}
			changed[c.saved] = true
		}
	}
	from.mu.RLock()
	defer from.mu.RUnlock()
	for key := range keys {
		from.referring(r.column, key, func(row *row) bool {
			found = !changed[row]
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// unlink deletes the records that refer to one by a field with ondelete=cascade, and sets the
// references to null that have ondelete=null. Out of lists it is taken by either. It holds each of them, as any other change does.
// One that is saved meanwhile is noticed when the transaction is.
func (t *Tx) unlink(ctx context.Context, by *relation, key value, all *departure) error {
	for _, id := range t.referring(by.column, key) {
		found, err := t.load(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return err
		case !by.column.refersTo(found.now, key):
			continue // another transaction was before this one
		case by.onDelete == model.Cascade && by.column.elements == nil:
			err = t.remove(ctx, id, all)
		default:
			record := t.in.shape.clone(found.now.record)
			by.forget(reflect.ValueOf(record).Elem(), found.now, key)
			err = t.Update(ctx, id, record, true)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget sets a reference to null, or takes a key out of a list. The record is a copy of that of
// the row.
func (r *relation) forget(record reflect.Value, of *row, key value) {
	field := r.field.Value(record)
	if r.column.elements == nil {
		field.SetZero()
		return
	}
	kept := 0
	for i, has := range r.column.keys(of) {
		if has != key {
			field.Index(kept).Set(field.Index(i))
			kept++
		}
	}
	field.SetLen(kept)
}

// referring lists the identifiers of the records that have a value in a column, as they are
// saved or as the transaction sees them.
func (t *Tx) referring(of *column, key value) (ids []any) {
	id := func(r *row) any { return t.in.shape.idOf(r.record) }
	t.in.table.mu.RLock()
	t.in.table.referring(of, key, func(r *row) bool {
		ids = append(ids, id(r))
		return true
	})
	t.in.table.mu.RUnlock()
	for i := range t.staged.changes {
		if c := &t.staged.changes[i]; c.now != nil && c.now != c.saved && of.refersTo(c.now, key) {
			ids = append(ids, c.id)
		}
	}
	return ids
}
