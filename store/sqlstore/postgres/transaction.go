package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// transaction is a [sqlstore.Finisher]. It is not safe for concurrent use.
type transaction struct {
	driver *driver
	conn   *pgxpool.Conn // nil before the first statement, and after the end
	ended  bool
	// cause is the last error. PostgreSQL aborts the transaction then, and returns an error without the cause for every
	// later statement.
	cause error
}

// Query runs a statement and returns its rows. They must be closed before the next statement.
func (t *transaction) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	found, err := t.query(ctx, statement, args)
	if err != nil {
		return nil, t.explain(err)
	}
	return found, nil
}

// Exec runs a statement.
func (t *transaction) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if t.conn != nil && !t.ended {
		tag, err := t.conn.Exec(ctx, statement, args...)
		return tag.RowsAffected(), t.explain(err)
	}
	found, err := t.query(ctx, statement, args)
	if err != nil {
		return 0, t.explain(err)
	}
	err = found.Close()
	return found.CommandTag().RowsAffected(), err
}

// query runs a statement. With the first one it begins the transaction, which saves a round trip; a transaction that ends
// before its first statement needs no connection.
func (t *transaction) query(ctx context.Context, statement string, args []any) (transactionRows, error) {
	if t.conn != nil && !t.ended {
		found, err := t.conn.Query(ctx, statement, args...)
		return transactionRows{&rows{Rows: found}, t, nil}, err
	}
	if err := t.connect(ctx); err != nil {
		return transactionRows{}, err
	}
	return t.send(ctx, t.driver.begins(), statement, args, func(context.Context, *pgx.Batch) {})
}

// connect waits for a connection.
func (t *transaction) connect(ctx context.Context) (err error) {
	switch {
	case t.cause != nil:
		return t.cause
	case t.ended:
		return pgx.ErrTxClosed
	}
	if err := t.driver.check(ctx); err != nil {
		return err
	}
	t.conn, err = t.driver.pool.Acquire(ctx)
	return err
}

// begins returns a batch that begins a transaction.
func (d *driver) begins() *pgx.Batch {
	batch := new(pgx.Batch)
	batch.Queue(d.begin)
	if d.wait.statement != "" {
		batch.Queue(d.wait.statement)
	}
	return batch
}

// send sends a statement after those of a batch, and after it those that others adds, in one round trip. The rows are those
// of the statement; Close returns the errors of the others too.
func (t *transaction) send(
	ctx context.Context, batch *pgx.Batch, statement string, args []any, others func(context.Context, *pgx.Batch),
) (transactionRows, error) {
	before := batch.Len()
	batch.Queue(statement, args...)
	others(ctx, batch)
	results := t.conn.SendBatch(ctx, batch)
	for range before {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // returns the same error
			return transactionRows{}, err
		}
	}
	found, err := results.Query()
	if err != nil {
		_ = results.Close() // returns the same error
		return transactionRows{}, err
	}
	return transactionRows{&rows{Rows: found}, t, results}, nil
}

// Commit saves the changes. If a statement failed before, nothing is saved and Commit returns that statement's error.
// If the connection is lost meanwhile, it is unknown whether the changes were saved.
func (t *transaction) Commit(ctx context.Context) error {
	defer t.end()
	if t.conn == nil || t.ended {
		return cmp.Or(t.cause, ctx.Err())
	}
	limited, cancel := context.WithTimeout(ctx, txn.CommitPatience)
	defer cancel()
	tag, err := t.driver.finish(limited, t.conn, commit)
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		err = txn.Unconfirmed(err)
	case err == nil && tag.String() == "ROLLBACK":
		err = pgx.ErrTxCommitRollback
	}
	return t.explain(err)
}

const commit = "commit"

func finish(ctx context.Context, conn *pgxpool.Conn, statement string) (pgconn.CommandTag, error) {
	return conn.Exec(ctx, statement)
}

func ends(_ context.Context, batch *pgx.Batch) { batch.Queue(commit) }

// Rollback discards the changes, even if ctx is done. If the connection is lost, the server has rolled back.
func (t *transaction) Rollback(ctx context.Context) error {
	defer t.end()
	if t.conn == nil || t.conn.Conn().PgConn().TxStatus() == idle {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), txn.RollbackPatience)
	defer cancel()
	if _, err := t.driver.finish(ctx, t.conn, "rollback"); err != nil && !isLost(err) {
		return err
	}
	return nil
}

// idle is the status of a connection outside of a transaction.
const idle = 'I'

// end returns the connection. The pool closes a connection that is still in a transaction.
func (t *transaction) end() {
	if t.conn != nil {
		t.conn.Release()
	}
	t.conn, t.ended = nil, true
}

// explain returns the cause of an error that follows from an earlier one.
func (t *transaction) explain(err error) error {
	if err == nil {
		return nil
	}
	if t.cause == nil || !isConsequence(err) {
		t.cause = err
	}
	// The transaction has not begun, and later statements must not run without it.
	t.ended = t.ended || t.conn != nil && t.conn.Conn().PgConn().TxStatus() == idle
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
	batch pgx.BatchResults // of a statement that was sent with others; nil without any
}

// Next ends the results of a batch after the last row, even if the rows are not closed.
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
	if r.batch != nil {
		err = cmp.Or(err, r.batch.Close())
	}
	return r.tx.explain(err)
}

// Last runs a statement and commits in the same round trip. Without an earlier statement, the statement is the transaction.
// Once it is sent, the end of ctx only asks the server to cancel it, so that the rows report what has happened.
func (t *transaction) Last(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	isFirst := t.conn == nil
	if isFirst || t.ended {
		if err := t.connect(ctx); err != nil {
			return nil, t.explain(err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.ended = true
	r := &lastRows{ctx: ctx}
	running := r.watch(t)
	var err error
	switch d := t.driver; {
	case isFirst && d.isAlone:
		var found pgx.Rows
		found, err = t.conn.Query(running, statement, args...)
		r.transactionRows = transactionRows{&rows{Rows: found}, t, nil}
	case isFirst:
		r.transactionRows, err = t.send(running, d.begins(), statement, args, d.ends)
	default:
		r.transactionRows, err = t.send(running, new(pgx.Batch), statement, args, d.ends)
	}
	if err != nil {
		return nil, r.end(t, err)
	}
	return r, nil
}

// lastRows are the rows of the last statement of a transaction.
type lastRows struct {
	transactionRows

	ctx       context.Context //nolint:containedctx // that of Last, until the rows are closed
	running   context.Context //nolint:containedctx // of the statement
	giveUp    context.CancelFunc
	stop      func() bool   // reports whether the server was not asked to cancel the statement, and will not be
	cancelled chan struct{} // closed when the request to cancel has ended
	closed    bool
	err       error // of Close
}

// watch returns the context of the last statement. It outlives that of the caller: if that ends, the server cancels the
// statement, unless that has succeeded.
func (r *lastRows) watch(t *transaction) context.Context {
	if wait := t.driver.wait.limit; wait > 0 {
		r.running, r.giveUp = context.WithTimeout(context.WithoutCancel(r.ctx), txn.CommitPatience+wait)
	} else {
		r.running, r.giveUp = context.WithCancel(context.WithoutCancel(r.ctx))
	}
	r.cancelled = make(chan struct{})
	conn := t.conn.Conn().PgConn()
	r.stop = context.AfterFunc(r.ctx, func() {
		defer close(r.cancelled)
		limited, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), txn.RollbackPatience)
		defer cancel()
		_ = conn.CancelRequest(limited) // not cut off when the statement ends, because that ends PgBouncer 1.18
		select {
		case <-r.running.Done(): // the statement has ended
		case <-limited.Done(): // the server does not respond
			r.giveUp()
		}
	})
	return r.running
}

// end ends the transaction after its last statement.
func (r *lastRows) end(t *transaction, err error) error {
	isLate := r.running.Err() != nil
	r.giveUp()
	if !r.stop() { // the next statement of the connection could be cancelled instead
		<-r.cancelled
		if _, isLocal := t.conn.Conn().PgConn().CustomData()[unreplicated]; isLocal && err == nil {
			err = fmt.Errorf("no standby has confirmed the commit: %w", store.ErrUnavailable)
		}
		limited, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), txn.RollbackPatience)
		defer cancel()
		_ = t.conn.Hijack().Close(limited)
		t.conn = nil
	}
	switch {
	case err == nil:
		t.end()
		return nil
	case isLate:
		err = txn.Unconfirmed(err)
	case r.ctx.Err() != nil && stateOf(err) == queryCanceled:
		err = r.ctx.Err()
	}
	t.cause = err
	return err
}

// Next ends the transaction after the last row, even if the rows are not closed.
func (r *lastRows) Next() bool {
	isRow := r.rows.Next()
	if !isRow {
		_ = r.Close() // Err returns the error
	}
	return isRow
}

func (r *lastRows) Err() error {
	if r.closed {
		return r.err
	}
	return r.transactionRows.Err()
}

func (r *lastRows) Close() error {
	if !r.closed {
		r.closed, r.err = true, r.end(r.tx, r.transactionRows.Close())
	}
	return r.err
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
