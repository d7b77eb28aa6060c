package postgres_test

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/storetest"
)

// open opens a database that is closed with the test.
func open(t testing.TB, dsn string) *sqlstore.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), dsn)
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
	if err := db.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	if err := made.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return made
}

// declared returns a table that is not created yet.
func declared[T any](_ *testing.T, db *sqlstore.DB) store.Store[T] { return sqlstore.Table[T](db) }

// create creates tables.
func create(t *testing.T, db *sqlstore.DB, stores ...any) {
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

// renamed returns a table with a unique name, so that many fit into one schema. It is not for responses, which share a
// table, nor for records that reference others.
func renamed[T any](_ *testing.T, db *sqlstore.DB) store.Store[T] {
	return sqlstore.Table[T](db, sqlstore.Named("t_"+strings.ToLower(rand.Text())))
}

func TestConformanceThroughAPooler(t *testing.T) {
	t.Parallel()
	if !pooled() {
		t.Skip("run it by .ci/postgres .ci/pgbouncer")
	}
	for _, isolation := range []string{"read committed", "serializable"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			dsn := set(t, schema(t), "default_transaction_isolation", isolation)
			s := storetest.Suite[*sqlstore.DB]{Open: func(t *testing.T) *sqlstore.DB { t.Helper(); return open(t, dsn) }, Create: create}
			s.Integers, s.Strings, s.Queries = renamed, renamed, renamed
			s.Run(t)
		})
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	server(t)
	direct(t)
	for name, options := range map[string]map[string]string{
		"as pgx has it":             nil,
		"behind an old PgBouncer":   {"default_query_exec_mode": "exec"},
		"with the simple protocol":  {"default_query_exec_mode": "simple_protocol"},
		"with serializable changes": {"default_transaction_isolation": "serializable"},
		"with repeatable reads":     {"default_transaction_isolation": "repeatable read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.Suite[*sqlstore.DB]{Create: create, Open: func(t *testing.T) *sqlstore.DB {
				t.Helper()
				dsn := schema(t)
				for name, value := range options {
					dsn = with(dsn, name, value)
				}
				return open(t, dsn)
			}}
			s.Integers, s.Strings, s.UUIDs, s.Pairs = declared, declared, declared, declared
			s.Values, s.Stamps, s.Changes, s.Responses = declared, declared, declared, declared
			s.Queries, s.Through, s.Lists = declared, declared, declared
			if options == nil { // the statements do not depend on them
				s.Deletes.Integers, s.Deletes.Strings, s.Deletes.UUIDs, s.Deletes.Pairs = declared, declared, declared, declared
			}
			s.Run(t)
		})
	}
}
