package memory_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// impatient returns a context that ends transactions that hang.
func impatient(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// hold begins a transaction that has changed record 1. It ends when the test calls finish, which returns its error.
func hold(ctx context.Context, t *testing.T, s *memory.Store[item]) (finish func() error) {
	t.Helper()
	held, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
			err := increment(1)(ctx, tx)
			close(held)
			<-release
			return err
		})
	}()
	<-held
	return sync.OnceValue(func() error {
		close(release)
		return <-ended
	})
}

func TestReadersSeeWhatIsSavedWhileATransactionRuns(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), memory.New(item{ID: 1}, item{ID: 2})
	finish := hold(ctx, t, s)
	if got, all := count(t, s, 1), items(t, s); got != 0 || len(all) != 2 || all[0].Count != 0 {
		t.Errorf("a reader sees %d, and in a list of %d %d, before the transaction is saved", got, len(all), all[0].Count)
	}
	second := make(chan error, 1)
	go func() { second <- s.Transact(ctx, increment(1)) }()
	if err := errors.Join(finish(), <-second); err != nil || count(t, s, 1) != 2 {
		t.Errorf("two transactions count to %d (%v)", count(t, s, 1), err)
	}
}

func TestManyTransactionsOverManyRecordsAllSucceed(t *testing.T) {
	t.Parallel()
	const records, workers, rounds = 5, 8, 40
	ctx, s := impatient(t), memory.New(make([]item, records)...)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for round := range rounds {
				err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
					for step := range 3 { // another three records, in another order, each time
						id := int64((worker+round+step*(1+worker%(records-1)))%records + 1)
						if err := increment(id)(ctx, tx); err != nil {
							return err
						}
						time.Sleep(time.Microsecond)
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	sum := 0
	for _, record := range items(t, s) {
		sum += record.Count
	}
	if sum != workers*rounds*3 {
		t.Errorf("the counts add up to %d, want %d", sum, workers*rounds*3)
	}
	if engine(s).IsBusy() {
		t.Error("the turn is not given back")
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.New(item{ID: 1})
		finish := hold(t.Context(), t, s)
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		other := make(chan error, 1)
		go func() { other <- s.Transact(short, increment(1)) }()
		for _, err := range []error{s.Transact(short, increment(1)), <-other} {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Transact: %v", err)
			}
		}
		if err := errors.Join(finish(), s.Transact(t.Context(), increment(1))); err != nil || count(t, s, 1) != 2 {
			t.Errorf("the next transaction: %v, count %d", err, count(t, s, 1))
		}
	})
}

func TestAPanicGivesBackTheTurn(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), memory.New(item{ID: 1})
	func() {
		defer func() {
			if thrown := recover(); thrown != "thrown" {
				t.Errorf("recovered %v", thrown)
			}
		}()
		_ = s.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
			_ = increment(1)(ctx, tx)
			panic("thrown")
		})
	}()
	if engine(s).IsBusy() {
		t.Error("the turn is not given back")
	}
	if err := s.Transact(ctx, increment(1)); err != nil || count(t, s, 1) != 1 {
		t.Errorf("the next transaction: %v, count %d", err, count(t, s, 1))
	}
}
