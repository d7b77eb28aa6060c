package memory_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// jewelsOf returns the names of jewels that a query finds.
func jewelsOf(ctx context.Context, t *testing.T, in *memory.Store[jewel], query store.Query) (names []string, total int) {
	t.Helper()
	page, err := in.List(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range page.Items {
		names = append(names, each.Name)
	}
	return names, page.Total
}

func TestQueriesOfATransactionSeeItsChangesInEveryStore(t *testing.T) {
	t.Parallel()
	r := newReported(t)
	ofHoarder := func(name string) store.Query {
		return store.Query{Count: true, Where: []store.Condition{{Through: "owner", Any: [][]store.Condition{{
			{Fields: []string{"name"}, Operator: store.Equal, Values: []any{name}},
		}}}}}
	}
	byOwner := store.Query{Order: []store.Order{{Field: "name", Through: "owner", Descending: true}, {Field: "id"}}}
	err := r.hoarders.Transact(t.Context(), func(ctx context.Context, tx store.Tx[hoarder]) error {
		cid := &hoarder{Name: "cid"}
		if err := tx.Insert(ctx, cid); err != nil {
			return err
		}
		if err := tx.Update(ctx, int64(1), &hoarder{ID: 1, Name: "amy"}); err != nil {
			return err
		}
		if err := store.Insert(ctx, r.jewels, &jewel{Name: "pearl", Owner: &cid.ID}); err != nil {
			return err
		}
		if err := store.Delete(ctx, r.jewels, int64(2)); err != nil {
			return err
		}
		for name, want := range map[string]string{"cid": "pearl", "amy": "ring", "ann": ""} {
			got, total := jewelsOf(ctx, t, r.jewels, ofHoarder(name))
			if len(got) != total || (want != "") != (len(got) == 1 && got[0] == want) {
				t.Errorf("the jewels of %s are %q of %d, want %q", name, got, total, want)
			}
		}
		got, _ := jewelsOf(ctx, t, r.jewels, byOwner)
		if want := []string{"pearl", "ring", "chain"}; !slices.Equal(got, want) {
			t.Errorf("in the order of their owners the jewels are %q, want %q", got, want)
		}
		if got, _ := jewelsOf(t.Context(), t, r.jewels, byOwner); len(got) != 3 || got[0] != "ring" {
			t.Errorf("outside of the transaction the jewels are %q", got)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if got, _ := jewelsOf(t.Context(), t, r.jewels, byOwner); !slices.Equal(got, []string{"pearl", "ring", "chain"}) {
		t.Errorf("after the transaction the jewels are %q", got)
	}
}

func TestAReferenceThatADeleteRemovedCannotBeWrittenAgain(t *testing.T) {
	t.Parallel()
	r := newReported(t)
	err := r.hoarders.Transact(t.Context(), func(ctx context.Context, tx store.Tx[hoarder]) error {
		crown, err := r.jewels.Get(ctx, int64(2))
		if err != nil {
			return err
		}
		if err := tx.Delete(ctx, int64(1)); err != nil {
			return err
		}
		return store.Update(ctx, r.jewels, crown.ID, func(now *jewel) error {
			now.Finder = crown.Finder
			return nil
		})
	})
	if want := (store.ReferenceError{Record: reflect.TypeFor[jewel](), Field: "finder"}); err != want { //nolint:errorlint // exactly this error
		t.Errorf("Transact: %v, want %v", err, want)
	}
	if _, err := r.hoarders.Get(t.Context(), int64(1)); err != nil {
		t.Errorf("the delete was saved: %v", err)
	}
}
