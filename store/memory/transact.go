package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/store"
)

var (
	errContended = errors.New("store/memory: another transaction holds the record; this one is run again")
	errEnded     = errors.New("store/memory: the transaction has ended")
	errPanicked  = errors.New("store/memory: a function within the transaction panicked")
)

// function is what runs in a transaction.
type function[T any] = func(ctx context.Context, tx store.Tx[T]) error

// transactionKey finds the transaction of one store in a context.
type transactionKey[T any] struct{ store *Store[T] }

// scope is the context that the function of a transaction is handed.
type scope[T any] struct {
	context.Context //nolint:containedctx // it is one

	tx *transaction[T]
}

// Value returns the transaction, or what the context around it has.
func (s *scope[T]) Value(key any) any {
	if k, ok := key.(transactionKey[T]); ok && k.store == s.tx.store {
		return s.tx
	}
	return s.Context.Value(key)
}

// Transact runs fn in a transaction, as the package documentation describes; twice at
// most. It honours the context while it waits for records, which it does for 10 seconds at
// most, or as [Store.LockTimeout] says, and saves nothing when the context is cancelled
// before fn returns.
func (s *Store[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	if err := s.Check(ctx); err != nil {
		return err
	}
	if outer, ok := ctx.Value(transactionKey[T]{s}).(*transaction[T]); ok {
		return outer.join(ctx, fn)
	}
	entry, err := reentry.Enter(ctx, s)
	if err != nil {
		return fmt.Errorf("store/memory: %w", err)
	}
	defer entry.Leave()
	contended, err := s.attempt(ctx, fn, false)
	if !contended {
		return err
	}
	if err := patience.Take(ctx, s.turn, s.table.patience); err != nil {
		return lockError(err)
	}
	defer func() { <-s.turn }()
	_, err = s.attempt(ctx, fn, true)
	return err
}

// lockError says of an error of waiting what was waited for.
func lockError(err error) error {
	if errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("store/memory: another transaction holds the record: %w", err)
	}
	return err
}

// attempt runs fn in a new transaction and saves what it staged, unless the
// transaction was contended. A patient transaction never is: it waits for any record.
// There is one at most, and the others hold nothing while they wait, so that it gets
// every record in the end.
func (s *Store[T]) attempt(ctx context.Context, fn function[T], patient bool) (contended bool, err error) {
	tx := &transaction[T]{store: s, patient: patient, staged: staged{uniques: s.shape.columns.uniques}}
	tx.scope = scope[T]{ctx, tx}
	defer tx.end()
	err = tx.run(&tx.scope, fn)
	switch {
	case tx.contended:
		return true, nil
	case err != nil:
		return false, err
	case tx.failed != nil:
		return false, tx.failed
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	return false, s.save(tx)
}

// save saves what a transaction staged. Nobody reads its answers before it gives back
// their keys, so that they are there with the records.
func (s *Store[T]) save(tx *transaction[T]) error {
	if tx.answers == nil {
		return s.table.commit(&tx.staged, true)
	}
	err := s.table.commit(&tx.staged, false)
	if err == nil {
		s.answers.keep(tx.answers, time.Now())
	}
	return err
}

// join runs fn as a part of the transaction, which fails if fn does.
func (t *transaction[T]) join(ctx context.Context, fn function[T]) error {
	if t.failed != nil {
		return t.failed
	}
	err := errPanicked
	defer func() {
		if err != nil && t.failed == nil {
			t.failed = err
		}
	}()
	err = t.run(ctx, fn)
	return err
}

func (t *transaction[T]) run(ctx context.Context, fn function[T]) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn(ctx, t)
}

// end gives back all records, whether the transaction was saved or not.
func (t *transaction[T]) end() {
	t.failed = errEnded
	if len(t.staged.changes) > 0 {
		t.store.table.release(&t.staged)
	}
}
