package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

// driver is a [sqlstore.Driver] that uses a pool of connections. It is safe for concurrent use; each statement outside
// of a transaction uses a separate connection.
type driver struct {
	pool    *pgxpool.Pool
	wait    wait
	breaker *txn.Breaker
	begin   string // begins a transaction
	product product
	isAlone bool // a statement without begin and commit is a transaction
	// Both end a transaction: with a statement of its own, or at the end of a batch.
	finish func(ctx context.Context, conn *pgxpool.Conn, statement string) (pgconn.CommandTag, error)
	ends   func(ctx context.Context, batch *pgx.Batch)
}

// check returns an error if the server does not respond.
func (d *driver) check(ctx context.Context) error {
	return d.breaker.Check(ctx, func(ctx context.Context) (txn.Conn, error) { return d.pool.Acquire(ctx) })
}

// Query runs a statement and returns its rows. They hold a connection until they are closed or read to the end.
func (d *driver) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	if err := d.check(ctx); err != nil {
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
	if err := d.check(ctx); err != nil {
		return 0, err
	}
	tag, err := d.pool.Exec(ctx, statement, args...)
	return tag.RowsAffected(), err
}

// Begin begins a transaction at the default isolation level of the connection; the package documentation explains why
// every level works. Nothing is sent before the first statement, so that statement returns the error if the server does
// not respond.
func (d *driver) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &transaction{driver: d}, nil
}

// PingWrites returns an error if the server is read-only, such as a standby. It then closes the connection, so that the
// pool connects to a writable server.
func (d *driver) PingWrites(ctx context.Context) error {
	if err := d.check(ctx); err != nil {
		return err
	}
	return d.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		var readOnly string
		if err := conn.QueryRow(ctx, "SELECT current_setting('transaction_read_only')").Scan(&readOnly); err != nil || readOnly == "off" {
			return err
		}
		_ = conn.Conn().Close(ctx) // the error below is more useful
		return txn.ErrReadOnly
	})
}

// ProbeWrites returns an error if 1 MiB cannot be written at the moment, such as on a full disk. If the role may not
// create temporary tables, or the server has none that end with a transaction, it returns nil, because then only a write
// of a request can show it.
func (d *driver) ProbeWrites(ctx context.Context) error {
	if d.product != postgreSQL {
		return nil
	}
	_, err := d.Exec(ctx, probe)
	if stateOf(err) == missingPrivilege {
		return nil
	}
	return err
}

// probe is one transaction. It writes into the default tablespace of the database, in rows that are too short to be
// compressed.
const probe = "SET LOCAL temp_tablespaces = ''; " +
	"CREATE TEMPORARY TABLE trove_probe ON COMMIT DROP AS SELECT repeat('x', 1024) AS content FROM generate_series(1, 1024)"

// Pool returns the number of connections, and how long a request waits for one.
func (d *driver) Pool() (connections int, limit time.Duration) {
	return int(d.pool.Config().MaxConns), d.wait.limit
}

// Stats returns the numbers of the pool.
func (d *driver) Stats() sqlstore.Stats {
	pool := d.pool.Stat()
	return sqlstore.Stats{
		InUse: int(pool.AcquiredConns()), Idle: int(pool.IdleConns()), Max: int(pool.MaxConns()),
		Waits: pool.EmptyAcquireCount(), Waited: pool.EmptyAcquireWaitTime(),
	}
}

// Fault classifies an error of the server or of the connection.
func (*driver) Fault(err error) sqlstore.Fault { return faultOf(err) }

// Close waits until all connections are free, and closes them.
func (d *driver) Close() error {
	d.pool.Close()
	return nil
}
