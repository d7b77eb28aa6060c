package memory

import "github.com/trove-api/trove/store"

// unclaimed returns the error of a unique value of a record that another record has.
// Those that it had before are its own.
func (t *transaction[T]) unclaimed(id any, places, before []ordered) error {
	for i, column := range t.store.shape.columns.uniques {
		value := places[column.place]
		if !value.present || before != nil && before[column.place] == value {
			continue
		}
		if owner, taken := t.owner(claim{i, value}); taken && owner != id {
			return store.UniqueError{Field: column.path.Name}
		}
	}
	return nil
}

// owner returns the id of the record that has a unique value as the transaction sees it.
func (t *transaction[T]) owner(c claim) (any, bool) {
	if id, taken := t.staged.owner(t.store.shape.columns.uniques, c); taken {
		return id, true
	}
	id, taken := t.store.table.owner(c)
	return id, taken && t.staged.find(id) == nil
}
