package memory_test

import (
	"fmt"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// visit has a field with an index, and one without.
type visit struct {
	ID    int64  `json:"id"`
	Token string `json:"token" api:"hidden,index"`
	Note  string `json:"note"`
}

func TestAnIndexedFieldIsFoundWithoutLookingAtAllRows(t *testing.T) {
	t.Parallel()
	visits := make([]visit, 1000)
	for i := range visits {
		visits[i].Token, visits[i].Note = fmt.Sprint("t", i/2), fmt.Sprint("n", i/2)
	}
	s := memory.New(visits...)
	for field, most := range map[string]int{"token": 2, "note": 1000} {
		query := store.Query{Where: condition(field, store.Equal, field[:1]+"7")}
		page, err := s.List(t.Context(), query)
		if err != nil || len(page.Items) != 2 {
			t.Fatalf("%s finds %d records, want 2 (error %v)", field, len(page.Items), err)
		}
		if tried, err := engine(s).Tried(t.Context(), query); err != nil || tried != most {
			t.Errorf("%s reads %d rows, want %d (error %v)", field, tried, most, err)
		}
	}
}
