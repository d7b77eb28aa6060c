package memory_test

import (
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// hoard has fields that clients filter by thousands of values.
type hoard struct {
	ID    int64    `json:"id"`
	Owner int64    `json:"owner" api:"ref=User,filter"`
	Tags  []int64  `json:"tags" validate:"max=9" api:"ref=Tag,filter"`
	Words []string `json:"words" api:"filter=contains"`
	Rank  int64    `json:"rank" api:"filter=range"`
}

// The cost of a filter with many values is linear in the values and the rows: 5,000 values on 10,000 rows do not need
// 50,000,000 comparisons.
func TestManyValuesAreComparedOnce(t *testing.T) {
	t.Parallel()
	const rows, many = 10_000, 5_000
	records, values, words := make([]hoard, rows), make([]any, many), make([]any, many)
	for i := range records {
		records[i] = hoard{Owner: int64(i), Tags: []int64{int64(i), int64(i + 1)}, Words: []string{string(rune(0x4e00 + i))}, Rank: int64(i)}
	}
	for i := range values {
		values[i], words[i] = int64(2*i), string(rune(0x4e00+2*i))
	}
	s := memory.New(records...)
	for field, values := range map[string][]any{"owner": values, "tags": values, "words": words, "rank": values} {
		for _, operator := range []store.Operator{store.Equal, store.NotEqual} {
			query := store.Query{Where: condition(field, operator, values...), Limit: 30, Count: true}
			compared, err := engine(s).Compared(t.Context(), query)
			if most := 2 * rows; err != nil || compared > most {
				t.Errorf("%s %s makes %d comparisons, want %d at most (error %v)", field, operator, compared, most, err)
			}
			page, err := s.List(t.Context(), query)
			if want := map[bool]int{true: many, false: rows - many}[field != "tags"]; err != nil || field != "tags" && page.Total != want {
				t.Errorf("%s %s finds %d, want %d (error %v)", field, operator, page.Total, want, err)
			}
		}
	}
}
