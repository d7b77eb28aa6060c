package memory

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// departure is a deleted record with those that are deleted with it, by ondelete=cascade.
type departure struct{ gone []departed }

// departed is a deleted record in its state before.
type departed struct {
	from *Store
	row  *row
}

// remove stages the delete of a record, and the resulting changes of records that reference it.
func (t *Tx) remove(ctx context.Context, id any, all *departure) error {
	found, err := t.load(ctx, id)
	if err != nil {
		return err
	}
	key := *found.now.value(0)
	all.gone = append(all.gone, departed{t.in, found.now})
	t.put(found, nil) // first, so that a cycle of references ends
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

// restricted returns the error of a delete that a reference with ondelete=restrict forbids. Such a reference counts if
// it points to any of the deleted records, from a record that stays or is deleted by a cascade. References of the first
// deleted record do not count. References that other transactions save meanwhile are found on commit.
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

// refersToAny reports whether a record references one of the keys, among the records that the transaction deletes or
// sees.
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

// unlink deletes the records that reference one with ondelete=cascade, and sets references with ondelete=null to null.
// From lists both remove the key. It locks each record, as any change does. A reference that is saved meanwhile is
// noticed on commit.
func (t *Tx) unlink(ctx context.Context, by *relation, key value, all *departure) error {
	for _, id := range t.referring(by.column, key) {
		found, err := t.load(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return err
		case !by.column.refersTo(found.now, key):
			continue // another transaction was first
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

// forget sets a reference to null, or removes a key from a list. The record is a copy of the row's.
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

// referring returns the identifiers of the records that have a value in a column, in the saved state or that of the
// transaction.
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
