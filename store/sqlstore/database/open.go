// Package database opens SQLite or PostgreSQL, depending on a setting. Use it in programs that support both. A program
// that uses only one database opens it with package sqlite or postgres, and does not link the other.
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

// Open opens a name that begins with postgres:// or postgresql:// with postgres.Open. It opens anything else, a file
// path or ":memory:", with sqlite.Open. Errors never contain the password of a URL.
func Open(ctx context.Context, name string) (*sqlstore.DB, error) {
	if isPostgreSQL(name) {
		return postgres.Open(ctx, name)
	}
	return sqlite.Open(name)
}

func isPostgreSQL(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// Describe returns where [Open] stores the records of a database, for a program to print when it starts. That is the
// absolute path of an SQLite file, or the host and database of a PostgreSQL URL. The text has no user, password or
// parameters.
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
