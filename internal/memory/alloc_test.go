//go:build !race

package memory_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// TestAllocations limits the allocations of calls to what they return and keep, and little more. It does not run with
// the race detector, which empties pools.
//
//nolint:paralleltest // counts the allocations of the whole process
func TestAllocations(t *testing.T) {
	s, filled := memory.New(make([]treasure, 1000)...), memory.New(filtered(10_000)...)
	var id any = int64(2)
	list := func(query store.Query) func() error {
		return func() error { _, err := filled.List(t.Context(), query); return err }
	}
	insertion := func(ctx context.Context, tx store.Tx[treasure]) error { return tx.Insert(ctx, new(newTreasure(1))) }
	revision := revise(2, func(t *treasure) { t.Coolness++ })
	byRank := []store.Order{{Field: "rank"}}
	for name, test := range map[string]struct {
		most float64
		call func() error
	}{
		"Get":                                  {0, func() error { _, err := s.Get(t.Context(), id); return err }},
		"Insert":                               {7, func() error { return s.Transact(t.Context(), insertion) }},
		"Get and Update":                       {5, func() error { return s.Transact(t.Context(), revision) }},
		"a page":                               {1, list(store.Query{Limit: 30})},
		"a page in the order of a field":       {1, list(store.Query{Order: byRank, Offset: 60, Limit: 30, Count: true})},
		"a page of a filter":                   {4, list(store.Query{Where: condition("group", store.Equal, 7), Limit: 30, Count: true})},
		"a page of a filter, in another order": {7, list(store.Query{Where: condition("group", store.Equal, 7), Order: byRank, Limit: 30, Count: true})},
		"a scan for a text":                    {1, list(store.Query{Where: condition("name", store.Contains, "NOWHERE"), Limit: 30, Count: true})},
		"a scan for a number":                  {1, list(store.Query{Where: condition("weight", store.Less, -1.0), Limit: 30, Count: true})},
		"a page of a group of one list":        {4, list(store.Query{Where: grouped(condition("group", store.Equal, 7)), Limit: 30, Count: true})},
		"a page of a group":                    {5, list(store.Query{Where: grouped(condition("active", store.Equal, true), condition("group", store.Equal, 7)), Limit: 30})},
	} {
		var failed error
		allocs, _ := alloctest.Count(100, func() { failed = errors.Join(failed, test.call()) })
		if allocs > test.most || failed != nil {
			t.Errorf("%s allocates %v times, more than %v (error %v)", name, allocs, test.most, failed)
		}
	}
}
