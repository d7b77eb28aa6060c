package memory_test

import (
	"context"
	"errors"
	"sync"
	"testing"
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

// hold begins a transaction that has changed a record. It ends when the test calls finish, which returns its error.
func hold(ctx context.Context, t *testing.T, s *memory.Store[item], id int64) (finish func() error) {
	t.Helper()
	held, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
			err := increment(id)(ctx, tx)
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

func TestTransactionsOnTwoRecordsOverlap(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), memory.New(item{ID: 1}, item{ID: 2})
	finish := hold(ctx, t, s, 1)
	if err := s.Transact(ctx, increment(2)); err != nil {
		t.Error(err)
	}
	if got := count(t, s, 2); got != 1 {
		t.Errorf("the second transaction is not saved before the first has ended: count %d", got)
	}
	if err := s.Transact(ctx, insert(&item{})); err != nil {
		t.Error(err)
	}
	if err := finish(); err != nil {
		t.Error(err)
	}
}

func TestOneThatWaitsForARecordBlocksNoOther(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), memory.New(item{ID: 1}, item{ID: 2}, item{ID: 3})
	finish := hold(ctx, t, s, 1)
	waited := make(chan error, 2)
	go func() { waited <- s.Transact(ctx, increment(1)) }()
	go func() {
		waited <- s.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
			return errors.Join(increment(2)(ctx, tx), increment(1)(ctx, tx))
		})
	}()
	for engine(s).Waiting() < 2 && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := s.Transact(ctx, increment(3)); err != nil || len(waited) != 0 {
		t.Fatalf("Transact: %v; %d others have ended", err, len(waited))
	}
	if got := count(t, s, 1); got != 0 {
		t.Errorf("what the first transaction has not saved is seen: count %d", got)
	}
	if err := errors.Join(finish(), <-waited, <-waited); err != nil {
		t.Fatal(err)
	}
	if one, two := count(t, s, 1), count(t, s, 2); one != 3 || two != 1 {
		t.Errorf("counts %d and %d, want 3 and 1", one, two)
	}
}

func TestAContendedTransactionRunsTwice(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), memory.New(item{ID: 1}, item{ID: 2}, item{ID: 3}, item{ID: 4})
	finishTwo, finishThree := hold(ctx, t, s, 2), hold(ctx, t, s, 3)
	runs := make(chan int, 9)
	ended := make(chan error, 1)
	go func() {
		ended <- s.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
			runs <- len(runs) + 1
			_ = increment(1)(ctx, tx)
			if err := increment(2)(ctx, tx); err != nil {
				if again := increment(4)(ctx, tx); again == nil {
					t.Error("a contended transaction can continue")
				}
				return nil // nothing of this run is saved
			}
			return increment(3)(ctx, tx)
		})
	}()
	for len(runs) < 2 {
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(finishTwo(), finishThree(), <-ended); err != nil {
		t.Fatal(err)
	}
	if len(runs) != 2 {
		t.Errorf("the function ran %d times, want 2", len(runs))
	}
	if one, two, three := count(t, s, 1), count(t, s, 2), count(t, s, 3); one != 1 || two != 2 || three != 2 {
		t.Errorf("counts %d, %d and %d, want 1, 2 and 2", one, two, three)
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
	if engine(s).Locks() != 0 {
		t.Errorf("%d locks are left", engine(s).Locks())
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	for name, touched := range map[string][]int64{
		"for the first record":  {1},
		"for its turn":          {2, 1},
		"once it has had a run": {2, 3, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, s := impatient(t), memory.New(item{ID: 1}, item{ID: 2}, item{ID: 3})
			finish := hold(ctx, t, s, 1)
			short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
			defer cancel()
			waiter := func() error {
				return s.Transact(short, func(ctx context.Context, tx store.Tx[item]) error {
					for _, id := range touched {
						if err := increment(id)(ctx, tx); err != nil {
							return err
						}
					}
					return nil
				})
			}
			other := make(chan error, 1)
			go func() { other <- waiter() }()
			for _, err := range []error{waiter(), <-other} {
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Transact: %v", err)
				}
			}
			if engine(s).Locks() != 1 {
				t.Errorf("%d locks are left in addition to the holder's", engine(s).Locks()-1)
			}
			if err := errors.Join(finish(), s.Transact(ctx, increment(1))); err != nil {
				t.Error(err)
			}
			if one, two := count(t, s, 1), count(t, s, 2); one != 2 || two != 0 || engine(s).Locks() != 0 {
				t.Errorf("counts %d and %d, %d locks", one, two, engine(s).Locks())
			}
		})
	}
}

func TestAPanicGivesBackTheRecords(t *testing.T) {
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
	if engine(s).Locks() != 0 {
		t.Errorf("%d locks are left", engine(s).Locks())
	}
	if err := s.Transact(ctx, increment(1)); err != nil || count(t, s, 1) != 1 {
		t.Errorf("the next transaction: %v, count %d", err, count(t, s, 1))
	}
}
