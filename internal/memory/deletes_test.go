package memory_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
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
			return related[storetest.PairFolder](t)
		})
	})
}

func folders[K any](t *testing.T) (a, b store.Store[storetest.Folder[K]]) {
	t.Helper()
	return related[storetest.Folder[K]](t)
}

// related returns two stores whose records refer to each other as storetest.RunDeletes says.
func related[R any](t *testing.T) (a, b store.Store[R]) {
	t.Helper()
	first, second := memory.New[R](), memory.New[R]()
	errs := []error{first.Check(t.Context())}
	for _, each := range [][2]*memory.Store[R]{{first, second}, {second, first}} {
		for _, field := range []string{"in", "from", "next", "kept", "loose"} {
			errs = append(errs, refer(each[0], field, each[0]))
		}
		for _, field := range []string{"under", "by", "beside", "holds", "lists"} {
			errs = append(errs, refer(each[0], field, each[1]))
		}
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return first, second
}
