package memory

import (
	"reflect"
	"slices"

	"github.com/tidwall/btree"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// state is what the stores of a domain have saved. It never changes: a transaction saves another one.
type state struct {
	tables    []*table
	relations []*relation
	listeners []*store.Listener
}

// table returns the table of a store.
func (s *state) table(of *Store) *table { return s.tables[s.index(of)] }

func (s *state) index(of *Store) int {
	return slices.IndexFunc(s.tables, func(t *table) bool { return t.store == of })
}

// table has the records of a store, and the indexes of some of their fields. A transaction changes a copy, which shares
// what it does not change with the original.
type table struct {
	store     *Store
	rows      *btree.BTreeG[*row]     // in the order of the identifier
	indexes   []*btree.BTreeG[*entry] // of the fields in shape.indexes
	responses responses
}

// row is a record with its identifier. It never changes, because readers share it.
type row struct {
	key    filter.Value
	record any // a pointer
}

// value returns the record without its pointer.
func (r *row) value() reflect.Value { return reflect.ValueOf(r.record).Elem() }

// entry is a value in an index, with the identifier of the record that has it.
type entry struct{ value, key filter.Value }

func newTable(of *Store) *table {
	t := &table{store: of, rows: newTree(func(a, b *row) bool { return a.key.Compare(b.key) < 0 })}
	t.responses.byKey = new(btree.Map[string, *store.StoredResponse])
	for range of.shape.indexes {
		t.indexes = append(t.indexes, newTree(func(a, b *entry) bool {
			if compared := a.value.Compare(b.value); compared != 0 {
				return compared < 0
			}
			return a.key.Compare(b.key) < 0
		}))
	}
	return t
}

func newTree[E any](less func(a, b E) bool) *btree.BTreeG[E] {
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

// copy returns a copy to change. Only the transaction that holds the turn of the domain may call it.
func (t *table) copy() *table {
	copied := &table{store: t.store, rows: t.rows.Copy(), indexes: slices.Clone(t.indexes), responses: t.responses}
	for i, index := range t.indexes {
		copied.indexes[i] = index.Copy()
	}
	return copied
}

// get returns the row with an identifier, or nil.
func (t *table) get(key filter.Value) *row {
	found, _ := t.rows.Get(&row{key: key})
	return found
}

// having visits the rows with a value in an index, in the order of the identifier, until yield returns false.
func (t *table) having(index int, value filter.Value, yield func(*row) bool) {
	t.indexes[index].Ascend(&entry{value: value}, func(e *entry) bool {
		return e.value == value && yield(t.get(e.key))
	})
}

// put replaces a row: before is nil for an insert, and after for a delete. If it returns an error, it has changed nothing.
func (t *table) put(before, after *row) error {
	if before == nil {
		if _, exists := t.rows.Get(after); exists {
			return store.UniqueError{Field: t.store.shape.key.Name()}
		}
	}
	all := make([]struct{ was, now []filter.Value }, len(t.indexes))
	for i := range all {
		var err error
		if all[i].now, err = t.values(i, after); err != nil {
			return err
		}
		if t.store.shape.indexes[i].unique && t.isTaken(i, all[i].now, after) {
			return store.UniqueError{Field: t.store.shape.indexes[i].field.Name}
		}
		all[i].was, _ = t.values(i, before) // reading it succeeded when the row was added
	}
	for i, index := range t.indexes {
		if slices.Equal(all[i].was, all[i].now) {
			continue
		}
		for _, value := range all[i].was {
			index.Delete(&entry{value, before.key})
		}
		for _, value := range all[i].now {
			index.Set(&entry{value, after.key})
		}
	}
	if after == nil {
		t.rows.Delete(before)
	} else {
		t.rows.Set(after)
	}
	return nil
}

// values returns the values of a row for an index, none without a row.
func (t *table) values(index int, r *row) ([]filter.Value, error) {
	if r == nil {
		return nil, nil
	}
	values, err := t.store.shape.indexes[index].field.All(r.value())
	if err != nil {
		return nil, inStore(err)
	}
	return values, nil
}

// isTaken reports whether another record has one of the values of a row.
func (t *table) isTaken(index int, values []filter.Value, of *row) bool {
	return slices.ContainsFunc(values, func(value filter.Value) (taken bool) {
		t.having(index, value, func(r *row) bool {
			taken = taken || r.key != of.key
			return !taken
		})
		return taken
	})
}
