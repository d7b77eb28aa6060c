package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/trove-api/trove/store"
)

// transaction is a [store.Tx] and a [store.AnswerTx]. It holds the locks of all records
// and answers that it has read or changed, and its changes until they are saved.
type transaction[T any] struct {
	store   *Store[T]
	patient bool // may wait for a record while it holds others
	held    map[any]struct{}
	staged  map[any]*row[T] // by id
	claims  map[key]any     // the unique values of staged and whose they are
	answers map[string]store.Answer
	failed  error // why nothing is saved, whatever the function returns

	// contended says that it holds a record and needs one that another transaction
	// holds: it is to be run again.
	contended bool
}

// Get returns a copy of the record as the transaction sees it.
func (t *transaction[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := t.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return t.store.clone(record), nil
}

// Insert stages a copy of a new record, after it has set its identifier.
func (t *transaction[T]) Insert(ctx context.Context, record *T) error {
	if err := t.usable(record); err != nil {
		return err
	}
	if err := t.store.shape.identify(record); err != nil {
		return err
	}
	id := t.store.shape.idOf(record)
	switch _, err := t.load(ctx, id); {
	case err == nil:
		return store.UniqueError{Field: t.store.shape.id.Name}
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	keys, err := t.claim(id, record)
	if err != nil {
		return err
	}
	t.stage(&row[T]{id: id, record: t.store.clone(record), keys: keys})
	return nil
}

// Update stages a copy of the record in place of the one with that id.
func (t *transaction[T]) Update(ctx context.Context, id any, record *T) error {
	if err := t.usable(record); err != nil {
		return err
	}
	if _, err := t.load(ctx, id); err != nil {
		return err
	}
	if t.store.shape.idOf(record) != id {
		return fmt.Errorf("store/memory: an update of %s changes the identifier", t.store.shape.name)
	}
	keys, err := t.claim(id, record)
	if err != nil {
		return err
	}
	change := t.change(id)
	change.record, change.keys = t.store.clone(record), keys
	return nil
}

// Delete stages that the record is no more.
func (t *transaction[T]) Delete(ctx context.Context, id any) error {
	if _, err := t.load(ctx, id); err != nil {
		return err
	}
	t.disclaim(id)
	change := t.change(id)
	change.record, change.keys = nil, nil
	return nil
}

// usable returns why the record cannot be written.
func (t *transaction[T]) usable(record *T) error {
	if record == nil {
		return errors.New("store/memory: the record is nil")
	}
	return t.failed
}

// load locks a record and returns it as the transaction sees it, or
// [store.ErrNotFound].
func (t *transaction[T]) load(ctx context.Context, id any) (*T, error) {
	if err := t.lock(ctx, id); err != nil {
		return nil, err
	}
	var record *T
	if change := t.staged[id]; change != nil {
		record = change.record
	} else {
		record = t.store.table.get(id)
	}
	if record == nil {
		return nil, store.ErrNotFound
	}
	return record, nil
}

// lock takes the lock of a record, there or not, for the rest of the transaction.
func (t *transaction[T]) lock(ctx context.Context, id any) error {
	if err := t.going(ctx); err != nil {
		return err
	}
	if err := t.store.shape.accepts(id); err != nil {
		return err
	}
	return t.hold(ctx, id)
}

// going returns why nothing more can be done in the transaction.
func (t *transaction[T]) going(ctx context.Context) error {
	if t.failed != nil {
		return t.failed
	}
	return ctx.Err()
}

// hold takes a lock, unless the transaction has it.
func (t *transaction[T]) hold(ctx context.Context, id any) error {
	if _, held := t.held[id]; held {
		return nil
	}
	if err := t.take(ctx, id); err != nil {
		return err
	}
	if t.held == nil {
		t.held = map[any]struct{}{}
	}
	t.held[id] = struct{}{}
	return nil
}

func (t *transaction[T]) take(ctx context.Context, id any) error {
	if len(t.held) == 0 || t.patient {
		return t.store.locks.acquire(ctx, id)
	}
	if !t.store.locks.try(id) {
		t.contended, t.failed = true, errContended
	}
	return t.failed
}

// change returns the staged row of a record, which it makes if there is none.
func (t *transaction[T]) change(id any) *row[T] {
	change := t.staged[id]
	if change == nil {
		change = &row[T]{id: id}
		t.stage(change)
	}
	return change
}

func (t *transaction[T]) stage(change *row[T]) {
	if t.staged == nil {
		t.staged = map[any]*row[T]{}
	}
	t.staged[change.id] = change
}
