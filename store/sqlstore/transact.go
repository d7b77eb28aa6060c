package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/store"
)

// transaction is one transaction of a database, for one goroutine at a time.
type transaction struct {
	Transaction

	db     *DB
	failed error // why nothing is saved, whatever the function returns

	answered bool           // has written answers
	changes  *store.Changes // nil if no listener wants to know
	// overtaken says that a record which it had not found was there when it was inserted:
	// another transaction has, and saved, it meanwhile.
	overtaken bool
}

// transactionKey finds the transaction of a database in a context.
type transactionKey struct{ db *DB }

// anyTransactionKey finds the innermost transaction in a context.
type anyTransactionKey struct{}

// Tx returns what runs statements in the transaction that a hook, a processor or a handler
// is in, and whether it is in one. What they change is saved with the record, or not at
// all; the hook may run again after a conflict. It is valid until the hook returns.
func Tx(ctx context.Context) (Executor, bool) {
	t, ok := ctx.Value(anyTransactionKey{}).(*transaction)
	return t, ok
}

// Query runs a statement in the transaction.
func (t *transaction) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	if t.failed != nil {
		return nil, t.failed
	}
	rows, err := t.Transaction.Query(ctx, statement, args...)
	return rows, t.db.explain(ctx, err)
}

// Exec runs a statement in the transaction.
func (t *transaction) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if t.failed != nil {
		return 0, t.failed
	}
	changed, err := t.Transaction.Exec(ctx, statement, args...)
	return changed, t.db.explain(ctx, err)
}

var (
	errEnded    = errors.New("sqlstore: the transaction has ended")
	errPanicked = errors.New("sqlstore: a function within the transaction panicked")
)

const (
	// attempts is how often a transaction is run when others keep it from being saved.
	attempts = 10
	// pause is how long the second attempt waits at most; each one more waits longer.
	pause = 4 * time.Millisecond
)

// transact runs fn in a transaction: that of the context, or a new one which is run again after a conflict.
func (db *DB) transact(ctx context.Context, fn func(context.Context, *transaction) error) error {
	if outer, ok := ctx.Value(transactionKey{db}).(*transaction); ok {
		return outer.join(ctx, fn)
	}
	db.mu.Lock()
	listeners := db.listeners // its elements never change
	db.mu.Unlock()
	changes, err := db.begin(ctx, fn, listeners != nil)
	if err != nil || changes == nil {
		return err
	}
	if all := changes.All(); len(all) > 0 {
		for _, listener := range listeners {
			listener.Committed(ctx, all)
		}
	}
	return nil
}

// begin runs fn in a new transaction, which is run again after a conflict. It returns the changes that it made, if they
// are to be noted.
func (db *DB) begin(ctx context.Context, fn func(context.Context, *transaction) error, notes bool) (*store.Changes, error) {
	entry, err := reentry.Enter(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	defer entry.Leave()
	for attempt := 1; ; attempt++ {
		var changes *store.Changes
		if notes {
			changes = new(store.Changes)
		}
		overtaken, err := db.attempt(ctx, fn, changes)
		switch {
		case err == nil:
			return changes, nil
		case overtaken && attempt < attempts:
			continue
		}
		if err = db.again(ctx, attempt, err); err != nil {
			return nil, err
		}
	}
}

// retried runs what is outside of transactions, again after a conflict.
func (db *DB) retried(ctx context.Context, run func() error) error {
	for attempt := 1; ; attempt++ {
		err := run()
		if err == nil {
			return nil
		}
		if err = db.again(ctx, attempt, err); err != nil {
			return err
		}
	}
}

// again waits before what failed is run once more, and returns nil then. It returns the error of what is not to be run again: one
// that is no conflict, or that of the last attempt.
func (db *DB) again(ctx context.Context, attempt int, err error) error {
	if attempt == attempts || db.driver.Fault(err).Kind != RetryFault {
		return err
	}
	wait := time.NewTimer(rand.N(pause << attempt)) //nolint:gosec // spreads attempts, keeps no secret
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// attempt runs fn in a new transaction, and saves what it did if all went well. Where it
// failed it reports whether another transaction has overtaken it.
func (db *DB) attempt(ctx context.Context, fn func(context.Context, *transaction) error, changes *store.Changes) (overtaken bool, err error) {
	begun, err := db.driver.Begin(ctx)
	if err != nil {
		return false, db.explain(ctx, err)
	}
	t := &transaction{Transaction: begun, db: db, changes: changes}
	saved := false
	defer func() {
		t.failed = errEnded
		if !saved {
			_ = begun.Rollback(context.WithoutCancel(ctx)) // a connection that is lost has rolled back
		}
	}()
	inner := context.WithValue(context.WithValue(ctx, transactionKey{db}, t), anyTransactionKey{}, t)
	switch err := fn(inner, t); {
	case err != nil:
		return t.overtaken, err
	case t.failed != nil:
		return t.overtaken, t.failed
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	if err := begun.Commit(ctx); err != nil {
		return t.overtaken, db.explain(ctx, err)
	}
	saved = true
	if t.answered {
		db.answers.sweep(ctx)
	}
	return false, nil
}

// join runs fn as a part of the transaction, which fails if fn does.
func (t *transaction) join(ctx context.Context, fn func(context.Context, *transaction) error) error {
	if t.failed != nil {
		return t.failed
	}
	err := errPanicked
	defer func() {
		if err != nil && t.failed == nil {
			t.failed = err
		}
	}()
	if err = ctx.Err(); err == nil {
		err = fn(ctx, t)
	}
	return err
}

// Transact runs fn in a transaction, that of the context where it has one of this database, else a
// new one: all that stores of the database do with the context that fn is handed is saved together, or
// nothing. After a conflict with another transaction fn is run again, as by [Store.Transact].
func (db *DB) Transact(ctx context.Context, fn func(ctx context.Context) error) error {
	if err := db.ready(); err != nil {
		return err
	}
	return db.transact(ctx, func(ctx context.Context, _ *transaction) error { return fn(ctx) })
}
