package memory_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// incrementAll increments records, one after the other.
func incrementAll(ids ...int64) func(context.Context, store.Tx[item]) error {
	return func(ctx context.Context, tx store.Tx[item]) error {
		for _, id := range ids {
			if err := increment(id)(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestWaitingForARecordHasALimit(t *testing.T) {
	t.Parallel()
	for name, touched := range map[string][]int64{
		"for the first record":  {1},
		"once it has had a run": {2, 3, 1},
	} {
		for limit, made := range map[time.Duration]func(...item) *memory.Store[item]{
			10 * time.Second: memory.New[item],
			time.Minute:      func(records ...item) *memory.Store[item] { return memory.New(records...).LockTimeout(time.Minute) },
		} {
			t.Run(name+", "+limit.String(), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s, began := made(item{ID: 1}, item{ID: 2}, item{ID: 3}), time.Now()
					finish := hold(t.Context(), t, s, 1)
					err := s.Transact(t.Context(), incrementAll(touched...))
					if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "the context of its function") {
						t.Errorf("Transact: %v", err)
					}
					if waited := time.Since(began); waited != limit {
						t.Errorf("it has waited for %s, want %s", waited, limit)
					}
					if engine(s).Locks() != 1 {
						t.Errorf("%d locks are left in addition to the holder's", engine(s).Locks()-1)
					}
					if err := errors.Join(finish(), s.Transact(t.Context(), increment(1))); err != nil || count(t, s, 1) != 2 || count(t, s, 2) != 0 {
						t.Errorf("counts %d and %d, %v", count(t, s, 1), count(t, s, 2), err)
					}
				})
			})
		}
	}
}

func TestWaitingForATurnHasALimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.New(item{ID: 1}, item{ID: 2}, item{ID: 3}, item{ID: 4})
		finish, errs := hold(t.Context(), t, s, 1), make(chan error, 2)
		for _, first := range []int64{2, 3} { // one waits for its turn, the other has it and waits for the record
			go func() { errs <- s.Transact(t.Context(), incrementAll(first, 1)) }()
		}
		for range 2 {
			if err := <-errs; !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("Transact: %v", err)
			}
		}
		if err := finish(); err != nil || engine(s).Locks() != 0 {
			t.Errorf("%d locks are left (%v)", engine(s).Locks(), err)
		}
	})
}

func TestWithoutALockTimeoutTheContextIsTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.New(item{ID: 1}).LockTimeout(0)
		finish := hold(t.Context(), t, s, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := s.Transact(ctx, increment(1)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Transact: %v", err)
		}
		if err := finish(); err != nil {
			t.Error(err)
		}
	})
}

func TestATransactionWithinOneThatDoesNotKnowOfItEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, outer := memory.New(item{ID: 1}), t.Context()
		err := s.Transact(outer, func(ctx context.Context, tx store.Tx[item]) error {
			return errors.Join(increment(1)(ctx, tx), s.Transact(outer, increment(1)))
		})
		if !errors.Is(err, store.ErrUnavailable) || count(t, s, 1) != 0 {
			t.Errorf("Transact: %v, count %d", err, count(t, s, 1))
		}
	})
}
