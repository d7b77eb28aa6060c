package sqlite_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/storetest"
)

func TestADeleteFollowsOnDeleteForEachTypeOfIdentifier(t *testing.T) {
	t.Parallel()
	t.Run("int64", func(t *testing.T) { t.Parallel(); storetest.RunDeletes(t, folders[int64]) })
	t.Run("int32", func(t *testing.T) { t.Parallel(); storetest.RunDeletes(t, folders[int32]) })
	t.Run("uint64", func(t *testing.T) { t.Parallel(); storetest.RunDeletes(t, folders[uint64]) })
	t.Run("string", func(t *testing.T) { t.Parallel(); storetest.RunDeletes(t, folders[string]) })
	t.Run("UUID", func(t *testing.T) { t.Parallel(); storetest.RunDeletes(t, folders[uuid.UUID]) })
	t.Run("two fields", func(t *testing.T) {
		t.Parallel()
		storetest.RunCompositeDeletes(t, func(t *testing.T) (a, b store.Store[storetest.PairFolder]) {
			t.Helper()
			return related[storetest.PairFolder](t, open(t, ":memory:"))
		})
	})
}

func folders[K any](t *testing.T) (a, b store.Store[storetest.Folder[K]]) {
	t.Helper()
	return related[storetest.Folder[K]](t, open(t, ":memory:"))
}

// related makes two tables whose records refer to each other as storetest.RunDeletes says.
func related[R any](t *testing.T, db *sqlstore.DB) (a, b store.Store[R]) {
	t.Helper()
	table := func(name, other string) *sqlstore.Store[R] {
		options := []sqlstore.Option{sqlstore.Named(name)}
		for _, field := range []string{"in", "from", "next", "kept", "loose"} {
			options = append(options, sqlstore.References(field, name))
		}
		for _, field := range []string{"under", "by", "beside", "holds", "lists"} {
			options = append(options, sqlstore.References(field, other))
		}
		return sqlstore.Table[R](db, options...)
	}
	first, second := table("first_folders", "second_folders"), table("second_folders", "first_folders")
	if err := db.Create(t.Context(), first, second); err != nil {
		t.Fatal(err)
	}
	for _, made := range []*sqlstore.Store[R]{first, second} {
		if err := made.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return first, second
}
