package postgres_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// server returns the DSN of the server to test on, or skips the test.
func server(t testing.TB) string {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("set TROVE_TEST_POSTGRES to run the tests on PostgreSQL")
	}
	return dsn
}

// pooled reports whether the server is behind a pooler, as .ci/pgbouncer starts one.
func pooled() bool { return os.Getenv("TROVE_TEST_POOLER") != "" }

// direct skips a test about the program's own connections to the server.
func direct(t testing.TB) {
	t.Helper()
	if pooled() {
		t.Skip("a pooler owns the connections to the server")
	}
}

// schema creates a schema for the test, and returns a DSN whose connections use it. Through a pooler, which accepts no
// settings of the server in a DSN, it creates a database.
func schema(t testing.TB) string {
	t.Helper()
	dsn := server(t)
	name := "trove_test_" + strings.ToLower(rand.Text())
	if pooled() {
		administer(t, dsn, "CREATE DATABASE "+name)
		t.Cleanup(func() { administer(t, dsn, "DROP DATABASE "+name+" WITH (FORCE)") })
		return with(dsn, "dbname", name)
	}
	administer(t, dsn, "CREATE SCHEMA "+name)
	t.Cleanup(func() { administer(t, dsn, "DROP SCHEMA "+name+" CASCADE") })
	return with(dsn, "search_path", name)
}

// with adds an option to a DSN.
func with(dsn, option, value string) string {
	switch {
	case !strings.Contains(dsn, "://"):
		return dsn + " " + option + "='" + value + "'"
	case strings.Contains(dsn, "?"):
		return dsn + "&" + option + "=" + url.PathEscape(value)
	}
	return dsn + "?" + option + "=" + url.PathEscape(value)
}

// set returns a DSN whose connections have a setting of the server.
func set(t testing.TB, dsn, setting, value string) string {
	t.Helper()
	if !pooled() {
		return with(dsn, setting, value)
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	administer(t, server(t), "ALTER DATABASE "+config.Database+" SET "+setting+" = '"+value+"'",
		"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '"+config.Database+"'") // existing connections do not have it
	return dsn
}

// administer runs statements on a separate connection.
func administer(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// connected returns a driver in a new schema, and runs the statements there.
func connected(t testing.TB, statements ...string) sqlstore.Driver {
	t.Helper()
	dsn := schema(t)
	administer(t, dsn, statements...)
	return connectTo(t, dsn)
}

func connectTo(t testing.TB, dsn string) sqlstore.Driver {
	t.Helper()
	d, err := postgres.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// impatient returns a context that ends calls that hang.
func impatient(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// begin begins a transaction that is rolled back at the end.
func begin(ctx context.Context, t testing.TB, d sqlstore.Driver) sqlstore.Transaction {
	t.Helper()
	tx, err := d.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(ctx)) })
	return tx
}

// exec runs a statement that must succeed.
func exec(ctx context.Context, t testing.TB, e sqlstore.Executor, statement string) int64 {
	t.Helper()
	n, err := e.Exec(ctx, statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return n
}

// one returns the only value of a query.
func one[V any](ctx context.Context, t testing.TB, e sqlstore.Executor, statement string, args ...any) V {
	t.Helper()
	value, err := ask[V](ctx, e, statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return value
}

// ask returns the last value of a query, or its error.
func ask[V any](ctx context.Context, e sqlstore.Executor, statement string, args ...any) (value V, err error) {
	rows, err := e.Query(ctx, statement, args...)
	if err != nil {
		return value, err
	}
	for rows.Next() {
		if err := rows.Scan(&value); err != nil {
			return value, err
		}
	}
	if err := rows.Err(); err != nil {
		return value, err
	}
	return value, rows.Close()
}
