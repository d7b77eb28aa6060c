package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/store"
)

// DB is a database, as sqlite.Open or postgres.Open opens it. It is safe for use by many
// goroutines.
type DB struct {
	driver  Driver
	answers *answerTable

	mu     sync.Mutex
	tables []*plan // that were declared, which find each other by their types; replaced, never changed

	listeners []*store.Listener // of commits; replaced, never changed
}

// New returns a database over a driver. Packages of drivers call it.
func New(driver Driver) *DB {
	db := &DB{driver: driver}
	db.answers = newAnswerTable(db)
	return db
}

// Dialect returns how the database writes SQL.
func (db *DB) Dialect() Dialect { return db.driver.Dialect() }

// Query runs a statement that returns rows, which the caller closes, outside of any
// transaction; [Tx] gives the one of a context.
func (db *DB) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	rows, err := db.driver.Query(ctx, statement, args...)
	return rows, db.explain(ctx, err)
}

// Exec runs a statement in a transaction of its own, again after a conflict, and returns how
// many rows it changed. Within a hook, use [Tx]: on SQLite, where one transaction writes at a
// time, Exec is refused there.
func (db *DB) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if err := db.lockedOut(ctx); err != nil {
		return 0, err
	}
	var changed int64
	err := db.retried(ctx, func() (err error) {
		changed, err = db.driver.Exec(ctx, statement, args...)
		return db.explain(ctx, err)
	})
	return changed, err
}

// lockedOut returns the error of a write that would wait for the transaction which it is
// made in.
func (db *DB) lockedOut(ctx context.Context) error {
	if db.driver.Dialect().RowLocks {
		return nil
	}
	if _, within := ctx.Value(transactionKey{db}).(*transaction); within {
		return errors.New("sqlstore: DB.Exec within a transaction would wait for it for ever: use the executor of sqlstore.Tx")
	}
	entry, err := reentry.Enter(ctx, db)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	entry.Leave()
	return nil
}

// Close closes every connection. Records that are in use meanwhile are errors.
func (db *DB) Close() error { return db.driver.Close() }

// finish gives rows back, and returns the first of the errors of reading them.
func (db *DB) finish(ctx context.Context, rows Rows, err error) error {
	for _, end := range []error{rows.Err(), rows.Close()} {
		if err == nil {
			err = db.explain(ctx, end)
		}
	}
	return err
}

// ready returns the error of a missing database.
func (db *DB) ready() error {
	if db == nil || db.driver == nil {
		return errors.New("sqlstore: the database is nil: open one with sqlite.Open or postgres.Open")
	}
	return nil
}
