package memory_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type (
	hoarder struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	// jewel references records with each ondelete.
	jewel struct {
		ID      int64   `json:"id"`
		Name    string  `json:"name"`
		Owner   *int64  `json:"owner" api:"ref=Hoarder,ondelete=cascade"`
		Finder  *int64  `json:"finder" api:"ref=Hoarder,ondelete=null"`
		Wearers []int64 `json:"wearers" validate:"max=9" api:"ref=Hoarder,ondelete=null"`
	}
)

// reported are two stores that share transactions, with the changes they report.
type reported struct {
	hoarders *memory.Store[hoarder]
	jewels   *memory.Store[jewel]

	mu    sync.Mutex
	calls []string
}

func newReported(t *testing.T) *reported {
	t.Helper()
	r := &reported{
		hoarders: memory.New(hoarder{Name: "ann"}, hoarder{Name: "bob"}),
		jewels: memory.New(
			jewel{Name: "ring", Owner: new(int64(1))},
			jewel{Name: "crown", Finder: new(int64(1))},
			jewel{Name: "chain", Wearers: []int64{1, 2}},
		),
	}
	for _, field := range []string{"owner", "finder", "wearers"} {
		if err := refer(r.jewels, field, r.hoarders); err != nil {
			t.Fatal(err)
		}
	}
	listener := &store.Listener{Committed: func(_ context.Context, changes []store.Change) { r.note(changes) }}
	r.hoarders.Report(listener)
	r.jewels.Report(listener)
	return r
}

func (r *reported) note(changes []store.Change) {
	var all []string
	for _, change := range changes {
		all = append(all, fmt.Sprintf("%s: %s > %s", change, written(change.Before), written(change.After)))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, strings.Join(all, "; "))
}

func written(record any) string {
	switch record := record.(type) {
	case *hoarder:
		return record.Name
	case *jewel:
		return fmt.Sprintf("%s %t %t %v", record.Name, record.Owner != nil, record.Finder != nil, record.Wearers)
	}
	return "nil"
}

func (r *reported) check(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(r.calls, want) {
		t.Errorf("reported is\n%s\nwant\n%s", strings.Join(r.calls, "\n"), strings.Join(want, "\n"))
	}
	r.calls = nil
}

func TestATransactionOverTwoStoresIsReportedOnce(t *testing.T) {
	t.Parallel()
	r := newReported(t)
	err := r.hoarders.Transact(t.Context(), func(ctx context.Context, tx store.Tx[hoarder]) error {
		if _, err := tx.Get(ctx, int64(1)); err != nil {
			return err
		}
		err := r.jewels.Transact(ctx, func(ctx context.Context, jewels store.Tx[jewel]) error {
			return jewels.Insert(ctx, &jewel{Name: "coin"})
		})
		return errors.Join(err, tx.Update(ctx, int64(2), &hoarder{ID: 2, Name: "bea"}), tx.Update(ctx, int64(1), &hoarder{ID: 1, Name: "ann"}))
	})
	if err != nil {
		t.Fatal(err)
	}
	r.check(t, "inserted 4: nil > coin false "+"false []; updated 2: bob > bea; updated 1: ann > ann")
}

func TestARecordThatChangesTwiceIsReportedOnce(t *testing.T) {
	t.Parallel()
	r := newReported(t)
	err := r.hoarders.Transact(t.Context(), func(ctx context.Context, tx store.Tx[hoarder]) error {
		return errors.Join(
			tx.Update(ctx, int64(2), &hoarder{ID: 2, Name: "bea"}), tx.Update(ctx, int64(2), &hoarder{ID: 2, Name: "ben"}),
			tx.Insert(ctx, &hoarder{ID: 7}), tx.Delete(ctx, int64(7)),
			tx.Insert(ctx, &hoarder{ID: 8, Name: "cid"}), tx.Delete(ctx, int64(8)), tx.Insert(ctx, &hoarder{ID: 8, Name: "dan"}),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	r.check(t, "updated 2: bob > ben; inserted 8: nil > dan")
}

func TestWhatADeleteDeletesAndChangesIsReported(t *testing.T) {
	t.Parallel()
	r := newReported(t)
	if err := store.Delete(t.Context(), r.hoarders, any(int64(1))); err != nil {
		t.Fatal(err)
	}
	r.check(t, "deleted 1: ann > nil; deleted 1: ring true false [] > nil; updated 2: crown false true [] > crown false "+"false []; "+
		"updated 3: chain false "+"false [1 2] > chain false "+"false [2]")
}

func TestWhatIsNotSavedIsNotReported(t *testing.T) {
	t.Parallel()
	r := newReported(t)
	failure := errors.New("failure")
	err := r.hoarders.Transact(t.Context(), func(ctx context.Context, tx store.Tx[hoarder]) error {
		return errors.Join(tx.Insert(ctx, &hoarder{Name: "cid"}), failure)
	})
	if !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
	err = store.Insert(t.Context(), r.jewels, &jewel{Owner: new(int64(99))})
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("the error of a missing record is %v", err)
	}
	err = r.hoarders.Transact(t.Context(), func(ctx context.Context, tx store.Tx[hoarder]) error {
		_, err := tx.Get(ctx, int64(1))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	r.check(t)
}

func TestAListenerMayUseTheStoreAndKeepRecords(t *testing.T) {
	t.Parallel()
	hoarders := memory.New(hoarder{Name: "ann"})
	type key struct{}
	calls := 0
	hoarders.Report(&store.Listener{Committed: func(ctx context.Context, changes []store.Change) {
		if calls++; calls > 1 {
			return
		}
		after, ok := changes[0].After.(*hoarder)
		if !ok || ctx.Value(key{}) == nil || engine(hoarders).IsBusy() {
			t.Errorf("After is %T, and the transaction has the turn: %v", changes[0].After, engine(hoarders).IsBusy())
			return
		}
		after.Name = "changed by the listener"
		if err := store.Insert(ctx, hoarders, &hoarder{Name: "bob"}); err != nil {
			t.Error(err)
		}
	}})
	ctx := context.WithValue(t.Context(), key{}, true)
	if err := hoarders.Transact(ctx, func(ctx context.Context, tx store.Tx[hoarder]) error {
		return tx.Update(ctx, int64(1), &hoarder{ID: 1, Name: "amy"})
	}); err != nil {
		t.Fatal(err)
	}
	if saved, err := hoarders.Get(ctx, int64(1)); err != nil || saved.Name != "amy" || calls != 2 {
		t.Errorf("saved is %v, after %d calls (error %v)", saved, calls, err)
	}
}

func TestAListenerIsCalledForStoresLinkedLater(t *testing.T) {
	t.Parallel()
	for range 20 { // either may be merged into the other
		calls := 0
		listener := &store.Listener{Committed: func(context.Context, []store.Change) { calls++ }}
		first, second := memory.New[hoarder](), memory.New[hoarder]()
		first.Report(listener)
		together(first, second)
		second.Report(listener)
		if err := errors.Join(store.Insert(t.Context(), first, &hoarder{}), store.Insert(t.Context(), second, &hoarder{})); err != nil || calls != 2 {
			t.Fatalf("%d calls, want 2 (error %v)", calls, err)
		}
	}
}
