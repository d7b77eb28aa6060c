package memory

import (
	"sync"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// row is one saved state of a record, or a change to one that a transaction has staged: a
// row without a record is deleted. Once it is saved nothing in it changes, for readers
// share it.
type row[T any] struct {
	id     any
	record *T
	keys   []key
	places []ordered // in the trees; set when it is saved
}

// table holds what is saved. Its lock is held for steps in memory only, never while a
// user's function runs.
type table[T any] struct {
	mu      sync.RWMutex
	rows    map[any]*row[T]
	owners  map[key]any // the ids of the records that have the unique values
	trees   []tree[T]
	columns columns
}

func newTable[T any](columns columns) *table[T] {
	return &table[T]{
		rows: map[any]*row[T]{}, owners: map[key]any{}, trees: newTrees[T](len(columns.trees)), columns: columns,
	}
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

// snapshot returns a copy of a tree, which is made without going through it.
func (t *table[T]) snapshot(tree int) tree[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.trees[tree].copied()
}

// commit saves staged rows, all or none, and keeps them.
func (t *table[T]) commit(staged map[any]*row[T]) error {
	for _, change := range staged {
		if err := t.place(change); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, change := range staged {
		if err := t.conflict(change, staged); err != nil {
			return err
		}
	}
	if err := t.twins(staged); err != nil {
		return err
	}
	for id := range staged {
		t.remove(t.rows[id])
	}
	for _, change := range staged {
		t.save(change)
	}
	return nil
}

// place finds where a row goes in the trees.
func (t *table[T]) place(change *row[T]) (err error) {
	if change.record != nil {
		change.places, err = t.columns.places(change.record)
	}
	return err
}

// twins returns the error of an identifier that is another value than that of another row,
// but has the same text, by which clients name records.
func (t *table[T]) twins(staged map[any]*row[T]) error {
	id := t.columns.trees[0].path.Leaf()
	if id.Type.Kind != model.Text {
		return nil
	}
	texts := make(map[string]struct{}, len(staged))
	for _, change := range staged {
		if change.record == nil {
			continue
		}
		saved, found := t.trees[0].Get(change)
		kept := found && saved.id != change.id && (staged[saved.id] == nil || staged[saved.id].record != nil)
		if _, again := texts[change.places[0].text]; again || kept {
			return store.UniqueError{Field: id.Name}
		}
		texts[change.places[0].text] = struct{}{}
	}
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

// remove takes a row out of the table, nil for none.
func (t *table[T]) remove(old *row[T]) {
	if old == nil {
		return
	}
	for _, k := range old.keys {
		delete(t.owners, k)
	}
	for _, tree := range t.trees {
		tree.Delete(old)
	}
	delete(t.rows, old.id)
}

// save puts a row into the table, unless it is one that is deleted.
func (t *table[T]) save(change *row[T]) {
	if change.record == nil {
		return
	}
	for _, k := range change.keys {
		t.owners[k] = change.id
	}
	for _, tree := range t.trees {
		tree.Set(change)
	}
	t.rows[change.id] = change
}
