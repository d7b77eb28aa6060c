package postgres

import (
	"context"

	"github.com/trove-api/trove/store/sqlstore"
)

// Open connects to the database that the DSN names, as a URL or in words:
//
//	postgres://user:password@host:5432/database?sslmode=verify-full&pool_max_conns=20
//	host=/var/run/postgresql dbname=database
//
// What it leaves out comes from PostgreSQL's environment variables. A DSN that cannot be
// used, and a server that does not answer or refuses, are errors, which never tell the
// password. ctx is for connecting only. Whoever opened the database closes it.
func Open(ctx context.Context, dsn string) (*sqlstore.DB, error) {
	d, err := connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return sqlstore.New(d), nil
}
