package resource

import (
	"context"
	"errors"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// untypedTx is a transaction without its type parameter. One after the other is run with
// it.
type untypedTx[T any] struct {
	store  *untyped[T]
	runner compiled.Runner
	typed  store.Tx[T]
	shared compiled.Sharer[T] // the transaction again; nil where it copies everything
	run    func(ctx context.Context, tx store.Tx[T]) error
}

func newUntypedTx[T any](of *untyped[T]) *untypedTx[T] {
	u := &untypedTx[T]{store: of}
	u.run = func(ctx context.Context, tx store.Tx[T]) error {
		u.typed = tx
		u.shared, _ = tx.(compiled.Sharer[T])
		return u.runner.Run(ctx, u)
	}
	return u
}

func (u *untypedTx[T]) Get(ctx context.Context, id any) (any, error) {
	return found(u.typed.Get(ctx, id))
}

func (u *untypedTx[T]) Peek(ctx context.Context, id any) (any, error) {
	if u.shared == nil {
		return u.Get(ctx, id)
	}
	return found(u.shared.Peek(ctx, id))
}

func (u *untypedTx[T]) Insert(ctx context.Context, record any, stores bool) error {
	if u.store.record != nil {
		u.store.record.Stamp(record, nil)
	}
	if stores && u.shared != nil {
		return u.shared.InsertOwn(ctx, record.(*T))
	}
	return u.typed.Insert(ctx, record.(*T))
}

func (u *untypedTx[T]) Update(ctx context.Context, id, record any, stores bool) error {
	if u.store.record != nil {
		stored, err := u.Get(ctx, id) // what the record was read as may be old by now
		if err != nil {
			return err
		}
		u.store.record.Stamp(record, stored)
	}
	if stores && u.shared != nil {
		return u.shared.UpdateOwn(ctx, id, record.(*T))
	}
	return u.typed.Update(ctx, id, record.(*T))
}

func (u *untypedTx[T]) Delete(ctx context.Context, id any) error {
	return u.typed.Delete(ctx, id)
}

// errNoAnswers cannot be: New checks that the store keeps answers where they are needed.
var errNoAnswers = errors.New("the store's transactions keep no answers")

func (u *untypedTx[T]) Answer(ctx context.Context, key string) (store.Answer, error) {
	if keeper, ok := u.typed.(store.AnswerTx); ok {
		return keeper.Answer(ctx, key)
	}
	return store.Answer{}, errNoAnswers
}

func (u *untypedTx[T]) KeepAnswer(ctx context.Context, key string, answer store.Answer) error {
	if keeper, ok := u.typed.(store.AnswerTx); ok {
		return keeper.KeepAnswer(ctx, key, answer)
	}
	return errNoAnswers
}
