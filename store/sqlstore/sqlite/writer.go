package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/trove-api/trove/store/sqlstore"
)

// writer is the one connection that writes, with the statements that are prepared on it.
// Whoever takes its turn has it alone.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	turn       chan struct{}
	statements map[string]*statement
}

// statement is a prepared statement, and whether the rows of its last run are still read.
type statement struct {
	*sql.Stmt

	busy bool
}

// newWriter takes the connection.
func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &writer{db: db, conn: conn, turn: make(chan struct{}, 1), statements: map[string]*statement{}}, nil
}

// begin waits for the transactions before it, and locks out other programs.
func (w *writer) begin(ctx context.Context) (*transaction, error) {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		<-w.turn
		return nil, err
	}
	return &transaction{w: w}, nil
}

// prepare returns a prepared statement, nil where there are enough or it is busy.
func (w *writer) prepare(ctx context.Context, text string) (*statement, error) {
	if found := w.statements[text]; found != nil {
		if found.busy {
			return nil, nil //nolint:nilnil // run it unprepared
		}
		return found, nil
	}
	if len(w.statements) >= maxStatements {
		return nil, nil //nolint:nilnil // run it unprepared
	}
	made, err := w.conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	w.statements[text] = &statement{Stmt: made}
	return w.statements[text], nil
}

func (w *writer) close() error {
	w.turn <- struct{}{} // let the last transaction end
	defer func() { <-w.turn }()
	var errs []error
	for _, prepared := range w.statements {
		errs = append(errs, prepared.Close())
	}
	clear(w.statements)
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}

// transaction is a [sqlstore.Transaction]. It is for one goroutine.
type transaction struct {
	w     *writer
	ended bool
}

// Query runs a statement that returns rows.
func (t *transaction) Query(ctx context.Context, text string, args ...any) (sqlstore.Rows, error) {
	if t.ended {
		return nil, sql.ErrTxDone
	}
	prepared, err := t.w.prepare(ctx, text)
	switch {
	case err != nil:
		return nil, err
	case prepared == nil:
		return rowsOf(t.w.conn.QueryContext(ctx, text, args...))
	}
	rows, err := prepared.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	prepared.busy = true
	return preparedRows{rows, prepared}, rows.Err()
}

// preparedRows are the rows of a prepared statement.
type preparedRows struct {
	*sql.Rows

	statement *statement
}

func (r preparedRows) Close() error {
	r.statement.busy = false
	return r.Rows.Close()
}

// Exec runs a statement.
func (t *transaction) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	if t.ended {
		return 0, sql.ErrTxDone
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
		return 0, err
	}
	return result.RowsAffected()
}

// Commit saves the changes.
func (t *transaction) Commit(ctx context.Context) error {
	if t.ended {
		return sql.ErrTxDone
	}
	if _, err := t.w.conn.ExecContext(ctx, "COMMIT"); err != nil {
		return err
	}
	t.end()
	return nil
}

// Rollback drops the changes. Some errors have done so already.
func (t *transaction) Rollback(ctx context.Context) error {
	if t.ended {
		return nil
	}
	_, err := t.w.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	t.end()
	return err
}

func (t *transaction) end() {
	t.ended = true
	<-t.w.turn
}
