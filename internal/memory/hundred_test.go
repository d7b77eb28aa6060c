package memory_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// BenchmarkHundredThousand runs typical queries on 100,000 records. 1,000 of them have each group, half are active, and
// each has a different code.
func BenchmarkHundredThousand(b *testing.B) {
	const size = 100_000
	records := filtered(size)
	for i := range records {
		records[i].Group = i % 100
	}
	s := memory.New(records...)
	byRank := []store.Order{{Field: "rank"}, {Field: "id"}}
	turned := []store.Order{{Field: "rank", Descending: true}, {Field: "id"}}
	for _, each := range []struct {
		name  string
		query store.Query
	}{
		{"page", store.Query{}},
		{"page, deep by offset", store.Query{Offset: size - 100, Count: true}},
		{"page, deep by position", store.Query{Order: []store.Order{{Field: "id"}}, After: []any{int64(size - 100)}}},
		{"sorted", store.Query{Order: byRank, Count: true}},
		{"sorted, deep by offset", store.Query{Order: byRank, Offset: size - 100}},
		{"sorted, by position", store.Query{Order: byRank, After: []any{size / 2, int64(0)}}},
		{"sorted, equal the other way", store.Query{Order: turned, Count: true}},
		{"sorted by two fields", store.Query{Order: []store.Order{{Field: "rank"}, {Field: "name"}}, Count: true}},
		{"sorted by another field", store.Query{Order: []store.Order{{Field: "name"}}, Count: true}},
		{"one of 100,000", store.Query{Where: condition("code", store.Equal, "Code-77"), Count: true}},
		{"one of 100,000, folded", store.Query{Where: condition("label", store.EqualFold, "LABEL-77"), Count: true}},
		{"1,000 match", store.Query{Where: condition("group", store.Equal, 7), Count: true}},
		{"1,000 match, sorted", store.Query{Where: condition("group", store.Equal, 7), Order: byRank, Count: true}},
		{"2,000 match of two values", store.Query{Where: condition("group", store.Equal, 7, 8), Count: true}},
		{"half match", store.Query{Where: condition("active", store.Equal, true), Count: true}},
		{"half match, deep by offset", store.Query{Where: condition("active", store.Equal, true), Offset: size/2 - 100, Count: true}},
		{"half match, sorted", store.Query{Where: condition("active", store.Equal, true), Order: byRank, Count: true}},
		{"half match, sorted, no total", store.Query{Where: condition("active", store.Equal, true), Order: byRank}},
		{"text, first found", store.Query{Where: condition("name", store.Contains, "TREASURE")}},
		{"text, none found", store.Query{Where: condition("name", store.Contains, "nowhere"), Count: true}},
		{"text, none found, with k", store.Query{Where: condition("name", store.Contains, "task"), Count: true}},
		{"word, none found", store.Query{Where: condition("name", store.HasWordPrefix, "nowhere"), Count: true}},
		{"range, half match", store.Query{Where: condition("rank", store.Less, size/2), Count: true}},
		{"range of a pointer", store.Query{Where: condition("size", store.GreaterEqual, size/2), Count: true}},
	} {
		each.query.Limit = 30
		b.Run(each.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.List(b.Context(), each.query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	var id any = int64(size / 2)
	b.Run("get", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Get(b.Context(), id); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("update", func(b *testing.B) {
		benchmarkTransaction(b, s, revise(size/2, func(f *filteredItem) { f.Weight++ }))
	})
	b.Run("update of a sort field", func(b *testing.B) {
		benchmarkTransaction(b, s, revise(size/2, func(f *filteredItem) { f.Rank = (f.Rank + 7919) % size }))
	})
	b.Run("insert and delete", func(b *testing.B) {
		benchmarkTransaction(b, s, func(ctx context.Context, tx store.Tx[filteredItem]) error {
			record := records[7]
			if err := tx.Insert(ctx, &record); err != nil {
				return err
			}
			return tx.Delete(ctx, record.ID)
		})
	})
	b.Run("pages and updates in turn", func(b *testing.B) {
		change := revise(size/2, func(f *filteredItem) { f.Weight++ })
		benchmarkTransaction(b, s, func(ctx context.Context, tx store.Tx[filteredItem]) error {
			if _, err := s.List(ctx, store.Query{Order: byRank, Limit: 30}); err != nil {
				return err
			}
			return change(ctx, tx)
		})
	})
	b.Run("parallel, nine reads a write", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				var err error
				switch {
				case i%10 == 0:
					err = s.Transact(b.Context(), revise(int64(i%size+1), func(f *filteredItem) { f.Weight++ }))
				case i%2 == 0:
					_, err = s.List(b.Context(), store.Query{Order: byRank, Limit: 30})
				default:
					_, err = s.Get(b.Context(), id)
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("parallel, scans beside writes", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				_, err := s.List(b.Context(), store.Query{Where: condition("rank", store.Less, -1), Limit: 30})
				if err == nil {
					err = s.Transact(b.Context(), revise(int64(i%size+1), func(f *filteredItem) { f.Weight++ }))
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	})
}
