package memory_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// rankedItem is a record with a rank and a name.
type rankedItem struct {
	ID   int64  `json:"id"`
	Rank int    `json:"rank" api:"sort"`
	Name string `json:"name"`
}

// ranks returns the ranks of a page.
func ranks(t *testing.T, s *memory.Store[rankedItem], query store.Query) []int {
	t.Helper()
	page, err := s.List(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	found := []int{}
	for _, item := range page.Items {
		found = append(found, item.Rank)
	}
	return found
}

func byRank(descending bool) []store.Order {
	return []store.Order{{Field: "rank", Descending: descending}}
}

func TestAnOrderFollowsEveryChange(t *testing.T) {
	t.Parallel()
	s := memory.New(rankedItem{Rank: 3}, rankedItem{Rank: 1}, rankedItem{Rank: 2})
	check := func(after string, want ...int) {
		t.Helper()
		if diff := cmp.Diff(want, ranks(t, s, store.Query{Order: byRank(false)})); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", after, diff)
		}
	}
	check("the start", 1, 2, 3)
	change := func(fn func(ctx context.Context, tx store.Tx[rankedItem]) error) {
		t.Helper()
		if err := s.Transact(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	change(func(ctx context.Context, tx store.Tx[rankedItem]) error { return tx.Insert(ctx, &rankedItem{Rank: 0}) })
	check("an insert", 0, 1, 2, 3)
	change(func(ctx context.Context, tx store.Tx[rankedItem]) error {
		return tx.Update(ctx, int64(1), &rankedItem{ID: 1, Rank: -1})
	})
	check("an update", -1, 0, 1, 2)
	change(func(ctx context.Context, tx store.Tx[rankedItem]) error { return tx.Delete(ctx, int64(2)) })
	check("a delete", -1, 0, 2)
	change(func(ctx context.Context, tx store.Tx[rankedItem]) error {
		return errors.Join(tx.Delete(ctx, int64(3)), tx.Insert(ctx, &rankedItem{ID: 3, Rank: 9}), tx.Insert(ctx, &rankedItem{Rank: 5}), tx.Delete(ctx, int64(4)))
	})
	check("all of it at once", -1, 5, 9)
	refused := errors.New("refused")
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[rankedItem]) error {
		return errors.Join(tx.Insert(ctx, &rankedItem{Rank: 100}), refused)
	})
	if !errors.Is(err, refused) {
		t.Error(err)
	}
	check("what was refused", -1, 5, 9)
}

func TestAScanSeesOneStateOfTheStore(t *testing.T) {
	t.Parallel()
	const n = 500
	s := memory.New(make([]rankedItem, n)...)
	ctx, stop := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	writer.Go(func() {
		for round := 1; ctx.Err() == nil; round++ {
			_ = s.Transact(ctx, func(ctx context.Context, tx store.Tx[rankedItem]) error {
				for id := range int64(n) {
					if err := tx.Update(ctx, id+1, &rankedItem{ID: id + 1, Rank: round}); err != nil {
						return err
					}
				}
				return nil
			})
		}
	})
	for _, query := range []store.Query{
		{}, {Order: byRank(true)}, {Order: []store.Order{{Field: "name"}}}, {Where: []store.Condition{{Fields: []string{"name"}, Operator: store.Contains, Values: []any{""}}}},
	} {
		for range 20 {
			found := ranks(t, s, query)
			if len(found) != n {
				t.Fatalf("%+v finds %d items", query, len(found))
			}
			for _, rank := range found {
				if rank != found[0] {
					t.Fatalf("%+v finds the ranks %d and %d of one transaction each", query, found[0], rank)
				}
			}
		}
	}
	stop()
	writer.Wait()
}

func TestALongScanEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := memory.New(make([]rankedItem, 20_000)...)
	never := store.Query{Where: []store.Condition{{Fields: []string{"name"}, Operator: store.HasSuffix, Values: []any{"no item has this"}}}}
	ctx := &countdown{Context: t.Context(), left: 3}
	if _, err := s.List(ctx, never); !errors.Is(err, context.Canceled) {
		t.Errorf("the scan goes on: %v", err)
	}
	if _, err := s.List(&countdown{Context: t.Context(), left: 1 << 20}, never); err != nil {
		t.Errorf("the scan does not end: %v", err)
	}
}

// countdown is a context that is cancelled after a number of checks.
type countdown struct {
	context.Context //nolint:containedctx // countdown is a context

	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestTheWindowOfAnOrder(t *testing.T) {
	t.Parallel()
	type plain struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
		Size *int   `json:"size"`
	}
	s := memory.New(plain{Name: "b", Size: new(1)}, plain{Name: "a"}, plain{Name: "b"}, plain{Name: "a", Size: new(2)})
	for want, query := range map[string]store.Query{
		"2 4 1 3": {Order: []store.Order{{Field: "name"}}},
		"4 1 3 2": {Order: []store.Order{{Field: "size", Descending: true}}},
		"2 4 3 1": {Order: []store.Order{{Field: "name"}, {Field: "size"}}},
		"4 3":     {Order: []store.Order{{Field: "name"}, {Field: "size"}}, Offset: 1, Limit: 2},
		"3 1":     {Order: []store.Order{{Field: "name"}, {Field: "size"}, {Field: "id"}}, After: []any{"a", 2, int64(4)}},
		"1":       {Order: []store.Order{{Field: "name"}, {Field: "size"}, {Field: "id"}}, After: []any{"b", nil, int64(3)}},
	} {
		page, err := s.List(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, item := range page.Items {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprint(item.ID)
		}
		if got != want {
			t.Errorf("%+v finds %s, want %s", query, got, want)
		}
	}
}

// noticing is a context that counts how often a list asks whether it has ended.
type noticing struct {
	context.Context //nolint:containedctx // it is a context

	asked *int
}

func (n noticing) Err() error {
	*n.asked++
	return n.Context.Err()
}

func TestCountingEndsBeyondTheBound(t *testing.T) {
	t.Parallel()
	many := make([]rankedItem, 50_000)
	for i := range many {
		many[i].Rank = i % 2
	}
	s := memory.New(many...)
	where := []store.Condition{store.Eq("rank", 1)}
	count := func(query store.Query) (total, asked int) {
		query.Where, query.Count = where, true
		page, err := s.List(noticing{t.Context(), &asked}, query)
		if err != nil {
			t.Fatal(err)
		}
		return page.Total, asked
	}
	if total, asked := count(store.Query{Limit: 5}); total != 25_000 || asked < 10 {
		t.Fatalf("the total is %d after %d steps", total, asked)
	}
	for name, query := range map[string]store.Query{
		"a page": {Limit: 5, CountUpTo: 100}, "one behind": {Limit: 5, Offset: 200, CountUpTo: 100},
		"one behind a position": {Limit: 5, CountUpTo: 100, Order: []store.Order{{Field: "id", Descending: true}}, After: []any{int64(49_000)}},
	} {
		if total, asked := count(query); total <= 100 || asked > 1 {
			t.Errorf("%s: the total is %d after %d steps", name, total, asked)
		}
	}
	if total, _ := count(store.Query{Limit: 5, CountUpTo: 25_000}); total != 25_000 {
		t.Errorf("at the bound the total is %d", total)
	}
}
