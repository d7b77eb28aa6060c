package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// connect makes the pool, after a connection that shows what is at its other end, and a
// first one of the pool.
func connect(ctx context.Context, dsn string) (*driver, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/postgres: the DSN cannot be used: %w", withoutDSN(err))
	}
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
	return newDriver(pool, wait), nil
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
