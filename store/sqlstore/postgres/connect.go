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

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

// connect creates the pool. It first opens a separate connection to find out what the pool will connect to.
func connect(ctx context.Context, dsn string) (*driver, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/postgres: the DSN cannot be used: %w", withoutDSN(err))
	}
	limitConnecting(config, dsn)
	health := new(txn.Breaker)
	watch(health, config)
	dropReadOnly(config.ConnConfig)
	noteUnreplicated(config.ConnConfig)
	found, err := inspectServer(ctx, config.ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/postgres: cannot connect: %w", err)
	}
	if found.pooler && !choosesMode(dsn) {
		// A pooler may send each transaction to another server, where a prepared statement is unknown or belongs to another
		// program. So statements have no names. The mode that still knows the types of values needs a cache for them.
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
		if config.ConnConfig.DescriptionCacheCapacity > 0 {
			config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		}
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
	begins := begin
	if found.isolated == string(pgx.RepeatableRead) || found.product != postgreSQL {
		// It would not protect decisions based on rows that others insert meanwhile, such as a reference to a record that
		// goes to the trash. Other products may also call it READ COMMITTED.
		begins += " isolation level " + string(pgx.Serializable)
	}
	d := &driver{pool: pool, wait: wait, breaker: health, begin: begins, product: found.product, finish: finish, ends: ends}
	d.isAlone = begins == begin && wait.statement == ""
	return d, nil
}

// begin begins a transaction at the isolation level of the connection.
const begin = "begin"

// connectTimeout limits connecting to a server, unless the DSN or the environment sets a limit.
const connectTimeout = 5 * time.Second

func limitConnecting(config *pgxpool.Config, dsn string) {
	if config.ConnConfig.ConnectTimeout == 0 && !strings.Contains(dsn, "connect_timeout") && os.Getenv("PGCONNECT_TIMEOUT") == "" {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.PingTimeout == 0 {
		config.PingTimeout = txn.PingTimeout
	}
}

// watch makes the pool report lost connections.
func watch(health *txn.Breaker, config *pgxpool.Config) {
	config.BeforeClose = func(conn *pgx.Conn) {
		if conn.IsClosed() { // not closed by the pool
			health.Suspect()
		}
	}
}

// dropReadOnly closes a connection whose server rejects a write because it is read-only, such as the former primary
// after a failover. The pool then connects to the new primary.
func dropReadOnly(config *pgx.ConnConfig) {
	keeps := config.OnPgError
	config.OnPgError = func(conn *pgconn.PgConn, err *pgconn.PgError) bool {
		return err.Code != readOnlyTransaction && (keeps == nil || keeps(conn, err))
	}
}

// unreplicated is the key of a connection whose server has stopped waiting for a synchronous standby because a commit was
// cancelled. It then reports success, but the changes may be lost in a failover.
const unreplicated = "trove.unreplicated"

func noteUnreplicated(config *pgx.ConnConfig) {
	config.OnNotice = func(conn *pgconn.PgConn, notice *pgconn.Notice) {
		if notice.Routine == "SyncRepWaitForLSN" { // its text is translated
			conn.CustomData()[unreplicated] = true
		}
	}
}

// withoutDSN returns the error of an invalid DSN without the DSN, which pgx quotes, because it would put the password
// into logs. If the DSN is malformed, the password cannot be located, so nothing of it is quoted.
func withoutDSN(err error) error {
	text := err.Error()
	end := strings.LastIndex(text, "`: ")
	if end < 0 || strings.HasPrefix(text[end+3:], "failed to parse as") {
		return errors.New("it is malformed: use postgres://user:password@host:5432/database?option=value with the password " +
			"percent-encoded, or keywords such as host=localhost dbname=database")
	}
	return errors.New(text[end+3:])
}

// Open connects to the database of a DSN, which is a URL or a list of keywords:
//
//	postgres://user:password@host:5432/database?sslmode=verify-full&pool_max_conns=20
//	host=/var/run/postgresql dbname=database
//
// Defaults come from PostgreSQL's environment variables. An invalid DSN is an error, as is a server that does not
// respond or rejects the connection. Errors never contain the password. The context limits connecting only. The caller
// must close the database.
func Open(ctx context.Context, dsn string, given ...Option) (*sqlstore.DB, error) {
	d, err := connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	chosen := options{staleness: staleness}
	for _, option := range given {
		option(&chosen)
	}
	if chosen.replicas == nil {
		return sqlstore.New(d), nil
	}
	r, err := replicate(ctx, d, chosen)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store/sqlstore/postgres: replicas: %w", err), d.Close())
	}
	return sqlstore.New(r), nil
}

// endpoint describes what a connection leads to.
type endpoint struct {
	// pooler reports that there is a pooler, such as PgBouncer, between the program and the server.
	pooler bool
	// lockTimeout is the server's limit for waiting for a lock, in milliseconds; 0 means forever.
	lockTimeout int64
	// isolated is the default isolation level of transactions.
	isolated string
	// product is the product of the server.
	product product
}

// inspectServer examines what a connection leads to. A pooler reports a made-up process ID on connect, so the server's
// own process ID differs from it.
func inspectServer(ctx context.Context, config *pgx.ConnConfig) (found endpoint, err error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return endpoint{}, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	const question = "SELECT pg_backend_pid(), (SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout'), " +
		"current_setting('default_transaction_isolation'), version()"
	var process uint32
	var version string
	err = conn.QueryRow(ctx, question, pgx.QueryExecModeSimpleProtocol).Scan(&process, &found.lockTimeout, &found.isolated, &version)
	found.pooler, found.product = process != conn.PgConn().PID(), productOf(version)
	return found, err
}

// modeParameter is the DSN parameter that selects how statements are sent.
const modeParameter = "default_query_exec_mode"

// choosesMode reports whether a valid DSN, or a service file it names, selects how statements are sent. pgx does not
// distinguish a selected mode from its default.
func choosesMode(dsn string) bool {
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return false
	}
	_, chosen := config.RuntimeParams[modeParameter]
	return chosen
}

// lockTimeout is the setting of the server that limits how long a statement waits for another transaction.
const lockTimeout = "lock_timeout"

// wait describes how long transactions wait for others.
type wait struct {
	// limit is the limit for a connection and for locks; 0 means none.
	limit time.Duration
	// statement sets the limit within a transaction, "" if the connection has it already.
	statement string
}

// limit returns how long transactions wait: as the server is configured, or the default of all stores if neither the
// server nor the DSN sets it. In the second case it adds the limit to the parameters of connections. A pooler would
// reject that, or pass a session's settings on to other programs, so through a pooler each transaction sets it.
func (e endpoint) limit(parameters map[string]string) wait {
	if _, chosen := parameters[lockTimeout]; chosen || e.lockTimeout > 0 {
		return wait{limit: time.Duration(e.lockTimeout) * time.Millisecond}
	}
	milliseconds := strconv.FormatInt(txn.Default.Milliseconds(), 10)
	if e.pooler {
		return wait{txn.Default, "SET LOCAL " + lockTimeout + " = " + milliseconds}
	}
	parameters[lockTimeout] = milliseconds
	return wait{limit: txn.Default}
}
