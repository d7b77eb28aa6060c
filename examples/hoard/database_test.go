package main

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// onEach runs a test on SQLite and, where TROVE_TEST_POSTGRES has its URL, on PostgreSQL. The
// function is handed the name of a new database.
func onEach(t *testing.T, test func(t *testing.T, name string)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, filepath.Join(t.TempDir(), "hoard.db"))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, newPostgres(t))
	})
}

// newPostgres returns the URL of a part of the server that is the test's own.
func newPostgres(t *testing.T) string {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("set TROVE_TEST_POSTGRES to run the tests on PostgreSQL")
	}
	server, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := "hoard_" + strings.ToLower(rand.Text())
	create, drop, option := "CREATE SCHEMA "+name, "DROP SCHEMA "+name+" CASCADE", "search_path="+name
	if os.Getenv("TROVE_TEST_POOLER") != "" { // takes no settings of the server
		create, drop, option = "CREATE DATABASE "+name, "DROP DATABASE "+name+" WITH (FORCE)", "dbname="+name
	}
	if _, err := server.Exec(t.Context(), create); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := server.Exec(context.Background(), drop); err != nil { // that of the test has ended
			t.Error(err)
		}
		_ = server.Close()
	})
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	return dsn + separator + option
}
