package mysql

import (
	"context"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

// transaction is a [sqlstore.Transaction]. It is not safe for concurrent use.
type transaction struct {
	driver *driver
	conn   connection
	begun  bool
	ended  bool
	// cause is the error that ended the transaction. The server has rolled it back, and would save each further statement
	// on its own; or, after it has waited too long for a lock, it has undone only the statement.
	cause error
}

// Query runs a statement and returns its rows. They must be closed before the next statement.
func (t *transaction) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	if err := t.begin(ctx); err != nil {
		return nil, err
	}
	found, err := query(ctx, t.conn, statement, args)
	if err != nil {
		return nil, t.explain(err)
	}
	return transactionRows{found, t}, nil
}

// Exec runs a statement.
func (t *transaction) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if err := t.begin(ctx); err != nil {
		return 0, err
	}
	n, err := exec(ctx, t.conn, statement, args)
	return n, t.explain(err)
}

// begin begins the transaction, if it has not begun. One that ends before its first statement needs no connection.
func (t *transaction) begin(ctx context.Context) error {
	if t.begun || t.cause != nil {
		return t.cause
	}
	conn, err := t.driver.acquire(ctx)
	if err != nil {
		return err
	}
	t.conn, t.begun = conn, true
	_, err = exec(ctx, conn, "START TRANSACTION", nil)
	return t.explain(err)
}

// Commit saves the changes. If an error has ended the transaction, nothing is saved and Commit returns that error. If the
// connection is lost meanwhile, it is unknown whether the changes were saved.
func (t *transaction) Commit(ctx context.Context) error {
	if !t.begun || t.cause != nil {
		_ = t.Rollback(ctx) // the error is more useful
		return t.cause
	}
	defer t.end()
	limited, cancel := context.WithTimeout(ctx, txn.CommitPatience)
	defer cancel()
	_, err := exec(limited, t.conn, "COMMIT", nil)
	if limited.Err() != nil && ctx.Err() == nil {
		err = txn.Unconfirmed(err)
	}
	return t.explain(err)
}

// Rollback discards the changes, even if ctx is done. If the connection is lost, the server has rolled back.
func (t *transaction) Rollback(ctx context.Context) error {
	if !t.begun || t.ended {
		return nil
	}
	defer t.end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), txn.RollbackPatience)
	defer cancel()
	_, err := exec(ctx, t.conn, "ROLLBACK", nil)
	if err != nil {
		t.cause = err
	}
	if ctx.Err() != nil || isLost(err) {
		return nil
	}
	return err
}

// end returns the connection.
func (t *transaction) end() {
	t.ended = true
	if t.cause == nil || faultOf(t.cause).Kind == sqlstore.RetryFault {
		t.conn.Release()
	} else {
		t.conn.drop() // it is lost, it may be in a transaction, or the server is read-only
	}
}

// explain returns the error that has ended the transaction, or one that has not.
func (t *transaction) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case t.cause != nil:
		return t.cause
	case !isOfStatement(err):
		t.cause = t.driver.noted(err)
	}
	return err
}

// transactionRows are the rows of a query in a transaction.
type transactionRows struct {
	*rows

	tx *transaction
}

func (r transactionRows) Err() error { return r.tx.explain(r.rows.Err()) }

func (r transactionRows) Close() error { return r.tx.explain(r.rows.Close()) }
