package memory_test

import (
	"fmt"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func BenchmarkGet(b *testing.B) {
	s := memory.New(make([]item, 1000)...)
	var id any = int64(500)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Get(b.Context(), id); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkList reads pages of 30. They cost the same in a store a hundred times as large,
// and behind any number of records.
func BenchmarkList(b *testing.B) {
	for _, size := range []int{10_000, 1_000_000} {
		s := memory.New(ranked(size)...)
		byRank := []store.Order{{Field: "rank", Descending: true}, {Field: "id", Descending: true}}
		for name, query := range map[string]store.Query{
			"first":                {},
			"deep by offset":       {Offset: size - 100, Count: true},
			"deep by position":     {Order: []store.Order{{Field: "id"}}, After: []any{int64(size - 100)}},
			"sorted":               {Order: byRank, Count: true},
			"sorted, deep":         {Order: byRank, Offset: size - 100},
			"sorted, by position":  {Order: byRank, After: []any{size / 2, int64(size / 2)}},
			"filtered, half match": {Where: []store.Condition{{Fields: []string{"rank"}, Operator: store.Less, Values: []any{size / 2}}}},
		} {
			query.Limit = 30
			b.Run(fmt.Sprintf("%s of %d", name, size), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if page, err := s.List(b.Context(), query); err != nil || len(page.Items) != 30 {
						b.Fatal(len(page.Items), err)
					}
				}
			})
		}
	}
}

type rankedItem struct {
	ID   int64  `json:"id"`
	Rank int    `json:"rank" api:"sort"`
	Name string `json:"name"`
}

// ranked returns records whose ranks are spread.
func ranked(n int) []rankedItem {
	all := make([]rankedItem, n)
	for i := range all {
		all[i] = rankedItem{Rank: i * 7919 % n, Name: "item"}
	}
	return all
}

func BenchmarkUpdate(b *testing.B) {
	s := memory.New(make([]item, 1000)...)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Transact(b.Context(), increment(500)); err != nil {
			b.Fatal(err)
		}
	}
}
