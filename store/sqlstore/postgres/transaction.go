package postgres

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/store/sqlstore"
)

// rollbackPatience is how long a rollback may take before its connection is given up, which rolls back too.
const rollbackPatience = 5 * time.Second

// transaction is a [sqlstore.Transaction]. It is for one goroutine.
type transaction struct {
	driver *driver
	tx     pgx.Tx // nil until the first statement
	ended  bool
	// cause is the last error. PostgreSQL aborts the transaction with it, and answers
	// every statement after it with another that says nothing of the cause.
	cause error
}

// Query runs a statement and returns its rows, which are to be closed before the next statement.
func (t *transaction) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	if t.tx == nil {
		return t.beginWithQuery(ctx, statement, args)
	}
	found, err := t.tx.Query(ctx, statement, args...)
	if err != nil {
		return nil, t.explain(err)
	}
	return transactionRows{&rows{Rows: found}, t}, nil
}

// Exec runs a statement.
func (t *transaction) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if t.tx == nil {
		return t.beginWithExec(ctx, statement, args)
	}
	tag, err := t.tx.Exec(ctx, statement, args...)
	return tag.RowsAffected(), t.explain(err)
}

// Commit saves the changes. Where a statement had failed before nothing is saved, and Commit returns that statement's error. With
// the connection lost meanwhile nobody can tell whether they are saved.
func (t *transaction) Commit(ctx context.Context) error {
	if t.tx == nil {
		return ctx.Err()
	}
	defer t.end()
	return t.explain(t.tx.Commit(ctx))
}

// Rollback drops the changes, even when ctx is done. A connection that is lost needs none: the server has rolled back.
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

// end gives the turn back; Commit and Rollback have given the connection back.
func (t *transaction) end() {
	if !t.ended {
		t.ended = true
		<-t.driver.turns
	}
}

// explain returns the cause of an error that only follows from an earlier one.
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
	tx *transaction
}

func (r transactionRows) Err() error   { return r.tx.explain(r.rows.Err()) }
func (r transactionRows) Close() error { return r.tx.explain(r.rows.Close()) }

// begin begins the transaction, and sends the first statement along: that saves waiting for the server once, and a transaction
// that ends before its first statement needs no connection. The results are to be closed before the next statement.
func (t *transaction) begin(ctx context.Context, statement string, args []any) (pgx.BatchResults, error) {
	if err := t.driver.doubt.check(ctx, t.driver.pool); err != nil {
		return nil, err
	}
	if err := patience.Take(ctx, t.driver.turns, t.driver.wait.limit); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	batch.BeginTx(pgx.TxOptions{})
	if t.driver.wait.statement != "" {
		batch.Queue(t.driver.wait.statement)
	}
	before := batch.Len()
	batch.Queue(statement, args...)
	results := t.driver.pool.SendBatch(ctx, batch)
	t.tx = results.Tx()
	for range before {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // says the same again
			return nil, t.explain(err)
		}
	}
	return results, nil
}

func (t *transaction) beginWithExec(ctx context.Context, statement string, args []any) (int64, error) {
	results, err := t.begin(ctx, statement, args)
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	if closing := results.Close(); err == nil {
		err = closing
	}
	return tag.RowsAffected(), t.explain(err)
}

func (t *transaction) beginWithQuery(ctx context.Context, statement string, args []any) (sqlstore.Rows, error) {
	results, err := t.begin(ctx, statement, args)
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		_ = results.Close() // says the same again
		return nil, t.explain(err)
	}
	return &firstRows{transactionRows{&rows{Rows: found}, t}, results, false}, nil
}

// firstRows are the rows of the first query of a transaction. The end of them is the end of
// what the connection is busy with, whether they are closed or not.
type firstRows struct {
	transactionRows

	results pgx.BatchResults
	ended   bool
}

func (r *firstRows) Next() bool {
	r.ended = !r.transactionRows.Next()
	if r.ended {
		_ = r.Close() // Err says it again
	}
	return !r.ended
}

func (r *firstRows) Err() error {
	if r.ended {
		return r.Close()
	}
	return r.transactionRows.Err()
}

func (r *firstRows) Close() error {
	err := r.transactionRows.Close()
	if closing := r.results.Close(); err == nil {
		err = r.tx.explain(closing)
	}
	return err
}

// rows are [sqlstore.Rows].
type rows struct {
	pgx.Rows

	plans []pgtype.ScanPlan // for each column, made for the type that it was last read into
	types []reflect.Type
}

// Scan copies the columns of the row. A value that does not fit leaves the rows as they are:
// pgx's own Scan would end them, and one broken row would hide all behind it.
func (r *rows) Scan(dest ...any) error {
	columns, values := r.FieldDescriptions(), r.RawValues()
	if len(columns) != len(dest) {
		return fmt.Errorf("%d columns are read into %d places", len(columns), len(dest))
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
			failed = fmt.Errorf("the column %s: %w", columns[i].Name, err)
		}
	}
	return failed
}

// Close gives the connection back. PostgreSQL reports some errors, such as a value that
// must be unique, only when the rows have ended: Close returns them too.
func (r *rows) Close() error {
	r.Rows.Close()
	return r.Err()
}
