package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// DB is a database, opened by sqlite.Open or postgres.Open. It is safe for concurrent use.
type DB struct {
	driver    Driver
	runs      runner                         // the driver, or what observes it
	replicas  runner                         // the same for queries that run on replicas; nil without any
	roams     func(ctx context.Context) bool // of replicas
	gate      *gate                          // nil if the driver has no limited number of connections
	dialect   *dialect
	responses *responseTable
	log       *Store[store.LogEntry]
	outage    outage
	retries   atomic.Int64
	hasTrash  atomic.Bool   // of a declared table
	staleness time.Duration // of replicas

	mu      sync.Mutex
	deleted time.Time // of the last deletion to the trash
	tables  []*plan   // all declared tables, which find each other by type; the slice is replaced, never changed

	listeners []*store.Listener   // the slice is replaced, never changed
	logs      map[logName]entryOf // the map is replaced, never changed
}

// New returns a database that uses a driver. Packages of drivers call it.
func New(driver Driver) *DB {
	db := &DB{driver: driver, runs: driver, dialect: new(dialect)}
	if driver != nil && driver.Dialect() != nil {
		own := driver.Dialect()
		facts := own.Facts()
		facts.KeyText, facts.CastText = cmp.Or(facts.KeyText, facts.Text), cmp.Or(facts.CastText, "TEXT")
		facts.ForShare, facts.TimeLayout = cmp.Or(facts.ForShare, "FOR SHARE"), cmp.Or(facts.TimeLayout, time.RFC3339Nano)
		db.dialect = &dialect{own, facts}
	}
	db.gate = newGate(db)
	if replicated, ok := driver.(replicating); ok {
		db.replicas, db.staleness = replicated.Replicas()
		db.roams = replicated.Roams
	}
	db.responses, db.log = newResponseTable(db), Table[store.LogEntry](db, Named(logTable))
	return db
}

// Dialect returns the SQL dialect of the database.
func (db *DB) Dialect() Dialect { return db.dialect.Dialect }

var errNoDatabase = errors.New("sqlstore: the database is nil: open one with sqlite.Open or postgres.Open")

// ready returns an error if the database cannot be used.
func (db *DB) ready() error {
	if db == nil || db.driver == nil {
		return errNoDatabase
	}
	if db.dialect.Dialect == nil {
		return errors.New("sqlstore: the driver has no dialect")
	}
	return nil
}

// Rebind returns a statement with the placeholders of the database instead of question marks, such as $1 for PostgreSQL,
// so that a program can use the same statements with each database. Question marks in strings, quoted names and comments
// stay. PostgreSQL's operators with a question mark have other names: jsonb_exists instead of ?.
func (db *DB) Rebind(statement string) string {
	if !db.dialect.facts.Numbered {
		return statement
	}
	return rebind(statement)
}

// Query runs a statement that returns rows, outside of any transaction. The caller closes the rows. Use [Tx] to run
// statements in the transaction of a context.
func (db *DB) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	if db.replicas != nil { // the statement may write
		txn.RouteOf(ctx).Pin("", true)
	}
	return db.query(ctx, statement, args)
}

func (db *DB) query(ctx context.Context, statement string, args []any) (Rows, error) {
	rows, err := db.runs.Query(ctx, statement, args...)
	return rows, db.explain(ctx, err)
}

// Exec runs a statement in a transaction of its own and returns the number of changed rows. After a conflict it runs it
// again. Within a hook, use [Tx]: on SQLite, where only one transaction writes at a time, Exec returns an error there.
func (db *DB) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if err := db.checkOutside(ctx); err != nil {
		return 0, err
	}
	var changed int64
	err := db.retried(ctx, func() (err error) {
		changed, err = db.runs.Exec(ctx, statement, args...)
		return db.explain(ctx, err)
	})
	return changed, err
}

// checkOutside returns the error of a write that would wait for its own transaction.
func (db *DB) checkOutside(ctx context.Context) error {
	if db.dialect.facts.RowLocks {
		return nil
	}
	if _, within := ctx.Value(transactionKey{db}).(*transaction); within {
		return errors.New("sqlstore: DB.Exec within a transaction would wait for that transaction forever: use the executor of sqlstore.Tx")
	}
	guard, err := txn.Enter(ctx, db)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	guard.Leave()
	return nil
}

// Close closes all connections. Calls that use the database meanwhile return errors.
func (db *DB) Close() error { return db.driver.Close() }

// finish closes rows, and returns the first error of reading them.
func (db *DB) finish(ctx context.Context, rows Rows, err error) error {
	for _, end := range []error{rows.Err(), rows.Close()} {
		if err == nil {
			err = db.explain(ctx, end)
		}
	}
	return err
}

// querier runs statements that only read.
type querier interface {
	Query(ctx context.Context, statement string, args ...any) (Rows, error)
}

// first runs a statement, scans the first row into dest, and reports whether there is one.
func (db *DB) first(ctx context.Context, from querier, statement string, args []any, dest ...any) (found bool, err error) {
	rows, err := from.Query(ctx, statement, args...)
	if err != nil {
		return false, err
	}
	if found = rows.Next(); found && len(dest) > 0 {
		err = rows.Scan(dest...)
	}
	return found, db.finish(ctx, rows, err)
}

// each runs a statement and calls scan for each of its rows.
func (db *DB) each(ctx context.Context, from querier, statement string, args []any, scan func(rows Rows) error) error {
	rows, err := from.Query(ctx, statement, args...)
	if err != nil {
		return err
	}
	for err == nil && rows.Next() {
		err = scan(rows)
	}
	return db.finish(ctx, rows, err)
}

// explain wraps an error of the database in the store error that it means. The database's error stays in the chain, for
// the log.
func (db *DB) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, store.ErrUnavailable) { // the driver has classified it
		return fmt.Errorf("sqlstore: %w", err)
	}
	fault := db.driver.Fault(err)
	switch fault.Kind {
	case ForeignKeyFault:
		return constraintError(err, "another record references this one, or this one references a record that does not exist", fault)
	case CheckFault:
		return constraintError(err, "a value is not allowed", fault)
	case UniqueFault:
		return constraintError(err, "a value is already in use", fault)
	case RetryFault: // the attempts are used up
		return fmt.Errorf("sqlstore: conflict with another transaction: %w: %w", store.ErrUnavailable, err)
	case UnwritableFault:
		db.outage.begun.Store(true)
		return fmt.Errorf("sqlstore: %w: %w", store.ErrUnavailable, err)
	case UnavailableFault:
		return fmt.Errorf("sqlstore: %w: %w", store.ErrUnavailable, err)
	}
	return fmt.Errorf("sqlstore: %w", err)
}

// constraintError returns the error of a constraint.
func constraintError(err error, why string, fault Fault) error {
	return fmt.Errorf("sqlstore: %s (constraint %q): %w: %w", why, fault.Constraint, store.ErrConstraint, err)
}
