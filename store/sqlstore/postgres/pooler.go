package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// otherEnd is what a connection leads to.
type otherEnd struct {
	// pooler says that there is one, such as PgBouncer, between the program and the server.
	pooler bool
	// lockTimeout is how many milliseconds the server lets a statement wait for a lock; 0
	// is for ever.
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

// modeOfPoolers returns how statements are sent through a pooler: it may send each
// transaction to another server, where a prepared statement is not known or taken by
// another program's. So none is given a name. That of pgx which still knows the types of
// values needs a place to keep them in.
func modeOfPoolers(config *pgx.ConnConfig) pgx.QueryExecMode {
	if config.DescriptionCacheCapacity > 0 {
		return pgx.QueryExecModeCacheDescribe
	}
	return pgx.QueryExecModeExec
}
