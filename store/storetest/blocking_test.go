package storetest_test

import (
	"context"
	"sync"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/storetest"
)

// blocking locks records when a transaction reads them, in that order, so that two transactions can wait for each
// other.
type blocking struct {
	*plain[storetest.Record]
	locks sync.Map
}

func newBlocking(p *plain[storetest.Record]) *blocking { return &blocking{plain: p} }

func (b *blocking) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Record]) error) error {
	tx := &blockingTx{store: b, held: map[any]chan struct{}{}}
	defer func() {
		for _, lock := range tx.held {
			<-lock
		}
	}()
	if err := fn(ctx, tx); err != nil {
		return err
	}
	return b.plain.Transact(ctx, func(ctx context.Context, inner store.Tx[storetest.Record]) error {
		for id, record := range tx.changed {
			if err := inner.Update(ctx, id, record); err != nil {
				return err
			}
		}
		for _, record := range tx.inserted {
			if err := inner.Insert(ctx, record); err != nil {
				return err
			}
		}
		return nil
	})
}

type blockingTx struct {
	store    *blocking
	held     map[any]chan struct{}
	changed  map[any]*storetest.Record
	inserted []*storetest.Record
}

func (t *blockingTx) Get(ctx context.Context, id any) (*storetest.Record, error) {
	lock, _ := t.store.locks.LoadOrStore(id, make(chan struct{}, 1))
	if _, held := t.held[id]; !held {
		select {
		case lock.(chan struct{}) <- struct{}{}:
			t.held[id] = lock.(chan struct{})
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	record, err := t.store.Get(ctx, id)
	return clone(record), err
}

func (t *blockingTx) Insert(_ context.Context, record *storetest.Record) error {
	t.inserted = append(t.inserted, record)
	return nil
}

func (t *blockingTx) Update(_ context.Context, id any, record *storetest.Record) error {
	if t.changed == nil {
		t.changed = map[any]*storetest.Record{}
	}
	t.changed[id] = record
	return nil
}

func (*blockingTx) Delete(context.Context, any) error { return nil }
