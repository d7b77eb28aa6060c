package memory_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func TestAnInnerPanicFailsTheOuterTransaction(t *testing.T) {
	t.Parallel()
	s := memory.New(item{ID: 1})
	err := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[item]) error {
		func() {
			defer func() { _ = recover() }()
			_ = s.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
				_ = increment(1)(ctx, tx)
				panic("thrown")
			})
		}()
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "panicked") || count(t, s, 1) != 0 {
		t.Errorf("Transact: %v, count %d", err, count(t, s, 1))
	}
}

func TestAnInnerFailureEndsTheWritingOfTheOuterTransaction(t *testing.T) {
	t.Parallel()
	s := memory.New(item{ID: 1})
	refused := errors.New("refused")
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
		_ = s.Transact(ctx, func(context.Context, store.Tx[item]) error { return refused })
		for call, err := range map[string]error{
			"Get":      second(tx.Get(ctx, int64(1))),
			"Insert":   tx.Insert(ctx, &item{}),
			"Delete":   tx.Delete(ctx, int64(1)),
			"Transact": s.Transact(ctx, increment(1)),
		} {
			if !errors.Is(err, refused) {
				t.Errorf("%s after an inner failure: %v", call, err)
			}
		}
		return errors.New("of the outer function")
	})
	if err == nil || err.Error() != "of the outer function" {
		t.Errorf("Transact: %v, want the outer function's error", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestAnInnerTransactionWithACancelledContextFailsTheOuterOne(t *testing.T) {
	t.Parallel()
	s := memory.New(item{ID: 1})
	err := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[item]) error {
		inner, cancel := context.WithCancel(ctx)
		cancel()
		_ = s.Transact(inner, increment(1))
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Transact: %v", err)
	}
}

func TestATransactionCannotBeUsedWhenItHasEnded(t *testing.T) {
	t.Parallel()
	s := memory.New(item{ID: 1})
	var kept store.Tx[item]
	var inner context.Context
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
		kept, inner = tx, ctx
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for call, err := range map[string]error{
		"Get":      second(kept.Get(t.Context(), int64(1))),
		"Insert":   kept.Insert(t.Context(), &item{}),
		"Update":   kept.Update(t.Context(), int64(1), &item{ID: 1}),
		"Delete":   kept.Delete(t.Context(), int64(1)),
		"Transact": s.Transact(inner, increment(1)),
	} {
		if err == nil || !strings.Contains(err.Error(), "has ended") {
			t.Errorf("%s: %v", call, err)
		}
	}
	if engine(s).IsBusy() {
		t.Error("the turn is not given back")
	}
}

func TestStoresOfOneTypeHaveTheirOwnTransactions(t *testing.T) {
	t.Parallel()
	one, two := memory.New(item{ID: 1}), memory.New(item{ID: 1})
	refused := errors.New("refused")
	err := one.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
		if err := two.Transact(ctx, increment(1)); err != nil {
			return err
		}
		return errors.Join(increment(1)(ctx, tx), refused)
	})
	if !errors.Is(err, refused) || count(t, one, 1) != 0 || count(t, two, 1) != 1 {
		t.Errorf("Transact: %v, counts %d and %d", err, count(t, one, 1), count(t, two, 1))
	}
}

func TestUniqueValuesCanMoveWithinATransaction(t *testing.T) {
	t.Parallel()
	code := func(id int64, code *string) func(context.Context, store.Tx[item]) error {
		return func(ctx context.Context, tx store.Tx[item]) error {
			return tx.Update(ctx, id, &item{ID: id, Code: code})
		}
	}
	s := memory.New(item{ID: 1, Code: new("a")}, item{ID: 2, Code: new("b")})
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
		direct := code(1, new("b"))(ctx, tx)
		if !errors.Is(direct, store.UniqueError{Field: "code"}) {
			t.Errorf("an update to a value that is still in use: %v", direct)
		}
		return errors.Join(code(1, nil)(ctx, tx), code(2, new("a"))(ctx, tx), code(1, new("b"))(ctx, tx))
	})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := items(t, s)[0].Code, items(t, s)[1].Code; *a != "b" || *b != "a" {
		t.Errorf("codes %q and %q, want b and a", *a, *b)
	}
	err = s.Transact(t.Context(), insert(&item{Code: new("a")}))
	if !errors.Is(err, store.UniqueError{Field: "code"}) {
		t.Errorf("an insert of a value that has moved: %v", err)
	}
}
