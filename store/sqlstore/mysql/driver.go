package mysql

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

// driver is a [sqlstore.Driver] that uses a pool of connections. It is safe for concurrent use; each statement outside
// of a transaction uses a separate connection.
type driver struct {
	db     *sql.DB
	server server
	wait   time.Duration
	health *txn.Breaker
}

// connection is a connection of the pool.
type connection struct{ *sql.Conn }

// Ping returns an error if the server does not respond.
func (c connection) Ping(ctx context.Context) error { return c.PingContext(ctx) }

// Release returns the connection to the pool, unless it is lost.
func (c connection) Release() { _ = c.Close() }

// drop closes the connection, which is not used again.
func (c connection) drop() {
	_ = c.Raw(func(any) error { return sqldriver.ErrBadConn })
	_ = c.Close()
}

// acquire returns a connection, unless the server does not respond.
func (d *driver) acquire(ctx context.Context) (c connection, err error) {
	acquire := func(ctx context.Context) (txn.Conn, error) {
		conn, err := d.db.Conn(ctx)
		return connection{conn}, err
	}
	if err := d.health.Check(ctx, acquire); err != nil {
		return c, err
	}
	conn, err := d.db.Conn(ctx)
	return connection{conn}, d.noted(err)
}

// noted remembers a lost connection.
func (d *driver) noted(err error) error {
	if isLost(err) {
		d.health.Suspect()
	}
	return err
}

// Query runs a statement and returns its rows. They hold a connection until they are closed or read to the end.
func (d *driver) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	conn, err := d.acquire(ctx)
	if err != nil {
		return nil, err
	}
	found, err := query(ctx, conn, statement, args)
	if err != nil {
		conn.Release()
		return nil, d.noted(err)
	}
	return ownRows{found, d, conn}, nil
}

// ownRows are rows of a query outside of transactions, which end its use of the connection.
type ownRows struct {
	*rows

	driver *driver
	conn   connection
}

func (r ownRows) Close() error {
	err := errors.Join(r.rows.Close(), r.Err())
	if err := r.conn.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return r.driver.noted(err)
}

// Exec runs a statement.
func (d *driver) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	conn, err := d.acquire(ctx)
	if err != nil {
		return 0, err
	}
	n, err := exec(ctx, conn, statement, args)
	if isReadOnly(err) {
		conn.drop()
	} else {
		conn.Release()
	}
	return n, d.noted(err)
}

// Begin begins a transaction. Nothing is sent before the first statement, so that statement returns the error if the
// server does not respond.
func (d *driver) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &transaction{driver: d}, nil
}

// Pool returns the number of connections, and how long a request waits for one.
func (d *driver) Pool() (connections int, limit time.Duration) {
	return d.db.Stats().MaxOpenConnections, d.wait
}

// Stats returns the numbers of the pool.
func (d *driver) Stats() sqlstore.Stats {
	pool := d.db.Stats()
	return sqlstore.Stats{
		InUse: pool.InUse, Idle: pool.Idle, Max: pool.MaxOpenConnections,
		Waits: pool.WaitCount, Waited: pool.WaitDuration,
	}
}

// PingWrites returns an error if the server is read-only, such as a replica. It then closes the connection, so that the
// pool connects to a writable server. A user with a privilege to write nevertheless can still do so.
func (d *driver) PingWrites(ctx context.Context) error {
	conn, err := d.acquire(ctx)
	if err != nil {
		return err
	}
	readOnly := "@@transaction_read_only"
	if d.server.isMariaDB {
		readOnly = "@@tx_read_only"
	}
	var isReadOnly bool
	if err = conn.QueryRowContext(ctx, "SELECT @@global.read_only OR @@innodb_read_only OR "+readOnly).Scan(&isReadOnly); err != nil || !isReadOnly {
		conn.Release()
		return d.noted(err)
	}
	conn.drop()
	return txn.ErrReadOnly
}

// ProbeWrites returns an error if 1 MiB cannot be written at the moment, such as on a full disk. If the user may not
// create temporary tables, it returns nil, because then only a write of a request can show it.
func (d *driver) ProbeWrites(ctx context.Context) error {
	conn, err := d.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.drop() // with it the table, if it was created
	_, err = exec(ctx, conn, "CREATE TEMPORARY TABLE trove_probe ENGINE=InnoDB AS SELECT REPEAT('x', 1048576) AS content", nil)
	if numberOf(err) == accessDenied {
		return nil
	}
	return d.noted(err)
}

// Fault classifies an error of the server or of the connection.
func (*driver) Fault(err error) sqlstore.Fault { return faultOf(err) }

// Close closes all connections.
func (d *driver) Close() error { return d.db.Close() }

// query runs a statement that returns rows.
func query(ctx context.Context, conn connection, statement string, args []any) (*rows, error) {
	args, err := bound(args)
	if err != nil {
		return nil, err
	}
	found, err := conn.QueryContext(ctx, statement, args...) //nolint:sqlclosecheck // the caller closes them
	if err != nil {
		return nil, err
	}
	return &rows{Rows: found}, found.Err()
}

// exec runs a statement and returns the number of changed rows.
func exec(ctx context.Context, conn connection, statement string, args []any) (int64, error) {
	args, err := bound(args)
	if err != nil {
		return 0, err
	}
	result, err := conn.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// timeLayout is how times are written, with the microseconds that columns store.
const timeLayout = "2006-01-02 15:04:05.999999"

// errNUL is the error of a string that no store can have.
var errNUL = &mysql.MySQLError{Number: outOfRange, Message: "a string has the character NUL"}

// bound returns arguments as the driver accepts them. It does not write the year 0.
func bound(args []any) ([]any, error) {
	var changed []any
	for i, arg := range args {
		switch value := arg.(type) {
		case time.Time:
			if changed == nil {
				changed = append(changed, args...)
			}
			changed[i] = value.UTC().Format(timeLayout)
		case string:
			if strings.Contains(value, "\x00") {
				return nil, errNUL
			}
		}
	}
	if changed != nil {
		return changed, nil
	}
	return args, nil
}
