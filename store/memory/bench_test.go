package memory_test

import (
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

func BenchmarkList(b *testing.B) {
	s := memory.New(make([]item, 1000)...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.List(b.Context(), store.Query{}); err != nil {
			b.Fatal(err)
		}
	}
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
