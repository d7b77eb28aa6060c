package sqlstore_test

import (
	"context"
	"slices"
	"testing"

	"github.com/trove-api/trove/store/sqlstore"
)

// sail and crew have lists of each other, and crew one of its own kind.
type sail struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name"`
	Crews []int64 `json:"crews" validate:"max=20" api:"ref=Crew,filter"`
}

type crew struct {
	ID    int64    `json:"id"`
	Sails []int64  `json:"sails" validate:"max=20" api:"ref=Sail,ondelete=cascade"`
	Mates []int64  `json:"mates" validate:"max=20" api:"ref=Crew,ondelete=null"`
	Codes []string `json:"codes" validate:"max=20" api:"filter=contains"`
	First *int64   `json:"first" api:"ref=Sail"`
}

func fleet(t testing.TB, db *sqlstore.DB) (*sqlstore.Store[sail], *sqlstore.Store[crew]) {
	t.Helper()
	sails, crews := sqlstore.Table[sail](db), sqlstore.Table[crew](db)
	if err := db.Create(t.Context(), sails, crews); err != nil {
		t.Fatal(err)
	}
	for _, s := range []interface{ Check(context.Context) error }{sails, crews} {
		if err := s.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return sails, crews
}

func TestListsOfReferencesHaveTablesOfTheirOwn(t *testing.T) {
	t.Parallel()
	sails, crews := fleet(t, open(t))
	insert(t, crews, &crew{}, &crew{Mates: []int64{1, 1}, Codes: []string{"a"}}, &crew{Mates: []int64{3, 2, 1}})
	insert(t, sails, &sail{Name: "a", Crews: []int64{3, 1, 2}}, &sail{Name: "b"})
	for id, want := range map[int64][]int64{1: {3, 1, 2}, 2: {}} {
		got, err := sails.Get(t.Context(), id)
		if err != nil || !slices.Equal(got.Crews, want) || got.Crews == nil {
			t.Errorf("sail %d: %v, %v", id, got, err)
		}
	}
}
