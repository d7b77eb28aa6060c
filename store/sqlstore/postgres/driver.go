package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// driver is a [sqlstore.Driver] over a pool of connections. It is safe for use by many
// goroutines; each statement outside of a transaction takes a connection of its own.
type driver struct {
	pool *pgxpool.Pool
	// turns has a place for each transaction that may have a connection: all but one, so
	// that transactions which wait for a query outside of them do not wait for each other.
	turns chan struct{}
	wait  wait
	doubt *doubt
}

func newDriver(pool *pgxpool.Pool, wait wait, doubt *doubt) *driver {
	return &driver{pool, make(chan struct{}, max(1, pool.Config().MaxConns-1)), wait, doubt}
}

// Query runs a statement and returns its rows, which hold a connection until they are closed or read to their end.
func (d *driver) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	if err := d.doubt.check(ctx, d.pool); err != nil {
		return nil, err
	}
	found, err := d.pool.Query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	return &rows{Rows: found}, nil
}

// Exec runs a statement.
func (d *driver) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if err := d.doubt.check(ctx, d.pool); err != nil {
		return 0, err
	}
	tag, err := d.pool.Exec(ctx, statement, args...)
	return tag.RowsAffected(), err
}

// Begin begins a transaction at the isolation level that the connection has by default;
// the package documentation says why each of them will do. The server hears of it with
// the first statement, and it is then that a server that does not answer is an error.
func (d *driver) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &transaction{driver: d}, nil
}

// PingWrites returns an error if the server only reads, as a standby does. It then closes the
// connection, so that the pool looks for a server that writes.
func (d *driver) PingWrites(ctx context.Context) error {
	if err := d.doubt.check(ctx, d.pool); err != nil {
		return err
	}
	return d.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		var readOnly string
		if err := conn.QueryRow(ctx, "SELECT current_setting('transaction_read_only')").Scan(&readOnly); err != nil || readOnly == "off" {
			return err
		}
		_ = conn.Conn().Close(ctx) // the error below says more
		return fmt.Errorf("the server is read-only: %w", store.ErrUnavailable)
	})
}

// Dialect returns that of PostgreSQL.
func (*driver) Dialect() sqlstore.Dialect { return newDialect() }

// Fault tells what an error of the server or of the connection to it means.
func (*driver) Fault(err error) sqlstore.Fault { return faultOf(err) }

// Close waits for the connections that are in use and closes all.
func (d *driver) Close() error {
	d.pool.Close()
	return nil
}
