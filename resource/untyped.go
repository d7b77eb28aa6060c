package resource

import (
	"context"
	"errors"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// untyped is a store without its type parameter, for the request path.
type untyped[T any] struct{ typed store.Store[T] }

func (u untyped[T]) Get(ctx context.Context, id any) (any, error) {
	record, err := u.typed.Get(ctx, id)
	return record, err
}

func (u untyped[T]) List(ctx context.Context, query store.Query) (compiled.Page, error) {
	page, err := u.typed.List(ctx, query)
	return compiled.Page{Items: items[T](page.Items), Total: page.Total}, err
}

func (u untyped[T]) Transact(ctx context.Context, fn func(context.Context, compiled.Tx) error) error {
	return u.typed.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error {
		return fn(ctx, untypedTx[T]{tx})
	})
}

// untypedTx is a transaction without its type parameter.
type untypedTx[T any] struct{ typed store.Tx[T] }

func (u untypedTx[T]) Get(ctx context.Context, id any) (any, error) {
	record, err := u.typed.Get(ctx, id)
	return record, err
}

func (u untypedTx[T]) Insert(ctx context.Context, record any) error {
	return u.typed.Insert(ctx, record.(*T))
}

func (u untypedTx[T]) Update(ctx context.Context, id, record any) error {
	return u.typed.Update(ctx, id, record.(*T))
}

func (u untypedTx[T]) Delete(ctx context.Context, id any) error {
	return u.typed.Delete(ctx, id)
}

// errNoAnswers cannot be: New checks that the store keeps answers where they are needed.
var errNoAnswers = errors.New("the store's transactions keep no answers")

func (u untypedTx[T]) Answer(ctx context.Context, key string) (store.Answer, error) {
	if keeper, ok := u.typed.(store.AnswerTx); ok {
		return keeper.Answer(ctx, key)
	}
	return store.Answer{}, errNoAnswers
}

func (u untypedTx[T]) KeepAnswer(ctx context.Context, key string, answer store.Answer) error {
	if keeper, ok := u.typed.(store.AnswerTx); ok {
		return keeper.KeepAnswer(ctx, key, answer)
	}
	return errNoAnswers
}

// items are the records of a page without their type parameter.
type items[T any] []*T

func (i items[T]) Len() int                   { return len(i) }
func (i items[T]) At(n int) any               { return i[n] }
func (i items[T]) First(n int) compiled.Items { return i[:n] }
func (i items[T]) Reversed() compiled.Items {
	turned := slices.Clone(i)
	slices.Reverse(turned)
	return turned
}
