package memory_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// item is the record of most tests.
type item struct {
	ID    int64             `json:"id"`
	Code  *string           `json:"code" api:"unique"`
	Count int               `json:"count"`
	Tags  []string          `json:"tags"`
	Marks map[string]string `json:"marks"`
	note  *string           // no JSON field
}

func insert[T any](record *T) func(context.Context, store.Tx[T]) error {
	return func(ctx context.Context, tx store.Tx[T]) error { return tx.Insert(ctx, record) }
}

func increment(id int64) func(context.Context, store.Tx[item]) error {
	return func(ctx context.Context, tx store.Tx[item]) error {
		record, err := tx.Get(ctx, id)
		if err != nil {
			return err
		}
		record.Count++
		return tx.Update(ctx, id, record)
	}
}

func items(t *testing.T, s store.Store[item]) []*item {
	t.Helper()
	page, err := s.List(t.Context(), store.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

func count(t *testing.T, s store.Store[item], id int64) int {
	t.Helper()
	record, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return record.Count
}

func TestIdentifiersAreGeneratedAroundThoseOfTheSeeds(t *testing.T) {
	t.Parallel()
	s := memory.New(item{}, item{ID: 1}, item{ID: 5}, item{ID: -3}, item{})
	var ids []int64
	for _, record := range items(t, s) {
		ids = append(ids, record.ID)
	}
	if diff := cmp.Diff([]int64{-3, 1, 5, 6, 7}, ids); diff != "" {
		t.Error(diff)
	}
	next := &item{}
	if err := s.Transact(t.Context(), insert(next)); err != nil || next.ID != 8 {
		t.Errorf("the next identifier is %d (%v), want 8", next.ID, err)
	}
}

func TestSeedsAreCopied(t *testing.T) {
	t.Parallel()
	seeds := []item{{ID: 1, Tags: []string{"a"}, Marks: map[string]string{"k": "v"}}}
	s := memory.New(seeds...)
	seeds[0].Count, seeds[0].Tags[0], seeds[0].Marks["k"] = 7, "changed", "changed"
	want := []*item{{ID: 1, Tags: []string{"a"}, Marks: map[string]string{"k": "v"}}}
	if diff := cmp.Diff(want, items(t, s), cmp.AllowUnexported(item{})); diff != "" {
		t.Error(diff)
	}
}

func TestSeedsAreNotChanged(t *testing.T) {
	t.Parallel()
	seeds := []item{{}}
	memory.New(seeds...)
	if seeds[0].ID != 0 {
		t.Errorf("New set the identifier %d in the caller's slice", seeds[0].ID)
	}
}

func TestFieldsWithoutAJSONNameAreStored(t *testing.T) {
	t.Parallel()
	note := "inner"
	s := memory.New(item{ID: 1, note: &note})
	if err := s.Transact(t.Context(), increment(1)); err != nil {
		t.Fatal(err)
	}
	record, err := s.Get(t.Context(), int64(1))
	if err != nil || record.note == nil || *record.note != "inner" {
		t.Errorf("Get: %+v, %v", record, err)
	}
}

func TestAListThatWasReadStaysAsItWas(t *testing.T) {
	t.Parallel()
	s := memory.New(item{ID: 1}, item{ID: 2}, item{ID: 3})
	before := items(t, s)
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
		return errors.Join(tx.Delete(ctx, int64(1)), increment(2)(ctx, tx), tx.Insert(ctx, &item{}))
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []*item{{ID: 1}, {ID: 2}, {ID: 3}}
	if diff := cmp.Diff(want, before, cmp.AllowUnexported(item{})); diff != "" {
		t.Error(diff)
	}
}

func TestDeletedRecordsLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	s := memory.New[item]()
	for range 3 {
		for i := range 200 {
			code := string(rune('a' + i))
			if err := s.Transact(t.Context(), insert(&item{Code: &code})); err != nil {
				t.Fatal(err)
			}
		}
		for _, record := range items(t, s)[:199] {
			err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
				return tx.Delete(ctx, record.ID)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		last := items(t, s)[0]
		if engine(s).Rows() != 1 || engine(s).Entries()[0] != 1 || engine(s).IsBusy() || len(items(t, s)) != 1 {
			t.Fatalf("one record is left, and %d rows, %d in the index", engine(s).Rows(), engine(s).Entries()[0])
		}
		err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error { return tx.Delete(ctx, last.ID) })
		if err != nil {
			t.Fatal(err)
		}
	}
}
