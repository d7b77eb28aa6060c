package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
)

func TestChangesOfOneRecordAreOneChange(t *testing.T) {
	t.Parallel()
	type coin struct{ Value int }
	var changes store.Changes
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
	kinds := []store.ChangeKind{store.Updated, store.Inserted, store.Deleted}
	for i, change := range changes.All() {
		if got := change.Kind(); got != kinds[i] || change.Record() == nil {
			t.Errorf("change %d is %s of %v, want %s", i, got, change.Record(), kinds[i])
		}
	}
}
