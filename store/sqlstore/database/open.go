// Package database opens the database that a setting names, for programs that take either of them. One that knows which it
// wants opens it by package sqlite or postgres, and does not link the other.
package database

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Open opens what begins with postgres:// or postgresql:// as postgres.Open does, and anything else as sqlite.Open does: a
// file by its path, or ":memory:". The error does not have the password of a URL.
func Open(ctx context.Context, name string) (*sqlstore.DB, error) {
	if isPostgreSQL(name) {
		return postgres.Open(ctx, name)
	}
	return sqlite.Open(name)
}

func isPostgreSQL(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// Describe returns where [Open] keeps the records of a database, to be printed when a program starts: the absolute path of a
// SQLite file, or the host and the database of a PostgreSQL URL, without user, password and parameters.
func Describe(name string) string {
	if isPostgreSQL(name) {
		address, err := url.Parse(name)
		if err != nil || address.Host == "" {
			return "PostgreSQL"
		}
		return "PostgreSQL at " + address.Host + address.EscapedPath()
	}
	if name == ":memory:" {
		return "in memory, lost when the program ends"
	}
	if path, err := filepath.Abs(name); err == nil {
		name = path
	}
	return "SQLite file " + name
}
