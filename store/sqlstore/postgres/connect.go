package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// connect makes the pool, after a connection that shows what is at its other end, and a
// first one of the pool.
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

// connectTimeout limits connecting to a server, unless the DSN or the environment says how long it may
// take.
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

// withoutDSN returns what pgx says of a DSN that it cannot use, without the DSN, which
// pgx quotes and so would bring a password into logs. Of a malformed DSN nobody can tell
// what the password is, so that nothing of it is quoted at all.
func withoutDSN(err error) error {
	text := err.Error()
	end := strings.LastIndex(text, "`: ")
	if end < 0 || strings.HasPrefix(text[end+3:], "failed to parse as") {
		return errors.New("it is malformed: want postgres://user:password@host:5432/database?option=value, the password " +
			"percent-encoded, or words such as host=localhost dbname=database")
	}
	return errors.New(text[end+3:])
}
