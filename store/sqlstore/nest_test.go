package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// nest runs a part of a transaction for each coin, which joins the transaction, inserts the coin, and returns an error.
func nest(ctx context.Context, s *sqlstore.Store[coin], errs map[string]error, coins ...string) error {
	nester := untyped.Of(s).Records.(compiled.Nester)
	for _, name := range coins {
		err := nester.Nest(ctx, func() bool {
			return s.Transact(ctx, func(ctx context.Context, tx store.Tx[coin]) error {
				return errors.Join(tx.Insert(ctx, &coin{Name: name}), errs[name])
			}) == nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func names(coins []*coin) (list []string) {
	for _, c := range coins {
		list = append(list, c.Name)
	}
	return list
}

func TestAPartOfATransactionIsUndone(t *testing.T) {
	t.Parallel()
	db, s := made(t, &coin{Name: "taken"})
	var reported []string
	db.Report(&store.Listener{Committed: func(_ context.Context, changes []store.Change) {
		for _, change := range changes {
			reported = append(reported, change.After.(*coin).Name)
		}
	}})
	bad := map[string]error{"b": errors.New("refused")}
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
		if err := tx.Insert(ctx, &coin{Name: "first"}); err != nil {
			return err
		}
		if err := nest(ctx, s, bad, "a", "b", "taken", "a", "c"); err != nil {
			return err
		}
		return tx.Insert(ctx, &coin{Name: "b"})
	})
	if got, want := names(all(t, s)), []string{"taken", "first", "a", "c", "b"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the coins are %v, want %v (%v)", got, want, err)
	}
	if want := []string{"first", "a", "c", "b"}; !slices.Equal(reported, want) {
		t.Errorf("reported are %v, want %v", reported, want)
	}
	if err := untyped.Of(s).Records.(compiled.Nester).Nest(t.Context(), func() bool { return true }); err == nil {
		t.Error("a part without a transaction is no error")
	}
}

func TestAHookReadsAfterAFailureInAPart(t *testing.T) {
	t.Parallel()
	_, s := made(t, &coin{Name: "taken"})
	nester := untyped.Of(s).Records.(compiled.Nester)
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
		if err := tx.Insert(ctx, &coin{Name: "first"}); err != nil {
			return err
		}
		return nester.Nest(ctx, func() bool {
			failed := s.Transact(ctx, func(ctx context.Context, tx store.Tx[coin]) error {
				_ = s.Transact(ctx, func(context.Context, store.Tx[coin]) error { return errors.New("refused") })
				if page, err := s.List(ctx, store.Query{}); err != nil || len(page.Items) != 2 {
					t.Errorf("the hook reads %v (%v)", names(page.Items), err)
				}
				return tx.Insert(ctx, &coin{Name: "second"})
			})
			if failed == nil {
				t.Error("a write after a failure is no error")
			}
			return false
		})
	})
	if got, want := names(all(t, s)), []string{"taken", "first"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the coins are %v, want %v (%v)", got, want, err)
	}
}

func TestAConflictInAPartRunsTheWholeTransactionAgain(t *testing.T) {
	t.Parallel()
	db, plain := made[coin](t)
	watched, r := recorded(db)
	s := sqlstore.Table[coin](watched)
	failing(r, "INSERT", 1, sqlstore.RetryFault)
	runs := 0
	err := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[coin]) error {
		runs++
		return nest(ctx, s, nil, "a", "b")
	})
	if got := names(all(t, plain)); err != nil || runs != 2 || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("after %d runs the coins are %v (%v)", runs, got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = plain.Transact(ctx, func(ctx context.Context, _ store.Tx[coin]) error {
		cancel()
		return nest(ctx, plain, nil, "c")
	})
	if !errors.Is(err, context.Canceled) || len(all(t, plain)) != 2 {
		t.Errorf("a cancelled transaction: %v", err)
	}
}

func TestAnInnerFailureIsTheErrorOfTheCallAroundIt(t *testing.T) {
	t.Parallel()
	_, s := made[coin](t)
	refused := errors.New("refused")
	err := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[coin]) error {
		if err := s.Transact(ctx, func(ctx context.Context, _ store.Tx[coin]) error {
			_ = s.Transact(ctx, func(context.Context, store.Tx[coin]) error { return refused })
			return nil
		}); !errors.Is(err, refused) {
			t.Errorf("the call around a failure returns %v", err)
		}
		return nil
	})
	if !errors.Is(err, refused) {
		t.Errorf("the transaction returns %v", err)
	}
	err = s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[coin]) error {
		func() {
			defer func() { _ = recover() }()
			_ = s.Transact(ctx, func(context.Context, store.Tx[coin]) error { panic("thrown") })
		}()
		return nil
	})
	if err == nil || len(all(t, s)) != 0 {
		t.Errorf("after a panic within it the transaction returns %v", err)
	}
}
