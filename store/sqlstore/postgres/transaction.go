package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trove-api/trove/store/sqlstore"
)

// rollbackPatience is how long a rollback may take before its connection is given up,
// which rolls back too.
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

// Query runs a statement and returns its rows, which are to be closed before the next
// statement.
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

// Commit saves the changes. Where a statement had failed before nothing is saved, and
// Commit returns that statement's error. With the connection lost meanwhile nobody can
// tell whether they are saved.
func (t *transaction) Commit(ctx context.Context) error {
	if t.tx == nil {
		return ctx.Err()
	}
	defer t.end()
	return t.explain(t.tx.Commit(ctx))
}

// Rollback drops the changes, even when ctx is done. A connection that is lost needs
// none: the server has rolled back.
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
