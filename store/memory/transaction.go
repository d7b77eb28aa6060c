package memory

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/store"
)

// transaction is a [store.Tx] and a [store.AnswerTx]. It holds the locks of all records
// and answers of its store that were read or changed, and the changes until they are saved. What
// it needs for one record is within it.
type transaction[T any] struct {
	joint   *joint // that it is a part of
	store   *Store[T]
	staged  staged
	answers map[string]store.Answer
}

// Get returns a copy of the record as the transaction sees it.
func (t *transaction[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := t.Peek(ctx, id)
	if err != nil {
		return nil, err
	}
	return t.store.clone(record), nil
}

// Peek returns the record itself as the transaction sees it. It must not be changed.
func (t *transaction[T]) Peek(ctx context.Context, id any) (*T, error) {
	found, err := t.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return found.now.record.(*T), nil
}

// Insert stages a copy of a new record, after it has set its identifier.
func (t *transaction[T]) Insert(ctx context.Context, record *T) error {
	if err := t.identify(record); err != nil {
		return err
	}
	return t.insert(ctx, t.store.clone(record))
}

// InsertOwn stages a new record, which nobody may change any more, after it has set its
// identifier.
func (t *transaction[T]) InsertOwn(ctx context.Context, record *T) error {
	if err := t.identify(record); err != nil {
		return err
	}
	return t.insert(ctx, record)
}

// identify sets the identifier and the stamps of a new record that can be written.
func (t *transaction[T]) identify(record *T) error {
	if err := t.usable(record); err != nil {
		return err
	}
	t.store.shape.record.Stamp(record, nil)
	return t.store.shape.identify(record)
}

// insert stages a new record that has its identifier.
func (t *transaction[T]) insert(ctx context.Context, record *T) error {
	found, err := t.lock(ctx, t.store.shape.idOf(record))
	switch {
	case err != nil:
		return err
	case found.now != nil:
		return store.UniqueError{Field: t.store.shape.key.Name()}
	}
	return t.write(found, record)
}

// Update stages a copy of the record in place of the one with that id, after it has set
// its stamps.
func (t *transaction[T]) Update(ctx context.Context, id any, record *T) error {
	found, err := t.stamp(ctx, id, record)
	if err != nil {
		return err
	}
	return t.write(found, t.store.clone(record))
}

// UpdateOwn stages the record, which nobody may change any more, in place of the one with
// that id, after it has set its stamps.
func (t *transaction[T]) UpdateOwn(ctx context.Context, id any, record *T) error {
	found, err := t.stamp(ctx, id, record)
	if err != nil {
		return err
	}
	return t.write(found, record)
}

// stamp locks the record with that id, and sets the stamps of the one in its place.
func (t *transaction[T]) stamp(ctx context.Context, id any, record *T) (*change, error) {
	if err := t.usable(record); err != nil {
		return nil, err
	}
	found, err := t.load(ctx, id)
	if err != nil {
		return nil, err
	}
	if shape := t.store.shape; shape.record.Stamped() {
		shape.record.Stamp(record, found.now.record.(*T))
	}
	return found, nil
}

// write stages a record in place of the one that the transaction sees, if there is one.
func (t *transaction[T]) write(c *change, record *T) error {
	shape := t.store.shape
	made, err := shape.columns.newRow(record)
	if err != nil {
		return err
	}
	if c.now != nil && !shape.carries(record, c.id, *made.value(0) == *c.now.value(0)) {
		return fmt.Errorf("store/memory: an update of %s changes the identifier", shape.name)
	}
	if err := t.staged.unclaimed(t.store.table, c, made); err != nil {
		return err
	}
	t.put(c, made)
	return nil
}

// put stages a row, nil for a deleted one, in place of that of a change.
func (t *transaction[T]) put(c *change, r *row) {
	if t.joint.listeners != nil {
		t.joint.noted = append(t.joint.noted, noted{t, c.id})
	}
	t.staged.put(c, r)
}

// note adds what has become of a record to the changes. It copies records: listeners may keep and change them.
func (t *transaction[T]) note(changes *store.Changes, id any) {
	c := t.staged.find(id)
	made := store.Change{ID: id}
	if c.saved != nil {
		made.Before = t.store.clone(c.saved.record.(*T))
	}
	if c.now != nil {
		made.After = t.store.clone(c.now.record.(*T))
	}
	changes.Note(t.store, id, made)
}

// Delete stages that the record is no more.
func (t *transaction[T]) Delete(ctx context.Context, id any) error {
	if t.store.linked.to() == nil {
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
		t.joint.failed = err // because a part of it is staged
	}
	return err
}

// usable normalizes a record, or returns why it cannot be written.
func (t *transaction[T]) usable(record *T) error {
	switch {
	case record == nil:
		return errors.New("store/memory: the record is nil")
	case t.joint.failed != nil:
		return t.joint.failed
	}
	return t.store.shape.normalize(reflect.ValueOf(record))
}

// load locks a record that the transaction sees, or returns [store.ErrNotFound].
func (t *transaction[T]) load(ctx context.Context, id any) (*change, error) {
	found, err := t.lock(ctx, id)
	if err == nil && found.now == nil {
		err = store.ErrNotFound
	}
	return found, err
}

// lock takes the lock of a record, there or not, for the rest of the transaction.
func (t *transaction[T]) lock(ctx context.Context, id any) (*change, error) {
	if err := t.going(ctx); err != nil {
		return nil, err
	}
	if err := t.store.shape.accepts(id); err != nil {
		return nil, err
	}
	return t.hold(ctx, id)
}

// going returns why nothing more can be done in the transaction.
func (t *transaction[T]) going(ctx context.Context) error {
	if t.joint.failed != nil {
		return t.joint.failed
	}
	return ctx.Err()
}

// hold takes a lock, unless the transaction has it.
func (t *transaction[T]) hold(ctx context.Context, id any) (*change, error) {
	if found := t.staged.find(id); found != nil {
		return found, nil
	}
	whole, table := t.joint, t.store.table
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
