package untyped

import (
	"context"
	"errors"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// transaction is a transaction without its type parameter. It is reused for one transaction after another.
// [records.Transact] clears it, because a pool keeps it.
type transaction struct {
	store  *records
	runner compiled.Runner
	typed  any // the store.Tx

	transact func(ctx context.Context) error
	get      func(ctx context.Context, id any) (any, error)
	insert   func(ctx context.Context, record any) error
	update   func(ctx context.Context, id, record any) error
	remove   func(ctx context.Context, id any) error
	end      func()
}

func newTransaction[T any](of *records, typed store.Store[T]) *transaction {
	t := &transaction{store: of}
	var tx store.Tx[T]
	run := func(ctx context.Context, begun store.Tx[T]) error {
		tx, t.typed = begun, begun
		return t.runner.Run(ctx, t)
	}
	t.transact = func(ctx context.Context) error { return typed.Transact(ctx, run) }
	t.get = func(ctx context.Context, id any) (any, error) {
		record, err := tx.Get(ctx, id)
		return found(record, record == nil, err)
	}
	t.insert = func(ctx context.Context, record any) error { return tx.Insert(ctx, record.(*T)) }
	t.update = func(ctx context.Context, id, record any) error { return tx.Update(ctx, id, record.(*T)) }
	t.remove = func(ctx context.Context, id any) error { return tx.Delete(ctx, id) }
	t.end = func() { tx = nil }
	return t
}

func (t *transaction) Get(ctx context.Context, id any) (any, error) { return t.get(ctx, id) }

// Peek returns a copy. Only stores without a type parameter share records.
func (t *transaction) Peek(ctx context.Context, id any) (any, error) { return t.get(ctx, id) }

// Insert passes the record to the store, which copies it.
func (t *transaction) Insert(ctx context.Context, record any, _ bool) error {
	if err := t.store.check(record); err != nil {
		return err
	}
	if t.store.record != nil {
		t.store.record.Stamp(record, nil)
	}
	return t.insert(ctx, record)
}

// Update stamps the record based on the one stored in this transaction, not the one the request read: otherwise two
// concurrent changes could both get version 2.
func (t *transaction) Update(ctx context.Context, id, record any, _ bool) error {
	if err := t.store.check(record); err != nil {
		return err
	}
	if t.store.record != nil {
		stored, err := t.get(ctx, id) // the record read earlier may be outdated
		if err != nil {
			return err
		}
		t.store.record.Stamp(record, stored)
	}
	return t.update(ctx, id, record)
}

func (t *transaction) Delete(ctx context.Context, id any) error { return t.remove(ctx, id) }

// Restore restores a record, if the transaction of the store is a store.TrashTx. New checks that it should be one.
func (t *transaction) Restore(ctx context.Context, id any) error {
	if trash, ok := t.typed.(store.TrashTx); ok {
		return trash.Restore(ctx, id)
	}
	return errNoTrash
}

// Purge purges a record, as Restore restores one.
func (t *transaction) Purge(ctx context.Context, id any) error {
	if trash, ok := t.typed.(store.TrashTx); ok {
		return trash.Purge(ctx, id)
	}
	return errNoTrash
}

// errNoTrash cannot occur, because New checks that the store is a Trasher if necessary.
var errNoTrash = errors.New("the store's transactions do not implement store.TrashTx")

// errNoResponses cannot occur, because New checks that the store is a ResponseKeeper if necessary.
var errNoResponses = errors.New("the store's transactions do not implement store.ResponseTx")

// Response is a method of the transaction rather than the store, because a response must be saved together with its
// records, or not at all.
func (t *transaction) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	if keeper, ok := t.typed.(store.ResponseTx); ok {
		return keeper.Response(ctx, key)
	}
	return store.StoredResponse{}, errNoResponses
}

func (t *transaction) KeepResponse(ctx context.Context, key string, response store.StoredResponse) error {
	if keeper, ok := t.typed.(store.ResponseTx); ok {
		return keeper.KeepResponse(ctx, key, response)
	}
	return errNoResponses
}
