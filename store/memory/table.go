package memory

import (
	"sync"
	"time"

	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/store"
)

// row is one saved state of a record, or a change to one that a transaction has staged: a
// row without a record is deleted. Nothing in it changes, for readers share it.
type row struct {
	record instance   // none where it is deleted
	first  [2]ordered // of its values in the kept columns
	more   []ordered  // the others
}

// newRow makes a row with room for so many values.
func newRow(record instance, values int) *row {
	r := &row{record: record}
	if more := values - len(r.first); more > 0 {
		r.more = make([]ordered, more)
	}
	return r
}

// value returns one of the values.
func (r *row) value(place int) *ordered {
	if place < len(r.first) {
		return &r.first[place]
	}
	return &r.more[place-len(r.first)]
}

// table holds what is saved, and the locks of records. Its own lock is held for steps in
// memory only, never while a user's function runs.
type table struct {
	mu      sync.RWMutex
	slots   slots
	spare   *lock           // one to use again, nil for none
	owners  map[claim]*slot // of the records that have the unique values
	trees   []tree
	indexes []index
	columns columns
	// patience is how long a transaction waits for another; 0 is without a limit.
	patience time.Duration
}

func newTable(columns columns) *table {
	return &table{
		slots: newSlots(), owners: map[claim]*slot{},
		trees: newTrees(columns), indexes: newIndexes(columns.indexes), columns: columns,
		patience: patience.Default,
	}
}

// get returns the saved row of the record with that id, nil if there is none.
func (t *table) get(id any) (saved *row) {
	t.mu.RLock()
	if s := t.slots.get(id); s != nil {
		saved = s.row
	}
	t.mu.RUnlock()
	return saved
}

// owner returns the slot of the saved record that has a unique value, nil for none.
func (t *table) owner(c claim) *slot {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.owners[c]
}

// commit saves staged rows, all or none, and keeps them. Once they are saved it gives up
// their locks, too, if it is to.
func (t *table) commit(staged *staged, unlock bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range staged.changes {
		if err := t.conflict(&staged.changes[i], staged); err != nil {
			return err
		}
	}
	if err := t.twins(staged); err != nil {
		return err
	}
	for i := range staged.changes {
		t.remove(&staged.changes[i])
	}
	for i := range staged.changes {
		t.save(&staged.changes[i])
	}
	if unlock {
		t.unlock(staged)
	}
	return nil
}

// conflict returns the error of a change to a value that a record has which the
// transaction does not change. Within staged, values are unique already.
func (t *table) conflict(c *change, staged *staged) error {
	if c.row == nil || c.row.record.isNone() {
		return nil
	}
	for i, column := range t.columns.uniques {
		value := *c.row.value(column.place)
		if !value.present {
			continue
		}
		if owner := t.owners[claim{i, value}]; owner != nil && owner != c.slot && !staged.changed(owner) {
			return store.UniqueError{Field: column.path.Name}
		}
	}
	return nil
}

// remove takes the saved row of a change out of wherever the new one will not take its
// place.
func (t *table) remove(c *change) {
	saved := c.slot.row
	if c.row == nil || saved == nil {
		return
	}
	for i, column := range t.columns.uniques {
		if value := *saved.value(column.place); value.present && c.moves(column.place) {
			delete(t.owners, claim{i, value})
		}
	}
	for i, column := range t.columns.trees {
		if c.moves(column.place) {
			t.trees[i].Delete(saved)
		}
	}
	for i := range t.indexes {
		if index := &t.indexes[i]; c.moves(index.place) {
			index.remove(saved)
		}
	}
	if c.row.record.isNone() {
		c.slot.row = nil
	}
}

// save puts the new row of a change into the table, unless it is one that is deleted.
func (t *table) save(c *change) {
	if c.row == nil || c.row.record.isNone() {
		return
	}
	for i, column := range t.columns.uniques {
		if value := *c.row.value(column.place); value.present && (c.slot.row == nil || c.moves(column.place)) {
			t.owners[claim{i, value}] = c.slot
		}
	}
	if c.slot.row == nil {
		t.trees[0].add(c.row)
	} else {
		t.trees[0].Set(c.row)
	}
	for _, tree := range t.trees[1:] {
		tree.Set(c.row)
	}
	for i := range t.indexes {
		t.indexes[i].set(c.row)
	}
	c.slot.row = c.row
}

// moves reports whether the saved row of a change has another value there than the new
// one.
func (c *change) moves(place int) bool {
	return c.row.record.isNone() || *c.row.value(place) != *c.slot.row.value(place)
}
