package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// coded returns records with a different code each.
func coded(n int) []item {
	all := make([]item, n)
	for i := range all {
		all[i] = item{Code: new(fmt.Sprint("code ", i+1))}
	}
	return all
}

func TestATransactionOfAnySizeKeepsCodesUnique(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{2, 50} {
		t.Run(fmt.Sprint(size, " records"), func(t *testing.T) {
			t.Parallel()
			s := memory.New(coded(int(size))...)
			err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error { return rotate(ctx, tx, size) })
			if err != nil {
				t.Fatal(err)
			}
			for id := int64(1); id <= size; id++ {
				got, err := s.Get(t.Context(), id)
				if want := fmt.Sprint("code ", id%size+1); err != nil || *got.Code != want {
					t.Errorf("record %d: %+v, %v, want the code %q", id, got, err, want)
				}
			}
			if n := engine(s).Entries()[0]; n != int(size) {
				t.Errorf("the index has %d entries", n)
			}
		})
	}
}

// rotate gives each record the code of the next one. Until all have changed, a duplicate is rejected.
func rotate(ctx context.Context, tx store.Tx[item], size int64) error {
	taken := store.UniqueError{Field: "code"}
	for id := int64(1); id <= size; id++ {
		next := item{ID: id, Code: new(fmt.Sprint("code ", id%size+1))}
		if err := tx.Update(ctx, id, &next); !errors.Is(err, taken) && (id < size || err != nil) {
			return fmt.Errorf("record %d takes a code that another has: %w", id, err)
		}
		if err := tx.Update(ctx, id, &item{ID: id}); err != nil {
			return err
		}
	}
	for id := int64(1); id <= size; id++ {
		next := item{ID: id, Code: new(fmt.Sprint("code ", id%size+1))}
		if err := tx.Update(ctx, id, &next); err != nil {
			return err
		}
		if err := tx.Insert(ctx, &item{Code: next.Code}); !errors.Is(err, taken) {
			return fmt.Errorf("a new record takes the code of record %d: %w", id, err)
		}
	}
	return nil
}

func TestATransactionIsFoundInAnyContextWithinItsOwn(t *testing.T) {
	t.Parallel()
	type name struct{}
	s := memory.New(coded(2)...)
	ctx := context.WithValue(t.Context(), name{}, "outer")
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
		if ctx.Value(name{}) != "outer" {
			t.Error("the function's context lacks the values of the outer context")
		}
		if err := increment(1)(ctx, tx); err != nil {
			return err
		}
		within, cancel := context.WithCancel(context.WithValue(ctx, name{}, "inner"))
		defer cancel()
		return s.Transact(within, func(ctx context.Context, joined store.Tx[item]) error {
			if record, err := joined.Get(ctx, int64(1)); err != nil || record.Count != 1 {
				t.Errorf("a transaction within another does not see its change: %+v, %v", record, err)
			}
			return nil
		})
	})
	if err != nil {
		t.Error(err)
	}
}
