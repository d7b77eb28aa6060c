package memory_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type numbered[N int | int64] struct {
	ID   N `json:"id" api:"id"`
	Next N `json:"next"`
}

func TestIntegersNearAndFarAreFoundUntilTheyAreDeleted(t *testing.T) {
	t.Parallel()
	t.Run("int64", func(t *testing.T) {
		t.Parallel()
		testIntegers(t, []int64{math.MinInt64, math.MinInt64 + 1, -17, -16, -15, -1, 1, 15, 16, 17, 31, 32, 1 << 40, math.MaxInt64})
	})
	t.Run("int", func(t *testing.T) {
		t.Parallel()
		testIntegers(t, []int{math.MinInt, -16, -1, 1, 15, 16, math.MaxInt})
	})
}

func testIntegers[N int | int64](t *testing.T, ids []N) {
	t.Helper()
	var records []numbered[N]
	for _, id := range ids {
		records = append(records, numbered[N]{id, id + 1})
	}
	s := memory.New(records...)
	for i, id := range ids {
		if err := s.Transact(t.Context(), replace(id)); err != nil {
			t.Fatalf("replacing %d: %v", id, err)
		}
		if found, err := s.Get(t.Context(), id); err != nil || found.Next != id+2 {
			t.Errorf("%d = %+v, %v; want the replaced record", id, found, err)
		}
		if err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[numbered[N]]) error { return tx.Delete(ctx, id) }); err != nil {
			t.Fatalf("deleting %d: %v", id, err)
		}
		if _, err := s.Get(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%d is deleted, and yet: %v", id, err)
		}
		if left := len(ids) - i - 1; engine(s).Rows() != left {
			t.Errorf("%d rows are left of %d", engine(s).Rows(), left)
		}
	}
	if engine(s).Locks() != 0 {
		t.Errorf("an empty store has %d locks", engine(s).Locks())
	}
}

// replace replaces a record, and checks that a copy cannot be inserted.
func replace[N int | int64](id N) func(context.Context, store.Tx[numbered[N]]) error {
	return func(ctx context.Context, tx store.Tx[numbered[N]]) error {
		if err := tx.Insert(ctx, &numbered[N]{ID: id}); !errors.Is(err, store.UniqueError{Field: "id"}) {
			return fmt.Errorf("a second one is inserted: %w", err)
		}
		return tx.Update(ctx, id, &numbered[N]{id, id + 2})
	}
}
