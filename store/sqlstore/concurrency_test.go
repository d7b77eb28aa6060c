package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// programs opens one file several times, as several programs would.
func programs(t *testing.T, n int) []*sqlstore.Store[coin] {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shared.db")
	stores := make([]*sqlstore.Store[coin], n)
	for i := range stores {
		db, err := sqlite.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		stores[i] = sqlstore.Table[coin](db)
		if err := db.Create(t.Context(), stores[i]); err != nil {
			t.Fatal(err)
		}
	}
	return stores
}

func TestNoUpdateIsLostBetweenPrograms(t *testing.T) {
	t.Parallel()
	stores := programs(t, 3)
	insert(t, stores[0], &coin{Name: "a"})
	var workers sync.WaitGroup
	errs := make([]error, 9)
	for i := range errs {
		workers.Go(func() {
			for range 20 {
				err := stores[i%3].Transact(t.Context(), updating(int64(1), func(c *coin) { c.Worth++ }))
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if worth := all(t, stores[1])[0].Worth; worth != 9*20 {
		t.Errorf("of %d increments %d are there", 9*20, worth)
	}
}

func TestOfManyProgramsOneTakesAName(t *testing.T) {
	t.Parallel()
	stores := programs(t, 3)
	for round := range 10 {
		var workers sync.WaitGroup
		errs := make([]error, 9)
		for i := range errs {
			workers.Go(func() { errs[i] = stores[i%3].Transact(t.Context(), inserting(&coin{Name: fmt.Sprint(round)})) })
		}
		workers.Wait()
		won := 0
		for _, err := range errs {
			taken := store.UniqueError{}
			switch {
			case err == nil:
				won++
			case !errors.As(err, &taken) || taken.Field != "name":
				t.Errorf("%v, want a store.UniqueError of the name", err)
			}
		}
		if won != 1 {
			t.Errorf("%d programs took one name", won)
		}
	}
	if n := len(all(t, stores[0])); n != 10 {
		t.Errorf("%d coins are there", n)
	}
}

func TestACancelledTransactionSavesNothing(t *testing.T) {
	t.Parallel()
	_, s := made[coin](t)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[coin]) error {
		err := tx.Insert(ctx, &coin{Name: "a"})
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) || len(all(t, s)) != 0 {
		t.Errorf("%v, and %d coins", err, len(all(t, s)))
	}
	insert(t, s, &coin{Name: "b"})
}

func TestAPanicSavesNothingAndFreesTheDatabase(t *testing.T) {
	t.Parallel()
	_, s := made[coin](t)
	func() {
		defer func() {
			if cause := recover(); cause != "as planned" {
				t.Errorf("the panic is %v", cause)
			}
		}()
		_ = s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
			if err := tx.Insert(ctx, &coin{Name: "a"}); err != nil {
				return err
			}
			panic("as planned")
		})
	}()
	if found := all(t, s); len(found) != 0 {
		t.Errorf("%d coins are saved", len(found))
	}
	insert(t, s, &coin{Name: "a"})
}
