package memory

import "github.com/trove-api/trove/store"

// unclaimed returns the error of a unique value of a record that another record has.
// Those that it had before are its own.
func (t *transaction[T]) unclaimed(c *change, made, before *row) error {
	for i, column := range t.store.shape.columns.uniques {
		value := *made.value(column.place)
		if !value.present || before != nil && *before.value(column.place) == value {
			continue
		}
		if owner := t.owner(claim{i, value}); owner != nil && owner != c.slot {
			return store.UniqueError{Field: column.path.Name}
		}
	}
	return nil
}

// owner returns the slot of the record that has a unique value as the transaction sees it,
// nil for none.
func (t *transaction[T]) owner(wanted claim) *slot {
	if changed := t.staged.owner(t.store.shape.columns.uniques, wanted); changed != nil {
		return changed
	}
	if saved := t.store.table.owner(wanted); saved != nil && !t.staged.changed(saved) {
		return saved
	}
	return nil
}
