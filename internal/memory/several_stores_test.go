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

func TestLinkedStoresKeepTheirEarlierLinks(t *testing.T) {
	t.Parallel()
	s := make([]*memory.Store[item], 6)
	for i := range s {
		s[i] = memory.New(item{ID: 1})
	}
	var all sync.WaitGroup
	for _, pair := range [][2]int{{0, 1}, {1, 0}, {2, 3}, {1, 2}, {3, 4}, {4, 0}} { // all at once, and in a circle
		all.Go(func() {
			together(s[pair[0]], s[pair[1]], &memory.Store[item]{})
		})
	}
	all.Wait()
	refused := errors.New("refused")
	err := s[0].Transact(t.Context(), func(ctx context.Context, _ store.Tx[item]) error {
		for _, each := range s[1:] {
			if err := each.Transact(ctx, increment(1)); err != nil {
				return err
			}
		}
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	for i, want := range []int{0, 0, 0, 0, 0, 1} {
		if got := count(t, s[i], 1); got != want {
			t.Errorf("the store %d has counted %d, want %d", i, got, want)
		}
	}
}

func TestTransactionsOverTwoStoresInOppositeOrdersRunOnce(t *testing.T) {
	t.Parallel()
	const workers, rounds = 8, 40
	ctx, one, two := impatient(t), memory.New(item{ID: 1}), memory.New(item{ID: 1})
	together(one, two)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			first, second := one, two
			if worker%2 == 0 {
				first, second = two, one
			}
			for range rounds {
				runs := 0
				err := first.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
					runs++
					return errors.Join(increment(1)(ctx, tx), second.Transact(ctx, increment(1)))
				})
				if err != nil || runs != 1 {
					t.Errorf("after %d runs: %v", runs, err)
				}
			}
		})
	}
	all.Wait()
	if a, b := count(t, one, 1), count(t, two, 1); a != workers*rounds || b != workers*rounds {
		t.Errorf("counts %d and %d, want %d", a, b, workers*rounds)
	}
	if engine(one).IsBusy() {
		t.Error("the turn is not given back")
	}
}

func TestReadersOfSeveralStoresNeverSeeATransactionUndone(t *testing.T) {
	t.Parallel()
	ctx, one, two := impatient(t), memory.New(item{ID: 1}), memory.New(item{ID: 1})
	together(one, two)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 2000 {
			err := one.Transact(ctx, func(ctx context.Context, tx store.Tx[item]) error {
				return errors.Join(increment(1)(ctx, tx), two.Transact(ctx, increment(1)))
			})
			if err != nil {
				t.Error(err)
			}
		}
	}()
	for going := true; going; {
		select {
		case <-done:
			going = false
		default:
		}
		// The second store has at least what was saved with the first.
		if a, b := count(t, one, 1), count(t, two, 1); b < a {
			t.Fatalf("the first store has counted %d, and then the second %d", a, b)
		}
		if b, a := count(t, two, 1), count(t, one, 1); a < b {
			t.Fatalf("the second store has counted %d, and then the first %d", b, a)
		}
	}
}

func TestResponsesAreSavedWithTheRecordsOfAllStores(t *testing.T) {
	t.Parallel()
	one, two := memory.New(item{ID: 1}), memory.New(item{ID: 1, Code: new("taken")})
	together(one, two)
	keep := func(then func(context.Context) error) error {
		return one.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
			keeper, _ := tx.(store.ResponseTx)
			if _, err := keeper.Response(ctx, "key"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("a response that was not stored: %v", err)
			}
			return errors.Join(keeper.KeepResponse(ctx, "key", store.StoredResponse{Expires: time.Now().Add(time.Hour)}), increment(1)(ctx, tx), then(ctx))
		})
	}
	err := keep(func(ctx context.Context) error { return two.Transact(ctx, insert(&item{Code: new("taken")})) })
	if !errors.Is(err, store.UniqueError{Field: "code"}) || engine(one).Responses() != 0 || count(t, one, 1) != 0 {
		t.Errorf("%v; %d responses, count %d", err, engine(one).Responses(), count(t, one, 1))
	}
	if err := keep(func(ctx context.Context) error { return two.Transact(ctx, increment(1)) }); err != nil || engine(one).Responses() != 1 || count(t, two, 1) != 1 {
		t.Errorf("%v; %d responses, count %d", err, engine(one).Responses(), count(t, two, 1))
	}
}
