package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/store/sqlstore"
)

// connect makes the pool, after a connection that shows what is at its other end, and a first one of the pool.
func connect(ctx context.Context, dsn string) (*driver, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/postgres: the DSN cannot be used: %w", withoutDSN(err))
	}
	limitConnecting(config, dsn)
	doubt := new(doubt)
	doubt.watch(config)
	dropReadOnly(config.ConnConfig)
	found, err := look(ctx, config.ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/postgres: cannot connect: %w", err)
	}
	if found.pooler && !choosesMode(dsn) {
		config.ConnConfig.DefaultQueryExecMode = modeOfPoolers(config.ConnConfig)
	}
	wait := found.limit(config.ConnConfig.RuntimeParams)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/postgres: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("store/sqlstore/postgres: cannot connect: %w", err)
	}
	return newDriver(pool, wait, doubt), nil
}

// connectTimeout limits connecting to a server, unless the DSN or the environment says how long it may take.
const connectTimeout = 5 * time.Second

func limitConnecting(config *pgxpool.Config, dsn string) {
	if config.ConnConfig.ConnectTimeout == 0 && !strings.Contains(dsn, "connect_timeout") && os.Getenv("PGCONNECT_TIMEOUT") == "" {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.PingTimeout == 0 {
		config.PingTimeout = pingTimeout
	}
}

// dropReadOnly closes a connection whose server rejects a write because it only reads, as a former
// primary does after a failover, so that the pool looks for the new one.
func dropReadOnly(config *pgx.ConnConfig) {
	keeps := config.OnPgError
	config.OnPgError = func(conn *pgconn.PgConn, err *pgconn.PgError) bool {
		return err.Code != readOnlyTransaction && (keeps == nil || keeps(conn, err))
	}
}

// withoutDSN returns what pgx says of a DSN that it cannot use, without the DSN, which pgx quotes and so would bring a password
// into logs. Of a malformed DSN nobody can tell what the password is, so that nothing of it is quoted at all.
func withoutDSN(err error) error {
	text := err.Error()
	end := strings.LastIndex(text, "`: ")
	if end < 0 || strings.HasPrefix(text[end+3:], "failed to parse as") {
		return errors.New("it is malformed: want postgres://user:password@host:5432/database?option=value, the password " +
			"percent-encoded, or words such as host=localhost dbname=database")
	}
	return errors.New(text[end+3:])
}

// Open connects to the database that the DSN names, as a URL or in words:
//
//	postgres://user:password@host:5432/database?sslmode=verify-full&pool_max_conns=20
//	host=/var/run/postgresql dbname=database
//
// What it leaves out comes from PostgreSQL's environment variables. A DSN that cannot be used, and a server that does not answer
// or refuses, are errors, which never tell the password. ctx is for connecting only. Whoever opened the database closes it.
func Open(ctx context.Context, dsn string) (*sqlstore.DB, error) {
	d, err := connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return sqlstore.New(d), nil
}

// otherEnd is what a connection leads to.
type otherEnd struct {
	// pooler says that there is one, such as PgBouncer, between the program and the server.
	pooler bool
	// lockTimeout is how many milliseconds the server lets a statement wait for a lock; 0 is for ever.
	lockTimeout int64
}

// look asks what a connection leads to. A pooler makes up the process that it names when it
// is connected to: the server, asked for its own, names another one.
func look(ctx context.Context, config *pgx.ConnConfig) (found otherEnd, err error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return otherEnd{}, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	const question = "SELECT pg_backend_pid(), (SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout')"
	var process uint32
	err = conn.QueryRow(ctx, question, pgx.QueryExecModeSimpleProtocol).Scan(&process, &found.lockTimeout)
	found.pooler = process != conn.PgConn().PID()
	return found, err
}

// modeParameter is the word of a DSN that chooses how statements are sent.
const modeParameter = "default_query_exec_mode"

// choosesMode reports whether a DSN that can be used, or a service file that it names, says
// how statements are sent. pgx does not tell what it was told from what it does by default.
func choosesMode(dsn string) bool {
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return false
	}
	_, chosen := config.RuntimeParams[modeParameter]
	return chosen
}

// modeOfPoolers returns how statements are sent through a pooler: it may send each transaction to another server, where a
// prepared statement is not known or taken by another program's. So none is given a name. That of pgx which still knows the types
// of values needs a place to keep them in.
func modeOfPoolers(config *pgx.ConnConfig) pgx.QueryExecMode {
	if config.DescriptionCacheCapacity > 0 {
		return pgx.QueryExecModeCacheDescribe
	}
	return pgx.QueryExecModeExec
}

// lockTimeout is the setting of the server that limits how long a statement waits for another transaction.
const lockTimeout = "lock_timeout"

// wait is how long transactions wait for others.
type wait struct {
	// limit holds for a turn as it does for locks; 0 is none.
	limit time.Duration
	// statement sets the limit within a transaction, where the connection does not have it; "" where it does.
	statement string
}

// limit returns how long transactions wait: as the server has it, and as stores do by default where neither it nor the DSN says
// anything. It then adds the limit to the parameters of connections. A pooler would refuse those, and give what is set on a
// connection to other programs, so that each transaction sets it for itself.
func (o otherEnd) limit(parameters map[string]string) wait {
	if _, chosen := parameters[lockTimeout]; chosen || o.lockTimeout > 0 {
		return wait{limit: time.Duration(o.lockTimeout) * time.Millisecond}
	}
	milliseconds := strconv.FormatInt(patience.Default.Milliseconds(), 10)
	if o.pooler {
		return wait{patience.Default, "SET LOCAL " + lockTimeout + " = " + milliseconds}
	}
	parameters[lockTimeout] = milliseconds
	return wait{limit: patience.Default}
}
