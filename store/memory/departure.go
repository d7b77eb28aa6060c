package memory

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// departure is a deleted record with those that are deleted because of it, by ondelete=cascade.
type departure struct{ gone []departed }

// departed is a deleted record as it was before.
type departed struct {
	from Joinable
	row  *row
}

// remove stages the delete of a record, and what follows from it for those that refer to it.
func (t *transaction[T]) remove(ctx context.Context, id any, all *departure) error {
	found, err := t.load(ctx, id)
	if err != nil {
		return err
	}
	key := *found.now.value(0)
	all.gone = append(all.gone, departed{t.store, found.now})
	t.put(found, nil) // first, so that a circle of references ends
	for _, by := range t.store.linked.to() {
		if by.onDelete == model.Restrict {
			continue
		}
		if err := by.from.unlink(ctx, t.joint, by, key, all); err != nil {
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
	var stores []Joinable
	keys := map[*table]map[value]bool{}
	for _, each := range d.gone {
		in := each.from.rowsOf()
		if keys[in] == nil {
			keys[in], stores = map[value]bool{}, append(stores, each.from)
		}
		keys[in][*each.row.value(0)] = true
	}
	for _, to := range stores {
		for _, by := range to.links().to() {
			if by.onDelete == model.Restrict && by.refersToAny(keys[to.rowsOf()], whole, d.gone[1:]) {
				return store.ReferenceError{Record: by.from.recordType(), Field: by.field.Name, Referred: true}
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
	from := r.from.rowsOf()
	for _, each := range deleted {
		if each.from.rowsOf() == from && refers(each.row) {
			return true
		}
	}
	changed := map[*row]bool{}
	if staged := r.from.staging(whole); staged != nil {
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
