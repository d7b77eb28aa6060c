package sqlite

import (
	"context"
	"database/sql"

	"github.com/trove-api/trove/store/sqlstore"
)

// transaction is a [sqlstore.Transaction]. It is for one goroutine.
type transaction struct {
	w     *writer
	ended bool
	// lost is the error with which SQLite rolled back by itself, as it does when a write
	// is cancelled or the disk is full. Statements after it would be saved one by one.
	lost error

	changes int64 // rows that Exec has changed, and statements that return rows
}

// usable returns why nothing more can be done.
func (t *transaction) usable() error {
	if t.ended {
		return sql.ErrTxDone
	}
	return t.lost
}

// note returns the error of a statement, after it has looked whether the transaction has
// survived it.
func (t *transaction) note(err error) error {
	if err == nil {
		return nil
	}
	t.w.failing = t.w.failing || faultOf(err).Kind == sqlstore.UnavailableFault
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
	prepared *statement // nil for one that is not
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

// Commit saves the changes. It cannot be cancelled, so that its error tells for certain
// that nothing is saved.
func (t *transaction) Commit(ctx context.Context) error {
	if err := t.usable(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := t.w.conn.ExecContext(context.WithoutCancel(ctx), "COMMIT"); err != nil {
		return t.note(err)
	}
	t.w.failing = false
	if t.w.changes += t.changes; t.w.changes >= t.w.optimizeAt {
		t.w.optimizeNow()
	}
	t.end()
	return nil
}

// Rollback drops the changes, unless SQLite has done so.
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
	<-t.w.turn
}
