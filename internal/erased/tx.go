package erased

import (
	"context"
	"errors"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// transaction is a transaction without its type parameter. One after the other is run with
// it.
// What it has of one run is dropped by [records.Transact], since a pool keeps it.
type transaction[T any] struct {
	store  *records[T]
	runner compiled.Runner
	typed  store.Tx[T]
	shared compiled.Sharer[T] // the transaction again; nil where it copies everything
	run    func(ctx context.Context, tx store.Tx[T]) error
}

func newTransaction[T any](of *records[T]) *transaction[T] {
	t := &transaction[T]{store: of}
	t.run = func(ctx context.Context, tx store.Tx[T]) error {
		t.typed = tx
		t.shared, _ = tx.(compiled.Sharer[T])
		return t.runner.Run(ctx, t)
	}
	return t
}

func (t *transaction[T]) Get(ctx context.Context, id any) (any, error) {
	return found(t.typed.Get(ctx, id))
}

// Peek returns a record that nobody may change, which spares a copy: a Delete or a condition only
// looks at it. A store that cannot share hands out a copy as ever.
func (t *transaction[T]) Peek(ctx context.Context, id any) (any, error) {
	if t.shared == nil {
		return t.Get(ctx, id)
	}
	return found(t.shared.Peek(ctx, id))
}

// Insert leaves the record to the store where nobody else keeps it ("stores"), so that a store in
// memory need not copy what will not change any more.
func (t *transaction[T]) Insert(ctx context.Context, record any, stores bool) error {
	if t.store.record != nil {
		t.store.record.Stamp(record, nil)
	}
	if stores && t.shared != nil {
		return t.shared.InsertOwn(ctx, record.(*T))
	}
	return t.typed.Insert(ctx, record.(*T))
}

// The record is stamped from what is stored within this transaction, not from what the request
// began with: two changes at once would otherwise both make version 2.
func (t *transaction[T]) Update(ctx context.Context, id, record any, stores bool) error {
	if t.store.record != nil {
		stored, err := t.Get(ctx, id) // what the record was read as may be old by now
		if err != nil {
			return err
		}
		t.store.record.Stamp(record, stored)
	}
	if stores && t.shared != nil {
		return t.shared.UpdateOwn(ctx, id, record.(*T))
	}
	return t.typed.Update(ctx, id, record.(*T))
}

func (t *transaction[T]) Delete(ctx context.Context, id any) error {
	return t.typed.Delete(ctx, id)
}

// errNoAnswers cannot be: New checks that the store keeps answers where they are needed.
var errNoAnswers = errors.New("the store's transactions keep no answers")

// Answers are asked of the transaction rather than of the store: an answer that is kept must be
// saved together with what it tells of, or not at all.
func (t *transaction[T]) Answer(ctx context.Context, key string) (store.Answer, error) {
	if keeper, ok := t.typed.(store.AnswerTx); ok {
		return keeper.Answer(ctx, key)
	}
	return store.Answer{}, errNoAnswers
}

func (t *transaction[T]) KeepAnswer(ctx context.Context, key string, answer store.Answer) error {
	if keeper, ok := t.typed.(store.AnswerTx); ok {
		return keeper.KeepAnswer(ctx, key, answer)
	}
	return errNoAnswers
}
