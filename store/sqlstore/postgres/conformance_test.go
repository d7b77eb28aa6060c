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

// table makes an empty table in a database.
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

// opener returns what opens an empty store in a schema of its own, with options in the
// DSN.
func opener[T any](options map[string]string) func(t *testing.T) store.Store[T] {
	return func(t *testing.T) store.Store[T] {
		t.Helper()
		dsn := schema(t)
		for name, value := range options {
			dsn = with(dsn, name, value)
		}
		return table[T](t, open(t, dsn))
	}
}

// tables returns what opens empty tables of other names in one schema, which is faster.
// Not for answers, which share a table.
func tables[T any](dsn string) func(t *testing.T) store.Store[T] {
	return func(t *testing.T) store.Store[T] {
		t.Helper()
		return table[T](t, open(t, dsn), sqlstore.Named("t_"+strings.ToLower(rand.Text())))
	}
}

// bundles makes empty tables of records that have lists, and of those that they refer to.
func bundles(t *testing.T, db *sqlstore.DB) (store.Store[storetest.Bundle], store.Store[storetest.Keyed], store.Store[storetest.Token]) {
	t.Helper()
	made, keys, tokens := sqlstore.Table[storetest.Bundle](db), sqlstore.Table[storetest.Keyed](db), sqlstore.Table[storetest.Token](db)
	if err := db.Create(t.Context(), made, keys, tokens); err != nil {
		t.Fatal(err)
	}
	if err := made.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return made, keys, tokens
}

// visits makes empty tables of records that refer to others of two identifiers, and of those.
func visits(t *testing.T, db *sqlstore.DB) (store.Store[storetest.Visit], store.Store[storetest.Seat]) {
	t.Helper()
	made, seats := sqlstore.Table[storetest.Visit](db), sqlstore.Table[storetest.Seat](db)
	if err := db.Create(t.Context(), made, seats); err != nil {
		t.Fatal(err)
	}
	if err := made.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return made, seats
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
			t.Run("records", func(t *testing.T) { storetest.Run(t, tables[storetest.Record](dsn)) })
			t.Run("keys of clients", func(t *testing.T) { storetest.RunKeyed(t, tables[storetest.Keyed](dsn)) })
			t.Run("queries", func(t *testing.T) { storetest.RunQueries(t, tables[storetest.Item](dsn)) })
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
			t.Run("records", func(t *testing.T) {
				t.Parallel()
				storetest.Run(t, opener[storetest.Record](options))
			})
			t.Run("stamps", func(t *testing.T) {
				t.Parallel()
				storetest.RunStamps(t, opener[storetest.Stamped](options))
			})
			t.Run("changes", func(t *testing.T) {
				t.Parallel()
				storetest.RunChanges(t, opener[storetest.Stamped](options))
			})
			t.Run("values", func(t *testing.T) {
				t.Parallel()
				storetest.RunValues(t, opener[storetest.Values](options))
			})
			t.Run("answers", func(t *testing.T) {
				t.Parallel()
				storetest.RunAnswers(t, opener[storetest.Record](options))
			})
			t.Run("keys of clients", func(t *testing.T) {
				t.Parallel()
				storetest.RunKeyed(t, opener[storetest.Keyed](options))
			})
			t.Run("identifiers of several fields", func(t *testing.T) {
				t.Parallel()
				storetest.RunComposite(t, opener[storetest.Seat](options))
			})
			t.Run("tables together", func(t *testing.T) {
				t.Parallel()
				storetest.RunJoint(t, func(t *testing.T) (store.Store[storetest.Record], store.Store[storetest.Keyed], store.Store[storetest.Token]) {
					t.Helper()
					dsn := schema(t)
					for name, value := range options {
						dsn = with(dsn, name, value)
					}
					db := open(t, dsn)
					return table[storetest.Record](t, db), table[storetest.Keyed](t, db), table[storetest.Token](t, db)
				})
			})
			t.Run("references of several parts", func(t *testing.T) {
				t.Parallel()
				storetest.RunCompositeReferences(t, func(t *testing.T) (store.Store[storetest.Visit], store.Store[storetest.Seat]) {
					t.Helper()
					dsn := schema(t)
					for name, value := range options {
						dsn = with(dsn, name, value)
					}
					return visits(t, open(t, dsn))
				})
			})
			t.Run("generated UUIDs", func(t *testing.T) {
				t.Parallel()
				storetest.RunUUID(t, opener[storetest.Token](options))
			})
			t.Run("queries through references", func(t *testing.T) {
				t.Parallel()
				storetest.RunThrough(t, func(t *testing.T) (store.Store[storetest.Mention], store.Store[storetest.Item]) {
					t.Helper()
					dsn := schema(t)
					for name, value := range options {
						dsn = with(dsn, name, value)
					}
					db := open(t, dsn)
					items := table[storetest.Item](t, db)
					return table[storetest.Mention](t, db), items
				})
			})
			t.Run("lists", func(t *testing.T) {
				t.Parallel()
				storetest.RunLists(t, func(t *testing.T) (store.Store[storetest.Bundle], store.Store[storetest.Keyed], store.Store[storetest.Token]) {
					t.Helper()
					dsn := schema(t)
					for name, value := range options {
						dsn = with(dsn, name, value)
					}
					return bundles(t, open(t, dsn))
				})
			})
			t.Run("queries", func(t *testing.T) {
				t.Parallel()
				storetest.RunQueries(t, opener[storetest.Item](options))
			})
		})
	}
}
