package memory

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/trove-api/trove/store"
)

// row is one record of a table, or a change to one that a transaction has staged: a
// row without a record is deleted. The record itself is never changed, for readers
// share it.
type row[T any] struct {
	id       any
	record   *T
	keys     []key
	inserted bool // staged: goes to the end, even if the table has a row with its id
}

// table holds what is saved. Its lock is held for steps in memory only, never while a
// user's function runs.
type table[T any] struct {
	mu      sync.RWMutex
	rows    map[any]*row[T]
	owners  map[key]any // the ids of the records that have the unique values
	order   []*row[T]   // deleted rows stay in it until they are the larger part
	deleted int         // how many of order are
	listed  atomic.Pointer[[]*T]
}

func newTable[T any]() *table[T] {
	return &table[T]{rows: map[any]*row[T]{}, owners: map[key]any{}}
}

// get returns the saved record with that id, nil if there is none.
func (t *table[T]) get(id any) *T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if row := t.rows[id]; row != nil {
		return row.record
	}
	return nil
}

// owner returns the id of the saved record that has a unique value.
func (t *table[T]) owner(k key) (id any, taken bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	id, taken = t.owners[k]
	return id, taken
}

// list returns all saved records in order. All calls between two commits share one
// slice.
func (t *table[T]) list() []*T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if listed := t.listed.Load(); listed != nil {
		return *listed
	}
	records := make([]*T, 0, len(t.rows))
	for _, row := range t.order {
		if row.record != nil {
			records = append(records, row.record)
		}
	}
	t.listed.Store(&records)
	return records
}

// commit saves staged rows, all or none, and keeps them. inserted has the new ones in
// order.
func (t *table[T]) commit(staged map[any]*row[T], inserted []*row[T]) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, change := range staged {
		if err := t.conflict(change, staged); err != nil {
			return err
		}
	}
	t.listed.Store(nil)
	for _, change := range staged {
		t.replace(change)
	}
	for _, change := range staged {
		for _, k := range change.keys {
			t.owners[k] = change.id
		}
	}
	for _, row := range inserted {
		if row.record != nil {
			t.rows[row.id] = row
			t.order = append(t.order, row)
		}
	}
	t.sweep()
	return nil
}

// conflict returns the error of a change to a value that a record has which the
// transaction does not change. Within staged, values are unique already.
func (t *table[T]) conflict(change *row[T], staged map[any]*row[T]) error {
	for _, k := range change.keys {
		owner, taken := t.owners[k]
		if taken && owner != change.id && staged[owner] == nil {
			return store.UniqueError{Field: k.field.Name}
		}
	}
	return nil
}

// replace puts a change in the place of the row with its id, if there is one.
func (t *table[T]) replace(change *row[T]) {
	old := t.rows[change.id]
	if old == nil {
		return
	}
	for _, k := range old.keys {
		delete(t.owners, k)
	}
	if change.record != nil && !change.inserted {
		old.record, old.keys = change.record, change.keys
		return
	}
	old.record = nil
	delete(t.rows, change.id)
	t.deleted++
}

// sweep forgets deleted rows once they are most of the rows, so that a delete costs
// the same in a table of any size.
func (t *table[T]) sweep() {
	if t.deleted <= len(t.order)/2 {
		return
	}
	t.order = slices.DeleteFunc(t.order, func(row *row[T]) bool { return row.record == nil })
	t.deleted = 0
}
