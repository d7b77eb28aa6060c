package memory

import (
	"context"

	"github.com/trove-api/trove/store"
)

// transaction is the [store.Tx] and the [store.AnswerTx] that functions are handed: a part, with the type of its
// records.
type transaction[T any] struct{ *part }

// Get returns a copy of the record as the transaction sees it.
func (t transaction[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := t.Peek(ctx, id)
	if err != nil {
		return nil, err
	}
	return t.in.shape.clone(record).(*T), nil
}

// Peek returns the record itself as the transaction sees it. It must not be changed.
func (t transaction[T]) Peek(ctx context.Context, id any) (*T, error) {
	found, err := t.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return found.now.record.(*T), nil
}

// Insert stages a copy of a new record, after it has set its identifier.
func (t transaction[T]) Insert(ctx context.Context, record *T) error {
	if record == nil {
		return errNil
	}
	return t.insert(ctx, record, t.in.shape.clone)
}

// InsertOwn stages a new record, which nobody may change any more, after it has set its
// identifier.
func (t transaction[T]) InsertOwn(ctx context.Context, record *T) error {
	if record == nil {
		return errNil
	}
	return t.insert(ctx, record, itself)
}

// Update stages a copy of the record in place of the one with that id, after it has set
// its stamps.
func (t transaction[T]) Update(ctx context.Context, id any, record *T) error {
	if record == nil {
		return errNil
	}
	return t.update(ctx, id, record, t.in.shape.clone)
}

// UpdateOwn stages the record, which nobody may change any more, in place of the one with
// that id, after it has set its stamps.
func (t transaction[T]) UpdateOwn(ctx context.Context, id any, record *T) error {
	if record == nil {
		return errNil
	}
	return t.update(ctx, id, record, itself)
}

func itself(record any) any { return record }

var _ store.AnswerTx = transaction[struct{}]{}
