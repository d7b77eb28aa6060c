package txn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

func TestChangesOfOneRecordAreOneChange(t *testing.T) {
	t.Parallel()
	type coin struct{ Value int }
	var changes txn.Changes
	one, two, three := &coin{1}, &coin{2}, &coin{3}
	coins, gems := new(int), new(int)
	changes.Note(coins, 7, store.Change{ID: 7, Before: one, After: two})
	changes.Note(coins, 8, store.Change{ID: 8, After: one})
	changes.Note(gems, 7, store.Change{ID: 7, Before: three})
	changes.Note(coins, 9, store.Change{ID: 9, After: one})
	changes.Note(coins, 7, store.Change{ID: 7, Before: two, After: three})
	changes.Note(coins, 9, store.Change{ID: 9, Before: one})
	want := []store.Change{{ID: 7, Before: one, After: three}, {ID: 8, After: one}, {ID: 7, Before: three}}
	if diff := cmp.Diff(want, changes.All()); diff != "" {
		t.Errorf("the changes differ (-want +got):\n%s", diff)
	}
	for i, want := range []string{"updated 7", "inserted 8", "deleted 7"} {
		change := changes.All()[i]
		if got := change.String(); got != want || change.Record() == nil {
			t.Errorf("change %d is %q of %v, want %q", i, got, change.Record(), want)
		}
		if is := []bool{change.IsUpdate(), change.IsInsert(), change.IsDelete()}; !is[i] {
			t.Errorf("%s is an update, an insert, a delete: %v", change, is)
		}
	}
}
