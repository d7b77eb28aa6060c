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

// tableIn creates an empty table in a database.
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

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]func(t *testing.T) string{
		"file":   func(t *testing.T) string { t.Helper(); return filepath.Join(t.TempDir(), "records of test.db") },
		"memory": func(*testing.T) string { return ":memory:" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.Suite[*sqlstore.DB]{Open: func(t *testing.T) *sqlstore.DB { t.Helper(); return open(t, path(t)) }, Create: create}
			s.Integers = declared
			if !testing.Short() || name == "file" { // the statements of the rest are the same
				s.Strings, s.UUIDs, s.Pairs = declared, declared, declared
				s.Values, s.Constraints, s.Stamps, s.Changes, s.Log, s.Words, s.Responses = declared, declared, declared, declared, declared, declared, declared
				s.Queries, s.Through, s.Lists, s.Trash = declared, declared, declared, declared
			}
			if name == "memory" { // where many transactions are faster
				s.Deletes.Integers, s.Deletes.Strings, s.Deletes.UUIDs, s.Deletes.Pairs = declared, declared, declared, declared
			}
			s.Run(t)
		})
	}
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
