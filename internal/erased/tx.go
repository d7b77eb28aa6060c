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

// Peek returns a copy as ever: what shares records is a store without a type parameter.
func (t *transaction) Peek(ctx context.Context, id any) (any, error) { return t.get(ctx, id) }

// Insert has the store copy the record, whoever keeps it.
func (t *transaction) Insert(ctx context.Context, record any, _ bool) error {
	if t.store.record != nil {
		t.store.record.Stamp(record, nil)
	}
	return t.insert(ctx, record)
}

// The record is stamped from what is stored within this transaction, not from what the request
// began with: two changes at once would otherwise both make version 2.
func (t *transaction) Update(ctx context.Context, id, record any, _ bool) error {
	if t.store.record != nil {
		stored, err := t.get(ctx, id) // what the record was read as may be old by now
		if err != nil {
			return err
		}
		t.store.record.Stamp(record, stored)
	}
	return t.update(ctx, id, record)
}

func (t *transaction) Delete(ctx context.Context, id any) error { return t.remove(ctx, id) }

// errNoAnswers cannot be: New checks that the store keeps answers where they are needed.
var errNoAnswers = errors.New("the store's transactions keep no answers")

// Answers are asked of the transaction rather than of the store: an answer that is kept must be
// saved together with what it tells of, or not at all.
func (t *transaction) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	if keeper, ok := t.typed.(store.ResponseTx); ok {
		return keeper.Response(ctx, key)
	}
	return store.StoredResponse{}, errNoAnswers
}

func (t *transaction) KeepResponse(ctx context.Context, key string, answer store.StoredResponse) error {
	if keeper, ok := t.typed.(store.ResponseTx); ok {
		return keeper.KeepResponse(ctx, key, answer)
	}
	return errNoAnswers
}
