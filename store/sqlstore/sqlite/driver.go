package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// driver is a [sqlstore.Driver]. It is safe for concurrent use.
type driver struct {
	reader *reader
	writer *writer
	folder string // removed by Close; "" for none
}

// Query runs a statement on a connection that only reads.
func (d *driver) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	return d.reader.query(ctx, statement, args)
}

// Exec runs a statement in a transaction of its own.
func (d *driver) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	begun, err := d.Begin(ctx)
	if err != nil {
		return 0, err
	}
	changed, err := begun.Exec(ctx, statement, args...)
	if err == nil {
		err = begun.Commit(context.WithoutCancel(ctx))
	}
	return changed, errors.Join(err, begun.Rollback(ctx))
}

// Begin waits for earlier transactions, and blocks later ones and other programs. It waits for each for at most the
// busy timeout.
func (d *driver) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	w := d.writer
	if err := w.take(ctx); err != nil {
		return nil, err
	}
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		_ = w.rollback() // a cancelled BEGIN may have succeeded
		<-w.lock
		if faultOf(err).Kind == sqlstore.RetryFault {
			//nolint:errorlint // SQLite's error would make the transaction run again
			return nil, fmt.Errorf("another program has held the database for longer than %s: %w: %v", w.limit, store.ErrUnavailable, err)
		}
		return nil, err
	}
	return &transaction{w: w}, nil
}

// Stats returns the numbers of the connections that read, and of the one that writes.
func (d *driver) Stats() sqlstore.Stats {
	reads := d.reader.db.Stats()
	writing := len(d.writer.lock)
	return sqlstore.Stats{
		InUse: reads.InUse + writing, Idle: reads.Idle + 1 - writing, Max: reads.MaxOpenConnections + 1,
		Waits: reads.WaitCount + d.writer.waits.Load(), Waited: reads.WaitDuration + time.Duration(d.writer.waited.Load()),
	}
}

// Fault classifies an error of SQLite.
func (*driver) Fault(err error) sqlstore.Fault { return faultOf(err) }

// Close closes the connections.
func (d *driver) Close() error {
	err := errors.Join(d.reader.close(), d.writer.close())
	if d.folder != "" {
		err = errors.Join(err, os.RemoveAll(d.folder))
	}
	return err
}
