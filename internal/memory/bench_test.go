package memory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

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

// BenchmarkList reads pages of 30. They must cost the same in a store a hundred times as large, and at any offset.
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

// ranked returns records with different ranks.
func ranked(n int) []rankedItem {
	all := make([]rankedItem, n)
	for i := range all {
		all[i] = rankedItem{Rank: i * 7919 % n, Name: "item"}
	}
	return all
}

// treasure has ten fields, as many records of an API do.
type treasure struct {
	ID          int64     `json:"id"`
	Name        string    `json:"name" validate:"required" api:"filter=partial,sort"`
	Description string    `json:"description"`
	Value       int       `json:"value" api:"filter=range,sort"`
	Coolness    int       `json:"coolness"`
	Published   bool      `json:"published" api:"filter"`
	Owner       string    `json:"owner" api:"filter"`
	Weight      float64   `json:"weight"`
	PlunderedAt time.Time `json:"plunderedAt"`
	CreatedAt   time.Time `json:"createdAt"`
}

func newTreasure(i int) treasure {
	return treasure{
		Name: "Golden tooth", Description: "Of a dragon that had no other", Value: 7919 * i % 1000, Coolness: 5, Published: true,
		Owner: "smaug", Weight: 2.5, PlunderedAt: time.Unix(1e9, 0), CreatedAt: time.Unix(int64(i), 0),
	}
}

// unindexed has ten fields too, but only its identifier has a tree.
type unindexed struct {
	ID                     int64
	Name, Text, Owner      string
	Value, Coolness, Count int
	Published              bool
	Weight                 float64
	PlunderedAt            time.Time
}

// bounded is the number of records at which a benchmark starts again with an empty store.
const bounded = 10_000

func benchmarkInsert[T any](b *testing.B, made func(i int) T) {
	b.Helper()
	b.ReportAllocs()
	s, i := memory.New[T](), 0
	for b.Loop() {
		if i++; i%bounded == 0 {
			s = memory.New[T]()
		}
		record := made(i)
		if err := s.Transact(b.Context(), func(ctx context.Context, tx store.Tx[T]) error { return tx.Insert(ctx, &record) }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		benchmarkInsert(b, func(i int) unindexed { return unindexed{Name: "Golden tooth", Value: i} })
	})
	b.Run("indexed", func(b *testing.B) { benchmarkInsert(b, newTreasure) })
}

func BenchmarkUpdate(b *testing.B) {
	records := make([]treasure, 1000)
	for i := range records {
		records[i] = newTreasure(i)
	}
	b.Run("unique", func(b *testing.B) {
		s := memory.New(make([]item, 1000)...)
		benchmarkTransaction(b, s, increment(500))
	})
	b.Run("plain", func(b *testing.B) {
		s := memory.New(make([]unindexed, 1000)...)
		benchmarkTransaction(b, s, revise(500, func(p *unindexed) { p.Count++ }))
	})
	b.Run("indexed, other members", func(b *testing.B) {
		benchmarkTransaction(b, memory.New(records...), revise(500, func(t *treasure) { t.Coolness++ }))
	})
	b.Run("indexed, a sort field", func(b *testing.B) {
		benchmarkTransaction(b, memory.New(records...), revise(500, func(t *treasure) { t.Value = (t.Value + 7919) % 1000 }))
	})
}

func benchmarkTransaction[T any](b *testing.B, s *memory.Store[T], fn func(context.Context, store.Tx[T]) error) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Transact(b.Context(), fn); err != nil {
			b.Fatal(err)
		}
	}
}

// revise reads a record, changes it and saves it.
func revise[T any](id int64, change func(*T)) func(context.Context, store.Tx[T]) error {
	var boxed any = id
	return func(ctx context.Context, tx store.Tx[T]) error {
		record, err := tx.Get(ctx, boxed)
		if err != nil {
			return err
		}
		change(record)
		return tx.Update(ctx, boxed, record)
	}
}

// filteredItem has a field of each type that can be filtered.
type filteredItem struct {
	ID     int64     `json:"id"`
	Group  int       `json:"group" api:"filter"`
	Code   string    `json:"code" api:"filter"`
	Label  string    `json:"label" api:"filter=iexact"`
	Active bool      `json:"active" api:"filter"`
	Rank   int       `json:"rank" api:"sort,filter=range"`
	Name   string    `json:"name" api:"filter=partial"`
	Alias  *string   `json:"alias" api:"filter=partial"`
	Size   *int      `json:"size" api:"filter=range"`
	Weight float64   `json:"weight" api:"filter=range"`
	SeenAt time.Time `json:"seenAt" api:"filter=range"`
}

// filtered returns records of which 100 have each group, and one has each code.
func filtered(n int) []filteredItem {
	all := make([]filteredItem, n)
	for i := range all {
		all[i] = filteredItem{
			Group: i % (n / 100), Code: fmt.Sprintf("Code-%d", i), Label: fmt.Sprintf("Label-%d", i), Active: i%2 == 0, Rank: i * 7919 % n,
			Name: fmt.Sprintf("A treasure No %d", i), Alias: new("an alias of it"), Size: new(i), Weight: float64(i) / 3,
			SeenAt: time.Unix(int64(i), 0),
		}
	}
	return all
}

func condition(field string, operator store.Operator, values ...any) []store.Condition {
	return []store.Condition{{Fields: []string{field}, Operator: operator, Values: values}}
}

// grouped returns a group of lists.
func grouped(lists ...[]store.Condition) []store.Condition { return []store.Condition{{Any: lists}} }

// groupQueries are queries like those of access rules.
func groupQueries() map[string]store.Query {
	active, group := condition("active", store.Equal, true), condition("group", store.Equal, 7)
	return map[string]store.Query{
		"half or a few":             {Where: grouped(active, group), Limit: 30},
		"half or a few, counted":    {Where: grouped(active, group), Limit: 30, Count: true},
		"a few or one":              {Where: grouped(group, condition("code", store.Equal, "Code-77")), Limit: 30, Count: true},
		"one list":                  {Where: grouped(group), Limit: 30, Count: true},
		"hidden order":              {Order: []store.Order{{Field: "rank", NullUnless: grouped(active, group)}}, Limit: 30},
		"half or a few, and a text": {Where: append(grouped(active, group), condition("name", store.Contains, "TREASURE")...), Limit: 30},
	}
}

// exactQueries use a tree.
func exactQueries() map[string]store.Query {
	byRank := []store.Order{{Field: "rank"}, {Field: "id"}}
	group := condition("group", store.Equal, 7)
	return map[string]store.Query{
		"group":                  {Where: group, Limit: 30, Count: true},
		"group, sorted":          {Where: group, Order: byRank, Limit: 30, Count: true},
		"group, by offset":       {Where: group, Order: byRank, Offset: 60, Limit: 30, Count: true},
		"group, by position":     {Where: group, Order: byRank, After: []any{5000, int64(0)}, Limit: 30},
		"group, unsorted field":  {Where: group, Order: []store.Order{{Field: "name"}}, Limit: 30, Count: true},
		"group and another":      {Where: append(condition("name", store.Contains, "TREASURE"), group...), Limit: 30, Count: true},
		"two groups":             {Where: condition("group", store.Equal, 7, 8), Limit: 30, Count: true},
		"code":                   {Where: condition("code", store.Equal, "Code-77"), Count: true},
		"code, folded":           {Where: condition("label", store.EqualFold, "LABEL-77"), Count: true},
		"active":                 {Where: condition("active", store.Equal, true), Limit: 30, Count: true},
		"active, deep by offset": {Where: condition("active", store.Equal, true), Offset: 4900, Limit: 30, Count: true},
		"active, sorted":         {Where: condition("active", store.Equal, true), Order: byRank, Limit: 30, Count: true},
	}
}

// scanQueries try all records.
func scanQueries() map[string]store.Query {
	at := time.Unix(5000, 0)
	queries := map[string]store.Query{}
	for name, where := range map[string][]store.Condition{
		"contains":         condition("name", store.Contains, "nowhere"),
		"contains, with k": condition("name", store.Contains, "task"),
		"has prefix":       condition("name", store.HasPrefix, "the"),
		"has word prefix":  condition("name", store.HasWordPrefix, "nowhere"),
		"null or contains": condition("alias", store.Contains, "nowhere"),
		"int":              condition("rank", store.Less, 5000),
		"pointer to int":   condition("size", store.GreaterEqual, 5000),
		"float":            condition("weight", store.Greater, 1000.0),
		"time":             condition("seenAt", store.Less, at),
		"not equal":        condition("group", store.NotEqual, 7),
		"exists":           condition("size", store.Exists, false),
		"bool":             condition("active", store.NotEqual, true),
	} {
		queries[name] = store.Query{Where: where, Limit: 30, Count: true}
	}
	return queries
}

func BenchmarkFilter(b *testing.B) {
	s := memory.New(filtered(10_000)...)
	for sort, queries := range map[string]map[string]store.Query{"indexed": exactQueries(), "scanned": scanQueries(), "grouped": groupQueries()} {
		for name, query := range queries {
			b.Run(sort+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.List(b.Context(), query); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
