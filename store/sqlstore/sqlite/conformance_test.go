package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
	"github.com/trove-api/trove/store/storetest"
)

// open opens a database that is closed with the test.
func open(t testing.TB, path string) *sqlstore.DB {
	t.Helper()
	db, err := sqlite.Open(path)
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

// table opens a database with an empty table.
func table[T any](t *testing.T, path string) store.Store[T] {
	t.Helper()
	return tableIn[T](t, open(t, path))
}

// tableIn makes an empty table in a database.
func tableIn[T any](t *testing.T, db *sqlstore.DB) store.Store[T] {
	t.Helper()
	made := sqlstore.Table[T](db)
	if err := db.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	if err := made.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return made
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

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]func(t *testing.T) string{
		"file":   func(t *testing.T) string { t.Helper(); return filepath.Join(t.TempDir(), "records of test.db") },
		"memory": func(*testing.T) string { return ":memory:" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("records", func(t *testing.T) {
				t.Parallel()
				storetest.Run(t, func(t *testing.T) store.Store[storetest.Record] {
					t.Helper()
					return table[storetest.Record](t, path(t))
				})
			})
			if testing.Short() && name == "memory" {
				return // the statements of the rest are those of a file
			}
			t.Run("stamps", func(t *testing.T) {
				t.Parallel()
				storetest.RunStamps(t, func(t *testing.T) store.Store[storetest.Stamped] {
					t.Helper()
					return table[storetest.Stamped](t, path(t))
				})
			})
			t.Run("changes", func(t *testing.T) {
				t.Parallel()
				storetest.RunChanges(t, func(t *testing.T) store.Store[storetest.Stamped] {
					t.Helper()
					return table[storetest.Stamped](t, path(t))
				})
			})
			t.Run("values", func(t *testing.T) {
				t.Parallel()
				storetest.RunValues(t, func(t *testing.T) store.Store[storetest.Values] {
					t.Helper()
					return table[storetest.Values](t, path(t))
				})
			})
			t.Run("answers", func(t *testing.T) {
				t.Parallel()
				storetest.RunAnswers(t, func(t *testing.T) store.Store[storetest.Record] {
					t.Helper()
					return table[storetest.Record](t, path(t))
				})
			})
			t.Run("keys of clients", func(t *testing.T) {
				t.Parallel()
				storetest.RunKeyed(t, func(t *testing.T) store.Store[storetest.Keyed] { t.Helper(); return table[storetest.Keyed](t, path(t)) })
			})
			t.Run("identifiers of several fields", func(t *testing.T) {
				t.Parallel()
				storetest.RunComposite(t, func(t *testing.T) store.Store[storetest.Seat] { t.Helper(); return table[storetest.Seat](t, path(t)) })
			})
			t.Run("references of several parts", func(t *testing.T) {
				t.Parallel()
				storetest.RunCompositeReferences(t, func(t *testing.T) (store.Store[storetest.Visit], store.Store[storetest.Seat]) {
					t.Helper()
					return visits(t, open(t, path(t)))
				})
			})
			t.Run("generated UUIDs", func(t *testing.T) {
				t.Parallel()
				storetest.RunUUID(t, func(t *testing.T) store.Store[storetest.Token] { t.Helper(); return table[storetest.Token](t, path(t)) })
			})
			t.Run("tables together", func(t *testing.T) {
				t.Parallel()
				storetest.RunJoint(t, func(t *testing.T) (store.Store[storetest.Record], store.Store[storetest.Keyed], store.Store[storetest.Token]) {
					t.Helper()
					db := open(t, path(t))
					return tableIn[storetest.Record](t, db), tableIn[storetest.Keyed](t, db), tableIn[storetest.Token](t, db)
				})
			})
			t.Run("queries through references", func(t *testing.T) {
				t.Parallel()
				storetest.RunThrough(t, func(t *testing.T) (store.Store[storetest.Mention], store.Store[storetest.Item]) {
					t.Helper()
					db := open(t, path(t))
					items := tableIn[storetest.Item](t, db)
					return tableIn[storetest.Mention](t, db), items
				})
			})
			t.Run("lists", func(t *testing.T) {
				t.Parallel()
				storetest.RunLists(t, func(t *testing.T) (store.Store[storetest.Bundle], store.Store[storetest.Keyed], store.Store[storetest.Token]) {
					t.Helper()
					return bundles(t, open(t, path(t)))
				})
			})
			t.Run("queries", func(t *testing.T) {
				t.Parallel()
				storetest.RunQueries(t, func(t *testing.T) store.Store[storetest.Item] { t.Helper(); return table[storetest.Item](t, path(t)) })
			})
		})
	}
}
