package memory_test

import (
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// TestGroupsLookAtFewRows guards that a group whose lists have indexed conditions is answered,
// and counted, from their trees: of 10,000 records half are active, 100 have each group, and
// one has each code.
func TestGroupsLookAtFewRows(t *testing.T) {
	t.Parallel()
	s := memory.New(filtered(10_000)...)
	active, group := condition("active", store.Equal, true), condition("group", store.Equal, 7)
	code := condition("code", store.Equal, "Code-77", "Code-78")
	weighty := append(condition("weight", store.Less, 1000.0), group...)
	for name, test := range map[string]struct {
		query store.Query
		most  int
		total int
	}{
		"a count tries all but the greatest span":       {store.Query{Where: grouped(active, group), Limit: 30, Count: true}, 170, 5100},
		"a page without a count tries what it passes":   {store.Query{Where: grouped(active, group), Limit: 30}, 70, 0},
		"a page far behind tries no more":               {store.Query{Where: grouped(active, group), Offset: 4000, Limit: 30, Count: true}, 170, 5100},
		"a few records are all that is tried":           {store.Query{Where: grouped(group, code), Limit: 30, Count: true}, 210, 102},
		"what else a list asks is tried of its records": {store.Query{Where: grouped(weighty, code), Limit: 30, Count: true}, 210, 32},
		"a group without lists tries nothing":           {store.Query{Where: []store.Condition{{Any: [][]store.Condition{}}}, Limit: 30, Count: true}, 0, 0},
		"a list without an index tries all":             {store.Query{Where: grouped(condition("rank", store.Less, 9), code), Limit: 30, Count: true}, 10_000, 11},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tried, err := s.Tried(t.Context(), test.query)
			if err != nil || tried > test.most {
				t.Errorf("%d rows are looked at, want %d at most (error %v)", tried, test.most, err)
			}
			page, err := s.List(t.Context(), test.query)
			if err != nil || page.Total != test.total {
				t.Errorf("the total is %d, want %d (error %v)", page.Total, test.total, err)
			}
		})
	}
}
