package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

// writer is the only connection that writes, with its prepared statements. One goroutine at a time holds the lock.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	lock       chan struct{}
	limit      time.Duration // for waiting for the lock
	waits      atomic.Int64  // for the lock
	waited     atomic.Int64  // in nanoseconds
	statements map[string]*statement
	files      []namedFile

	changes, optimizeAt int64 // the number of saved changes, and the number at which to optimize
}

// statement is a prepared statement. It is busy while the rows of its last run are read.
type statement struct {
	*sql.Stmt

	busy bool
}

// newWriter opens the connection.
func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var milliseconds int64
	if err := conn.QueryRowContext(ctx, "PRAGMA busy_timeout").Scan(&milliseconds); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	files, err := filesOf(ctx, conn)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	limit := max(time.Duration(milliseconds)*time.Millisecond, 1) // if SQLite does not wait, neither do transactions
	return &writer{
		db: db, conn: conn, lock: make(chan struct{}, 1), limit: limit, statements: map[string]*statement{}, files: files, optimizeAt: firstChanges,
	}, nil
}

// takeFree takes the lock if no one has it, and reports whether it did.
func (w *writer) takeFree() bool {
	select {
	case w.lock <- struct{}{}:
		return true
	default:
		return false
	}
}

// take waits for the lock, and counts that.
func (w *writer) take(ctx context.Context) error {
	if w.takeFree() {
		return nil
	}
	w.waits.Add(1)
	began := time.Now()
	defer func() { w.waited.Add(int64(time.Since(began))) }()
	return txn.Take(ctx, w.lock, w.limit)
}

// rollback discards unsaved changes. It returns an error if no transaction is open.
func (w *writer) rollback() error {
	_, err := w.conn.ExecContext(context.Background(), "ROLLBACK")
	return err
}

// isOpen reports whether a transaction is open, by trying to begin another.
func (w *writer) isOpen() bool {
	if _, err := w.conn.ExecContext(context.Background(), "BEGIN"); err != nil {
		return true
	}
	_ = w.rollback() // ends the new transaction
	return false
}

// readSchema makes SQLite read the schema again if it was changed, as each statement does that reads a table.
const readSchema = "SELECT 1 FROM sqlite_schema LIMIT 0"

// prepare returns a prepared statement, nil if the cache is full or the statement is busy. While SQLite compiles a DELETE from
// a table with a foreign key and a trigger for a full-text table, it opens the latter. If it then finds that another connection
// has changed the schema, it forgets the former, and says that it does not exist. So it must read the schema before.
func (w *writer) prepare(ctx context.Context, text string) (*statement, error) {
	if found := w.statements[text]; found != nil {
		if found.busy {
			return nil, nil //nolint:nilnil // run it unprepared
		}
		return found, nil
	}
	if _, err := w.conn.ExecContext(ctx, readSchema); err != nil {
		return nil, err
	}
	if len(w.statements) >= maxStatements {
		return nil, nil //nolint:nilnil // run it unprepared
	}
	prepared, err := w.conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	w.statements[text] = &statement{Stmt: prepared}
	return w.statements[text], nil
}

func (w *writer) close() error {
	w.lock <- struct{}{} // wait for the last transaction
	defer func() { <-w.lock }()
	ctx, cancel := context.WithTimeout(context.Background(), optimizeTimeout)
	defer cancel()
	_ = w.optimize(ctx, countStatistics)
	var errs []error
	for _, prepared := range w.statements {
		errs = append(errs, prepared.Close())
	}
	clear(w.statements)
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}

// transaction is a [sqlstore.Transaction]. It is not safe for concurrent use.
type transaction struct {
	w     *writer
	ended bool
	// lost is the error with which SQLite rolled back by itself, as it does when a write is cancelled or the disk is
	// full. Later statements would be saved one by one.
	lost error

	changes int64 // rows changed by Exec, plus statements that return rows
}

// usable returns an error if the transaction cannot be used any more.
func (t *transaction) usable() error {
	if t.ended {
		return sql.ErrTxDone
	}
	return t.lost
}

// note returns the error of a statement, after it has checked whether the transaction is still open.
func (t *transaction) note(err error) error {
	if err == nil {
		return nil
	}
	if t.usable() == nil && !t.w.isOpen() {
		t.lost = err
	}
	return err
}

// Query runs a statement that returns rows.
func (t *transaction) Query(ctx context.Context, text string, args ...any) (sqlstore.Rows, error) {
	if err := t.usable(); err != nil {
		return nil, err
	}
	prepared, err := t.w.prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	var rows *sql.Rows
	if prepared != nil {
		rows, err = prepared.QueryContext(ctx, args...)
	} else {
		rows, err = t.w.conn.QueryContext(ctx, text, args...)
	}
	if err != nil {
		return nil, t.note(err)
	}
	if prepared != nil {
		prepared.busy = true
	}
	t.changes++
	return transactionRows{rows, t, prepared}, t.note(rows.Err())
}

// transactionRows are the rows of a query in a transaction.
type transactionRows struct {
	*sql.Rows

	t        *transaction
	prepared *statement // nil if the statement is not prepared
}

func (r transactionRows) Err() error { return r.t.note(r.Rows.Err()) }

func (r transactionRows) Close() error {
	if r.prepared != nil {
		r.prepared.busy = false
	}
	return r.t.note(r.Rows.Close())
}

// Exec runs a statement.
func (t *transaction) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	if err := t.usable(); err != nil {
		return 0, err
	}
	prepared, err := t.w.prepare(ctx, text)
	if err != nil {
		return 0, err
	}
	var result sql.Result
	if prepared != nil {
		result, err = prepared.ExecContext(ctx, args...)
	} else {
		result, err = t.w.conn.ExecContext(ctx, text, args...)
	}
	if err != nil {
		return 0, t.note(err)
	}
	changed, err := result.RowsAffected()
	t.changes += changed
	return changed, err
}

// Commit saves the changes. If it returns an error, nothing was saved.
func (t *transaction) Commit(ctx context.Context) error {
	if err := t.usable(); err != nil {
		return err
	}
	if _, err := t.w.conn.ExecContext(ctx, "COMMIT"); err != nil {
		return t.note(err)
	}
	if t.w.changes += t.changes; t.w.changes >= t.w.optimizeAt {
		t.w.optimizeNow()
	}
	t.end()
	return nil
}

// Rollback discards the changes, unless SQLite has already done so.
func (t *transaction) Rollback(context.Context) error {
	if t.ended {
		return nil
	}
	defer t.end()
	if t.lost != nil {
		return nil
	}
	return t.w.rollback()
}

func (t *transaction) end() {
	t.ended = true
	<-t.w.lock
}
