package memory

import "github.com/trove-api/trove/store"

// claim gives a record its unique values in place of those it had, or returns the
// error of one that another record has.
func (t *transaction[T]) claim(id any, record *T) ([]key, error) {
	keys, err := t.store.shape.keys(record)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if owner, taken := t.owner(k); taken && owner != id {
			return nil, store.UniqueError{Field: k.field.Name}
		}
	}
	t.disclaim(id)
	for _, k := range keys {
		if t.claims == nil {
			t.claims = map[key]any{}
		}
		t.claims[k] = id
	}
	return keys, nil
}

// disclaim gives up the unique values of a staged record.
func (t *transaction[T]) disclaim(id any) {
	if change := t.staged[id]; change != nil {
		for _, k := range change.keys {
			delete(t.claims, k)
		}
	}
}

// owner returns the id of the record that has a unique value as the transaction sees
// it.
func (t *transaction[T]) owner(k key) (any, bool) {
	if id, taken := t.claims[k]; taken {
		return id, true
	}
	id, taken := t.store.table.owner(k)
	return id, taken && t.staged[id] == nil
}
