package mysql_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/mysql"
)

// server returns the DSN of the server to test on, or skips the test.
func server(t testing.TB) string {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_MYSQL")
	if dsn == "" {
		t.Skip("set TROVE_TEST_MYSQL to run the tests on MariaDB or MySQL")
	}
	return dsn
}

// database creates a database for the test, and returns its DSN. The options are names and values.
func database(t testing.TB, options ...string) string {
	t.Helper()
	dsn := server(t)
	name := "trove_test_" + strings.ToLower(rand.Text())
	administer(t, dsn, "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, dsn, "DROP DATABASE "+name) })
	address, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	values := address.Query()
	for i := 0; i < len(options); i += 2 {
		values.Set(options[i], options[i+1])
	}
	address.Path, address.RawQuery = "/"+name, values.Encode()
	return address.String()
}

// administer runs statements on separate connections.
func administer(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	db, err := mysql.Open(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, statement := range statements {
		if _, err := db.Exec(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// open opens a database that is closed with the test.
func open(t testing.TB, dsn string) *sqlstore.DB {
	t.Helper()
	db, err := mysql.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// table creates an empty table in a database.
func table[T any](t testing.TB, db *sqlstore.DB, options ...sqlstore.Option) *sqlstore.Store[T] {
	t.Helper()
	made := sqlstore.Table[T](db, options...)
	create(t, db, made)
	return made
}

// declared returns a table that is not created yet.
func declared[T any](_ *testing.T, db *sqlstore.DB) store.Store[T] { return sqlstore.Table[T](db) }

// createTwice creates tables twice, because existing ones must be left alone.
func createTwice(t *testing.T, db *sqlstore.DB, stores ...any) {
	t.Helper()
	create(t, db, stores...)
	create(t, db, stores...)
}

// create creates tables.
func create(t testing.TB, db *sqlstore.DB, stores ...any) {
	t.Helper()
	tables := make([]sqlstore.TableDefiner, len(stores))
	for i, s := range stores {
		tables[i] = s.(sqlstore.TableDefiner)
	}
	if err := db.Create(t.Context(), tables...); err != nil {
		t.Fatal(err)
	}
	for _, s := range stores {
		if err := s.(store.Checker).Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// impatient returns a context that ends calls that hang.
func impatient(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// one returns the last value of a query.
func one[V any](ctx context.Context, t testing.TB, e interface {
	Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error)
}, statement string, args ...any,
) (value V) {
	t.Helper()
	rows, err := e.Query(ctx, statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	for rows.Next() {
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Close(); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return value
}
