// Package database opens the database that a setting names, for programs that take either of them. One that knows which it
// wants opens it by package sqlite or postgres, and does not link the other.
package database

import (
	"context"
	"strings"

	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Open opens what begins with postgres:// or postgresql:// as postgres.Open does, and anything else as sqlite.Open does: a
// file by its path, or ":memory:". The error does not have the password of a URL.
func Open(ctx context.Context, name string) (*sqlstore.DB, error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		return postgres.Open(ctx, name)
	}
	return sqlite.Open(name)
}
