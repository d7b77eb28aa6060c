package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/store"
)

// DB is a database, as sqlite.Open or postgres.Open opens it. It is safe for use by many goroutines.
type DB struct {
	driver  Driver
	dialect *dialect
	broken  error // why the driver cannot be used
	answers *answerTable

	mu     sync.Mutex
	tables []*plan // that were declared, which find each other by their types; replaced, never changed

	listeners []*store.Listener // of commits; replaced, never changed
}

// New returns a database over a driver. Packages of drivers call it.
func New(driver Driver) *DB {
	db := &DB{driver: driver, dialect: new(dialect)}
	if driver != nil {
		if own := driver.Dialect(); own == nil {
			db.broken = errors.New("sqlstore: the driver has no dialect")
		} else {
			facts := own.Facts()
			facts.KeyText = cmp.Or(facts.KeyText, facts.Text)
			db.dialect, db.broken = &dialect{own, facts}, facts.missing(own.Name())
		}
	}
	db.answers = newAnswerTable(db)
	return db
}

// Dialect returns how the database writes SQL.
func (db *DB) Dialect() Dialect { return db.dialect.Dialect }

var errNoDatabase = errors.New("sqlstore: the database is nil: open one with sqlite.Open or postgres.Open")

// ready returns the error of a database that cannot be used.
func (db *DB) ready() error {
	if db == nil || db.driver == nil {
		return errNoDatabase
	}
	return db.broken
}

// Query runs a statement that returns rows, which the caller closes, outside of any transaction; [Tx] gives the one of a context.
func (db *DB) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	rows, err := db.driver.Query(ctx, statement, args...)
	return rows, db.explain(ctx, err)
}

// Exec runs a statement in a transaction of its own, again after a conflict, and returns how many rows it changed. Within a hook,
// use [Tx]: on SQLite, where one transaction writes at a time, Exec is refused there.
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

// lockedOut returns the error of a write that would wait for the transaction which it is made in.
func (db *DB) lockedOut(ctx context.Context) error {
	if db.dialect.facts.RowLocks {
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

// querier runs statements that read.
type querier interface {
	Query(ctx context.Context, statement string, args ...any) (Rows, error)
}

// first runs a statement, and reports whether it finds a row. It scans the first one into dest.
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

// each runs a statement, and has scan read each of its rows.
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

// strings returns the first column of the rows that a query about a table finds.
func (db *DB) strings(ctx context.Context, from querier, query, table string) (found []string, err error) {
	err = db.each(ctx, from, query, []any{table}, func(rows Rows) error {
		var text string
		err := rows.Scan(&text)
		found = append(found, text)
		return err
	})
	return found, err
}

// explain says in an error of the database what it means for a store. The database's own
// error stays in it, for the log and for those who know the database.
func (db *DB) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, store.ErrUnavailable) { // the driver says so itself
		return fmt.Errorf("sqlstore: %w", err)
	}
	fault := db.driver.Fault(err)
	switch fault.Kind {
	case ForeignKeyFault:
		return refused(err, "another record refers to this one, or this one to one that is not there", fault)
	case CheckFault:
		return refused(err, "a value is not allowed", fault)
	case UniqueFault:
		return refused(err, "a value is taken", fault)
	case RetryFault: // of whatever is not run again in the end
		return fmt.Errorf("sqlstore: in conflict with another transaction: %w: %w", store.ErrUnavailable, err)
	case UnavailableFault:
		return fmt.Errorf("sqlstore: %w: %w", store.ErrUnavailable, err)
	}
	return fmt.Errorf("sqlstore: %w", err)
}

// refused is the error of a constraint.
func refused(err error, why string, fault Fault) error {
	return fmt.Errorf("sqlstore: %s (constraint %q): %w: %w", why, cmp.Or(fault.Constraint, fault.Column), store.ErrConflict, err)
}

// taken returns the error of a unique value that another record has, if err is one.
func (p *plan) taken(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	fault := p.db.driver.Fault(err)
	if fault.Kind != UniqueFault {
		return err
	}
	isKey := fault.Constraint == p.name+"_pkey"
	if len(p.ids) > 1 && (isKey || p.isKey(strings.Split(fault.Constraint, ", "))) {
		return store.UniqueError{Field: p.key.Name()}
	}
	for _, c := range p.columns {
		if c.unique && (c.name == fault.Column || p.uniqueIndex(c) == fault.Constraint || len(p.ids) == 1 && c == p.ids[0] && isKey) {
			return store.UniqueError{Field: c.field.Name}
		}
	}
	if made := p.constraints.Load(); made != nil && (*made)[fault.Constraint] != "" {
		return store.UniqueError{Field: (*made)[fault.Constraint]}
	}
	return err
}

// isKey reports whether names are those of the columns of the identifier, in any order.
func (p *plan) isKey(columns []string) bool {
	named := func(c *column) bool { return slices.Contains(columns, c.name) }
	return len(columns) == len(p.ids) && !slices.ContainsFunc(p.ids, func(c *column) bool { return !named(c) })
}
