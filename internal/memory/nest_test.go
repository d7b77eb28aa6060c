package memory_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type stamp struct {
	ID   int64 `json:"id"`
	Code int   `json:"code" api:"unique"`
}

// A transaction with random parts, some of them undone, saves what the others have written, and reports nothing else.
func TestPartsOfATransactionAreUndone(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	s := memory.New[stamp]()
	nester := untyped.Of(s).Records.(compiled.Nester)
	var reported int
	s.Report(&store.Listener{Committed: func(_ context.Context, changes []store.Change) { reported = len(changes) }})
	want := map[int]bool{}
	err := s.Transact(t.Context(), func(ctx context.Context, outer store.Tx[stamp]) error {
		for part := range 300 {
			var written []int
			keeps := r.IntN(2) == 0
			err := nester.Nest(ctx, func() bool {
				return s.Transact(ctx, func(ctx context.Context, tx store.Tx[stamp]) error {
					for range r.IntN(20) {
						code := r.IntN(1000)
						isTaken := want[code] || slices.Contains(written, code)
						if err := tx.Insert(ctx, &stamp{Code: code}); (err != nil) != isTaken {
							return fmt.Errorf("part %d: code %d is taken: %v, error %w", part, code, isTaken, err)
						} else if err == nil {
							written = append(written, code)
						}
					}
					if !keeps {
						return errors.New("refused")
					}
					return nil
				}) == nil
			})
			if err != nil {
				return err
			}
			if keeps {
				for _, code := range written {
					want[code] = true
				}
			}
			if code := 1000 + part; part%7 == 0 { // outside of parts
				if err := outer.Insert(ctx, &stamp{Code: code}); err != nil {
					return err
				}
				want[code] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := s.List(t.Context(), store.Query{})
	if err != nil || len(page.Items) != len(want) || reported != len(want) {
		t.Fatalf("%d records, %d reported, want %d (%v)", len(page.Items), reported, len(want), err)
	}
	for _, record := range page.Items {
		if !want[record.Code] {
			t.Errorf("the code %d of an undone part is saved", record.Code)
		}
	}
	if err := nester.Nest(t.Context(), func() bool { return true }); err == nil {
		t.Error("a part without a transaction is no error")
	}
}

func TestAPartIsUndoneAlthoughItsWritesSucceed(t *testing.T) {
	t.Parallel()
	s := memory.New(stamp{Code: 1})
	nester := untyped.Of(s).Records.(compiled.Nester)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[stamp]) error {
		err := nester.Nest(ctx, func() bool { return tx.Delete(ctx, int64(1)) != nil }) // undone, although it succeeds
		if err != nil {
			return err
		}
		if _, err := tx.Get(ctx, int64(1)); err != nil {
			return err
		}
		return nester.Nest(ctx, func() bool {
			cancel()
			return true
		})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled transaction returns %v", err)
	}
}
