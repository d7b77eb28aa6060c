package memory_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func TestFloatsAreOrderedAsNumbers(t *testing.T) {
	t.Parallel()
	type weighed struct {
		ID     int64   `json:"id"`
		Weight float64 `json:"weight" api:"filter,sort"`
	}
	weights := []float64{
		0, math.Copysign(0, -1), 1, -1, math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0.1, -0.1,
	}
	records := make([]weighed, len(weights))
	for i := range weights {
		records[i].Weight = weights[i]
	}
	s := memory.New(records...)
	page, err := s.List(t.Context(), store.Query{Order: []store.Order{{Field: "weight"}}})
	inOrder := slices.IsSortedFunc(page.Items, func(a, b *weighed) int { return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.ID, b.ID)) })
	if err != nil || len(page.Items) != len(weights) || !inOrder {
		t.Errorf("out of order: %v, %v", page.Items, err)
	}
	for _, weight := range weights {
		for operator, holds := range map[store.Operator]func(int) bool{
			store.Equal: func(c int) bool { return c == 0 }, store.NotEqual: func(c int) bool { return c != 0 },
			store.Less: func(c int) bool { return c < 0 }, store.LessEqual: func(c int) bool { return c <= 0 },
			store.Greater: func(c int) bool { return c > 0 }, store.GreaterEqual: func(c int) bool { return c >= 0 },
		} {
			want := 0
			for _, other := range weights {
				if holds(cmp.Compare(other, weight)) {
					want++
				}
			}
			page, err := s.List(t.Context(), store.Query{Where: condition("weight", operator, weight), Count: true})
			if err != nil || page.Total != want || len(page.Items) != want {
				t.Errorf("%s %v: %d records, %v, want %d", operator, weight, page.Total, err, want)
			}
		}
	}
}
