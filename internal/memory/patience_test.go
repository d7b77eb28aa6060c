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

func TestWaitingForATransactionHasALimit(t *testing.T) {
	t.Parallel()
	for limit, made := range map[time.Duration]func(...item) *memory.Store[item]{
		10 * time.Second: memory.New[item],
		time.Minute:      func(records ...item) *memory.Store[item] { return memory.New(records...).LockTimeout(time.Minute) },
	} {
		t.Run(limit.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, began := made(item{ID: 1}, item{ID: 2}), time.Now()
				finish := hold(t.Context(), t, s)
				err := s.Transact(t.Context(), increment(2))
				if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "the context of its function") {
					t.Errorf("Transact: %v", err)
				}
				if waited := time.Since(began); waited != limit {
					t.Errorf("it has waited for %s, want %s", waited, limit)
				}
				if err := errors.Join(finish(), s.Transact(t.Context(), increment(1))); err != nil || count(t, s, 1) != 2 || count(t, s, 2) != 0 {
					t.Errorf("counts %d and %d, %v", count(t, s, 1), count(t, s, 2), err)
				}
			})
		})
	}
}

func TestWithoutALockTimeoutTheContextIsTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.New(item{ID: 1}).LockTimeout(0)
		finish := hold(t.Context(), t, s)
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
