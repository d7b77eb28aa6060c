package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/trove-api/trove/store"
)

// Tx is the part of a transaction in one store. It holds the locks of all records and responses of the store that it
// has read or changed, and the changes until they are saved. The memory for one record is within it.
type Tx struct {
	joint     *joint // the whole transaction
	in        *Store
	staged    staged
	responses map[string]store.StoredResponse
}

// Get returns a copy of the record as the transaction sees it.
func (t *Tx) Get(ctx context.Context, id any) (any, error) {
	found, err := t.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return t.in.shape.clone(found.now.record), nil
}

// Peek returns the record itself, as the transaction sees it. The caller must not change it.
func (t *Tx) Peek(ctx context.Context, id any) (any, error) {
	found, err := t.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return found.now.record, nil
}

// toStore returns the record to store: the record itself if it now belongs to the store, else a copy.
func (t *Tx) toStore(record any, stores bool) any {
	if stores {
		return record
	}
	return t.in.shape.clone(record)
}

// Insert sets a new record's stamps and identifier, and stages it. It stages a copy unless the record now belongs to
// the store.
func (t *Tx) Insert(ctx context.Context, record any, stores bool) error {
	if err := t.usable(record); err != nil {
		return err
	}
	t.in.shape.record.Stamp(record, nil)
	if err := t.in.shape.identify(record); err != nil {
		return err
	}
	found, err := t.lock(ctx, t.in.shape.idOf(record))
	switch {
	case err != nil:
		return err
	case found.now != nil:
		return store.UniqueError{Field: t.in.shape.key.Name()}
	}
	return t.write(found, t.toStore(record, stores))
}

// Update sets a record's stamps, and stages it as the one with that id. It stages a copy unless the record now belongs
// to the store.
func (t *Tx) Update(ctx context.Context, id, record any, stores bool) error {
	if err := t.usable(record); err != nil {
		return err
	}
	found, err := t.load(ctx, id)
	if err != nil {
		return err
	}
	if shape := t.in.shape; shape.record.Stamped() {
		shape.record.Stamp(record, found.now.record)
	}
	return t.write(found, t.toStore(record, stores))
}

// write stages a record, replacing the existing one, if any.
func (t *Tx) write(c *change, record any) error {
	shape := t.in.shape
	made, err := shape.columns.newRow(record)
	if err != nil {
		return err
	}
	if c.now != nil && !shape.carries(record, c.id, *made.value(0) == *c.now.value(0)) {
		return fmt.Errorf("store/memory: an update of %s changes the identifier", shape.name)
	}
	if err := t.staged.unclaimed(t.in.table, c, made); err != nil {
		return err
	}
	t.put(c, made)
	return nil
}

// put stages a row, nil for a delete, as the new state of a change.
func (t *Tx) put(c *change, r *row) {
	t.joint.report.note(t, c.id)
	t.staged.put(c, r)
}

// Delete stages the delete of a record.
func (t *Tx) Delete(ctx context.Context, id any) error {
	if t.in.linked.to() == nil {
		found, err := t.load(ctx, id)
		if err == nil {
			t.put(found, nil)
		}
		return err
	}
	var all departure
	if err := t.remove(ctx, id, &all); err != nil {
		return err
	}
	err := all.restricted(t.joint)
	if err != nil && t.joint.failed == nil {
		t.joint.failed = err // because part of the delete is staged
	}
	return err
}

// usable normalizes a record, or returns an error if it cannot be stored.
func (t *Tx) usable(record any) error {
	if t.joint.failed != nil {
		return t.joint.failed
	}
	return t.in.shape.normalize(record)
}

// load locks a record that the transaction sees, or returns [store.ErrNotFound].
func (t *Tx) load(ctx context.Context, id any) (*change, error) {
	found, err := t.lock(ctx, id)
	if err == nil && found.now == nil {
		err = store.ErrNotFound
	}
	return found, err
}

// lock locks a record, even one that does not exist, for the rest of the transaction.
func (t *Tx) lock(ctx context.Context, id any) (*change, error) {
	if err := t.going(ctx); err != nil {
		return nil, err
	}
	if err := t.in.shape.accepts(id); err != nil {
		return nil, err
	}
	return t.hold(ctx, id)
}

// going returns an error if the transaction cannot go on.
func (t *Tx) going(ctx context.Context) error {
	if t.joint.failed != nil {
		return t.joint.failed
	}
	return ctx.Err()
}

// hold takes a lock, unless the transaction has it.
func (t *Tx) hold(ctx context.Context, id any) (*change, error) {
	if found := t.staged.find(id); found != nil {
		return found, nil
	}
	whole, table := t.joint, t.in.table
	var saved *row
	if !whole.holds || whole.patient {
		var err error
		if saved, err = table.acquire(ctx, id); err != nil {
			return nil, err
		}
	} else {
		var ok bool
		if saved, ok = table.try(id); !ok {
			whole.contended, whole.failed = true, errContended
			return nil, whole.failed
		}
	}
	whole.holds = true
	return t.staged.add(id, saved), nil
}

// save saves the staged changes. Responses become visible with the records, because their keys are locked until then.
func (t *Tx) save() error {
	err := t.in.table.commit(&t.staged, t.responses == nil)
	if err == nil {
		t.keepResponses()
	}
	return err
}

func (t *Tx) keepResponses() {
	if t.responses != nil {
		t.in.responses.keep(t.responses, time.Now())
	}
}

// change is a record that a transaction has locked, with its new state.
type change struct {
	id    any
	saved *row // the saved row, which stays while the lock is held; or nil
	now   *row // the row as the transaction sees it
}

// staged are the changes of a transaction, one for each locked record, in order. A few are searched linearly; more have
// maps.
type staged struct {
	columns *columns // of the table
	changes []change
	first   [1]change      // the memory of the first change
	numbers *stagedNumbers // for many changes; nil for a few
}

// stagedNumbers are the numbers of changes by identifier and by unique value.
type stagedNumbers struct {
	byID   map[any]int
	owners map[claim]int // of changes by unique value
}

// claim is a value of a unique column.
type claim struct {
	column *column
	value  value
}

// several is the maximum number of changes without maps.
const several = 8

// find returns the change of the record with that id, nil if it is not locked. The pointer is valid until the next
// change is added.
func (s *staged) find(id any) *change {
	if s.numbers != nil {
		if i, ok := s.numbers.byID[id]; ok {
			return &s.changes[i]
		}
		return nil
	}
	for i := range s.changes {
		if s.changes[i].id == id {
			return &s.changes[i]
		}
	}
	return nil
}

// replaces reports whether a saved row is changed.
func (s *staged) replaces(saved *row) bool {
	for i := range s.changes {
		if s.changes[i].saved == saved {
			return s.changes[i].now != saved
		}
	}
	return false
}

// add adds a locked record. The pointer is valid until the next change is added.
func (s *staged) add(id any, saved *row) *change {
	if s.changes == nil {
		s.changes = s.first[:0]
	}
	s.changes = append(s.changes, change{id, saved, saved})
	switch {
	case s.numbers != nil:
		s.numbers.byID[id] = len(s.changes) - 1
	case len(s.changes) > several:
		s.numbers = &stagedNumbers{map[any]int{}, map[claim]int{}}
		for i := range s.changes {
			s.numbers.byID[s.changes[i].id] = i
			s.claim(i)
		}
	}
	return &s.changes[len(s.changes)-1]
}

// owner returns the changed record that has a value in a unique column, or nil.
func (s *staged) owner(of *column, wanted *value) *change {
	if s.numbers != nil {
		if i, ok := s.numbers.owners[claim{of, *wanted}]; ok {
			return &s.changes[i]
		}
		return nil
	}
	for i := range s.changes {
		if c := &s.changes[i]; c.now != nil && c.now != c.saved && *c.now.value(of.tree) == *wanted {
			return c
		}
	}
	return nil
}

// put stages a row, nil for a delete, as the new state of a change.
func (s *staged) put(c *change, r *row) {
	if s.numbers == nil {
		c.now = r
		return
	}
	if c.now != nil && c.now != c.saved {
		for _, column := range s.columns.uniques {
			delete(s.numbers.owners, claim{column, *c.now.value(column.tree)})
		}
	}
	c.now = r
	s.claim(s.numbers.byID[c.id])
}

// claim records the unique values of a changed record.
func (s *staged) claim(i int) {
	r := s.changes[i].now
	if r == nil || r == s.changes[i].saved {
		return
	}
	for _, column := range s.columns.uniques {
		if found := *r.value(column.tree); found.present {
			s.numbers.owners[claim{column, found}] = i
		}
	}
}

// unclaimed returns an error if a unique value of a change's new row belongs to another record, as the transaction sees
// it.
func (s *staged) unclaimed(t *table, c *change, made *row) error {
	for _, column := range s.columns.uniques {
		wanted := made.value(column.tree)
		if !wanted.present || c.now != nil && *c.now.value(column.tree) == *wanted {
			continue // the record had this value before
		}
		owner := s.owner(column, wanted)
		if owner == nil {
			t.mu.RLock()
			saved := t.owner(column, made)
			t.mu.RUnlock()
			if saved == nil || saved == c.saved || s.replaces(saved) {
				continue
			}
		}
		if owner != c {
			return store.UniqueError{Field: column.name}
		}
	}
	return nil
}
