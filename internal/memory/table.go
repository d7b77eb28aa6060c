package memory

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// table has the records of a store, the indexes of some of their fields, and responses. A transaction changes a copy.
type table struct {
	store     *Store
	rows      tree   // in the order of the identifier
	indexes   []tree // of the fields in shape.indexes
	responses tree
	sweepAt   int // the number of responses at which the expired ones are deleted
}

// value returns the record without its pointer.
func (r *row) value() reflect.Value { return reflect.ValueOf(r.record).Elem() }

// living returns the row with a key, nil if there is none or it is in the trash.
func (t *table) living(key filter.Value) *row {
	if found := t.rows.get(key); found != nil && !found.isDeleted() {
		return found
	}
	return nil
}

// isDeleted reports whether a row is in the trash.
func (r *row) isDeleted() bool { return r.in.shape.record.IsDeleted(r.value()) }

// find returns the living row with an id, or the deleted one; nil if there is none. It returns an error if the id has another
// type than the identifier.
func (t *table) find(id any, deleted bool) (*row, error) {
	shape := t.store.shape
	if !shape.key.Accepts(id) {
		return nil, fmt.Errorf("store/memory: an id of %s must be of type %s, not %T", shape.name, shape.key.Type(), id)
	}
	key, err := shape.order.Value(id)
	if err != nil {
		return nil, inStore(err)
	}
	if found := t.rows.get(key); found != nil && found.isDeleted() == deleted {
		return found, nil
	}
	return nil, nil //nolint:nilnil // there is none
}

// put replaces a row: before is nil for an insert, and after for a delete. If it returns an error, it has changed nothing.
// The version is that of the state to change.
func (t *table) put(before, after *row, version uint64) error {
	switch {
	case after == nil:
		t.rows.delete(before.key, before.id, version)
	case before == nil && t.rows.get(after.key) != nil:
		return store.UniqueError{Field: t.store.shape.key.Name()}
	default:
		if err := t.checkIndexes(after); err != nil {
			return err
		}
		t.rows.set(after, version)
	}
	t.reindex(before, after, version)
	return nil
}

// checkIndexes returns an error if a value of a row cannot be read, or another row has it and it must be unique.
func (t *table) checkIndexes(after *row) error {
	for i := range t.store.shape.indexes {
		index := &t.store.shape.indexes[i]
		var room [4]filter.Value
		values, err := index.values(after.value(), room[:0])
		if err != nil {
			return inStore(err)
		}
		for _, value := range values {
			isBroken := index.over != nil && index.over.From != nil && t.overlaps(i, after)
			if index.unique {
				all := t.indexes[i].seek(value, false)
				found := all.next()
				isBroken = found != nil && found.key == value && found.id != after.key
			}
			if isBroken {
				return index.broken
			}
		}
	}
	return nil
}

// overlaps reports whether the period of a row shares a moment with that of another one. The periods in an index do not
// overlap each other, so only the last one that begins before the end can.
func (t *table) overlaps(index int, after *row) bool {
	over := t.store.shape.indexes[index].over
	key, period, _ := over.Read(after.value()) // reading it has succeeded before
	all := t.indexes[index].seek(over.End(key, period), true)
	found := all.next()
	if found != nil && found.id == after.key {
		found = all.next()
	}
	if found == nil {
		return false
	}
	other, others, _ := over.Read(t.rows.get(found.id).value())
	return other == key && period.Overlaps(others)
}

// reindex replaces the values of a row in the indexes. Reading them has succeeded before.
func (t *table) reindex(before, after *row, version uint64) {
	for i := range t.store.shape.indexes {
		index := &t.store.shape.indexes[i]
		var room [2][4]filter.Value
		was, now := room[0][:0], room[1][:0]
		if before != nil {
			was, _ = index.values(before.value(), was)
		}
		if after != nil {
			now, _ = index.values(after.value(), now)
		}
		if slices.Equal(was, now) {
			continue
		}
		for _, value := range was {
			t.indexes[i].delete(value, before.key, version)
		}
		for _, value := range now {
			t.indexes[i].set(&row{key: value, id: after.key}, version)
		}
	}
}
