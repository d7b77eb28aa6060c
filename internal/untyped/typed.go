package untyped

import (
	"context"
	"errors"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// Typed has the methods of a [store.Store] for a store that has been written without a type parameter.
type Typed[T any] struct{ Records compiled.Store }

// Get returns a record.
func (t Typed[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := t.Records.Get(ctx, id)
	found, _ := record.(*T)
	return found, err
}

// GetMany returns several records.
func (t Typed[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	found, err := t.Records.GetMany(ctx, ids, nil)
	if err != nil {
		return nil, err
	}
	records := make([]*T, len(found))
	for i, record := range found {
		records[i], _ = record.(*T)
	}
	return records, nil
}

// List returns a page.
func (t Typed[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	found, err := t.Records.List(ctx, query)
	if err != nil {
		return store.Page[T]{}, err
	}
	page := store.Page[T]{Items: make([]*T, found.Items.Len()), Total: found.Total, Broken: found.Broken, Positions: found.Items.Positions()}
	for i := range page.Items {
		page.Items[i], _ = found.Items.At(i).(*T)
	}
	return page, nil
}

// Transact runs fn in a transaction.
func (t Typed[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	return t.Records.Transact(ctx, function[T](fn))
}

// function is the function of a transaction.
type function[T any] func(ctx context.Context, tx store.Tx[T]) error

// Run calls the function.
func (f function[T]) Run(ctx context.Context, tx compiled.Tx) error { return f(ctx, typedTx[T]{tx}) }

// typedTx is a [store.Tx] and a [store.ResponseTx].
type typedTx[T any] struct{ compiled.Tx }

// Get returns a copy of a record.
func (t typedTx[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := t.Tx.Get(ctx, id)
	found, _ := record.(*T)
	return found, err
}

// Insert adds a record.
func (t typedTx[T]) Insert(ctx context.Context, record *T) error {
	if record == nil {
		return errNil
	}
	return t.Tx.Insert(ctx, record, false)
}

// Update replaces a record.
func (t typedTx[T]) Update(ctx context.Context, id any, record *T) error {
	if record == nil {
		return errNil
	}
	return t.Tx.Update(ctx, id, record, false)
}

var errNil = errors.New("store: the record is nil")
