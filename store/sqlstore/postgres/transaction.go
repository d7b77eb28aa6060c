package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// commitPatience is how long a commit may take. It is long, because afterwards it is unknown whether the changes were
// saved.
const commitPatience = 30 * time.Second

// rollbackPatience is how long a rollback may take. After that its connection is closed, which also rolls back.
const rollbackPatience = 5 * time.Second

// transaction is a [sqlstore.Transaction]. It is not safe for concurrent use.
type transaction struct {
	driver *driver
	tx     pgx.Tx // nil until the first statement
	ended  bool
	// cause is the last error. PostgreSQL aborts the transaction then, and returns an error without the cause for every
	// later statement.
	cause error
}

// Query runs a statement and returns its rows. They must be closed before the next statement.
func (t *transaction) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	if t.tx == nil {
		found, err := t.begin(ctx, statement, args)
		if err != nil {
			return nil, err
		}
		return found, nil
	}
	found, err := t.tx.Query(ctx, statement, args...)
	if err != nil {
		return nil, t.explain(err)
	}
	return transactionRows{&rows{Rows: found}, t, nil}, nil
}

// Exec runs a statement.
func (t *transaction) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if t.tx == nil {
		found, err := t.begin(ctx, statement, args)
		if err != nil {
			return 0, err
		}
		err = found.Close()
		return found.CommandTag().RowsAffected(), err
	}
	tag, err := t.tx.Exec(ctx, statement, args...)
	return tag.RowsAffected(), t.explain(err)
}

// Commit saves the changes. If a statement failed before, nothing is saved and Commit returns that statement's error.
// If the connection is lost meanwhile, it is unknown whether the changes were saved.
func (t *transaction) Commit(ctx context.Context) error {
	if t.tx == nil {
		return ctx.Err()
	}
	defer t.end()
	limited, cancel := context.WithTimeout(ctx, commitPatience)
	defer cancel()
	err := t.tx.Commit(limited)
	if limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("the server has not confirmed the commit within %s: %w: %w", commitPatience, store.ErrUnavailable, err)
	}
	return t.explain(err)
}

// Rollback discards the changes, even if ctx is done. If the connection is lost, the server has rolled back.
func (t *transaction) Rollback(ctx context.Context) error {
	if t.tx == nil {
		return nil
	}
	defer t.end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackPatience)
	defer cancel()
	err := t.tx.Rollback(ctx)
	if errors.Is(err, pgx.ErrTxClosed) || isLost(err) {
		return nil
	}
	return err
}

// end returns the turn. Commit and Rollback have returned the connection.
func (t *transaction) end() {
	if !t.ended {
		t.ended = true
		<-t.driver.slots
	}
}

// explain returns the cause of an error that follows from an earlier one.
func (t *transaction) explain(err error) error {
	if err == nil {
		return nil
	}
	if t.cause == nil || !isConsequence(err) {
		t.cause = err
	}
	return t.cause
}

func isConsequence(err error) bool {
	return stateOf(err) == inFailedTransaction || errors.Is(err, pgx.ErrTxCommitRollback) ||
		errors.Is(err, pgx.ErrTxClosed) || errors.Is(err, pgconn.ErrConnClosed)
}

// transactionRows are the rows of a query in a transaction.
type transactionRows struct {
	*rows

	tx    *transaction
	first pgx.BatchResults // of the first statement, which end before the next statement; nil for others
}

// Next ends the results of the first statement after the last row, even if the rows are not closed.
func (r transactionRows) Next() bool {
	isRow := r.rows.Next()
	if !isRow {
		_ = r.Close() // Err returns the error
	}
	return isRow
}

func (r transactionRows) Err() error { return r.tx.explain(r.rows.Err()) }

func (r transactionRows) Close() error {
	err := r.rows.Close()
	if r.first != nil {
		err = cmp.Or(err, r.first.Close())
	}
	return r.tx.explain(err)
}

// begin begins the transaction and sends the first statement along, which saves a round trip; a transaction that ends
// before its first statement needs no connection.
func (t *transaction) begin(ctx context.Context, statement string, args []any) (found transactionRows, err error) {
	if err := t.driver.breaker.check(ctx, t.driver.pool); err != nil {
		return found, err
	}
	if err := txn.Take(ctx, t.driver.slots, t.driver.wait.limit); err != nil {
		return found, err
	}
	batch := &pgx.Batch{}
	batch.BeginTx(t.driver.options)
	if t.driver.wait.statement != "" {
		batch.Queue(t.driver.wait.statement)
	}
	before := batch.Len()
	batch.Queue(statement, args...)
	results := t.driver.pool.SendBatch(ctx, batch)
	t.tx = results.Tx()
	for range before {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // returns the same error
			return found, t.explain(err)
		}
	}
	first, err := results.Query()
	if err != nil {
		_ = results.Close() // returns the same error
		return found, t.explain(err)
	}
	return transactionRows{&rows{Rows: first}, t, results}, nil
}

// rows implements [sqlstore.Rows].
type rows struct {
	pgx.Rows

	plans []pgtype.ScanPlan // for each column, for the type it was last scanned into
	types []reflect.Type
}

// Scan copies the columns of the row. A value that does not fit does not end the rows, as it does with pgx's own Scan:
// one broken row would hide all later ones.
func (r *rows) Scan(dest ...any) error {
	columns, values := r.FieldDescriptions(), r.RawValues()
	if len(columns) != len(dest) {
		return fmt.Errorf("cannot scan %d columns into %d destinations", len(columns), len(dest))
	}
	if r.plans == nil {
		r.plans, r.types = make([]pgtype.ScanPlan, len(dest)), make([]reflect.Type, len(dest))
	}
	var failed error
	for i, into := range dest {
		if t := reflect.TypeOf(into); r.types[i] != t {
			r.types[i], r.plans[i] = t, r.Conn().TypeMap().PlanScan(columns[i].DataTypeOID, columns[i].Format, into)
		}
		if err := r.plans[i].Scan(values[i], into); err != nil && failed == nil {
			failed = fmt.Errorf("column %s: %w", columns[i].Name, err)
		}
	}
	return failed
}

// Close returns the connection. PostgreSQL reports some errors, such as a duplicate value, only after the last row;
// Close returns them too.
func (r *rows) Close() error {
	r.Rows.Close()
	return r.Err()
}
