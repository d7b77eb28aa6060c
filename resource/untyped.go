package resource

import (
	"context"
	"slices"
	"sync"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// untyped is a store without its type parameter, for the request path.
type untyped[T any] struct {
	typed store.Store[T]
	idle  sync.Pool // of *untypedTx[T]
}

func newUntyped[T any](typed store.Store[T]) *untyped[T] {
	u := &untyped[T]{typed: typed}
	u.idle.New = func() any { return newUntypedTx[T]() }
	return u
}

func (u *untyped[T]) Get(ctx context.Context, id any) (any, error) {
	record, err := u.typed.Get(ctx, id)
	return record, err
}

func (u *untyped[T]) List(ctx context.Context, query store.Query) (compiled.Page, error) {
	page, err := u.typed.List(ctx, query)
	return compiled.Page{Items: &items[T]{page.Items}, Total: page.Total, Broken: page.Broken}, err
}

func (u *untyped[T]) Transact(ctx context.Context, runner compiled.Runner) error {
	tx := u.idle.Get().(*untypedTx[T])
	tx.runner = runner
	err := u.typed.Transact(ctx, tx.run)
	tx.runner, tx.typed, tx.shared = nil, nil, nil
	u.idle.Put(tx)
	return err
}

// items are the records of a page without their type parameter. The slice is the store's,
// which others may read.
type items[T any] struct{ records []*T }

func (i *items[T]) Len() int     { return len(i.records) }
func (i *items[T]) At(n int) any { return i.records[n] }
func (i *items[T]) Cut(n int)    { i.records = i.records[:n] }
func (i *items[T]) Reverse() {
	i.records = slices.Clone(i.records)
	slices.Reverse(i.records)
}
