package sqlstore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

type (
	depot struct {
		ID binary `json:"id"`
	}
	chest struct {
		ID      binary  `json:"id"`
		Depot   *binary `json:"depot" api:"ref=Depot,ondelete=cascade"`
		Around  *binary `json:"around" api:"ref=Chest,ondelete=cascade"`
		Inspect *binary `json:"inspect" api:"ref=Chest,ondelete=cascade"`
	}
	note struct {
		ID      int64   `json:"id"`
		Chest   *binary `json:"chest" api:"ref=Chest,ondelete=null"`
		Other   *binary `json:"other" api:"ref=Chest,ondelete=null"`
		Version int     `json:"version" api:"version"`
	}
)

func TestADeleteRunsAFewStatementsPerLevel(t *testing.T) {
	t.Parallel()
	db, r := recorded(open(t))
	depots, chests, notes := sqlstore.Table[depot](db), sqlstore.Table[chest](db), sqlstore.Table[note](db)
	if err := db.Create(t.Context(), depots, chests, notes); err != nil {
		t.Fatal(err)
	}
	var reported []store.Change
	db.Report(&store.Listener{Committed: func(_ context.Context, changes []store.Change) { reported = changes }})
	numbered := func(kind, n int) binary { return binary{byte(kind), byte(n >> 8), byte(n)} }
	const perLevel = 700 // more than one statement can have
	insert(t, depots, &depot{ID: numbered(1, 0)}, &depot{ID: numbered(1, 1)})
	var outside, inside []*chest
	var about []*note
	for n := range perLevel {
		outer, inner := numbered(2, n), numbered(3, n)
		outside = append(outside, &chest{ID: outer, Depot: new(numbered(1, 0))})
		inside = append(inside, &chest{ID: inner, Around: &outer, Inspect: &outer})
		about = append(about, &note{Chest: &outer, Other: &inner})
	}
	insert(t, chests, outside...)
	insert(t, chests, inside...)
	insert(t, notes, about...)

	deleting := func(id binary) (statements int) {
		before := len(r.statements)
		if err := store.Delete(t.Context(), depots, id); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.statements[before:] {
			if !strings.HasPrefix(s.text, "BEGIN") && s.text != "COMMIT" {
				statements++
			}
		}
		return statements
	}
	if n := deleting(numbered(1, 1)); n > 4 {
		t.Errorf("the delete of a record without referrers ran %d statements", n)
	}
	if n := deleting(numbered(1, 0)); n > 40 {
		t.Errorf("the delete of %d records ran %d statements", 1+2*perLevel, n)
	}
	if len(reported) != 1+3*perLevel {
		t.Errorf("%d changes are reported", len(reported))
	}
	if n := one[int](t, db, "SELECT count(*) FROM chests"); n != 0 {
		t.Errorf("%d chests are left", n)
	}
	for _, each := range all(t, notes) {
		if each.Chest != nil || each.Other != nil || each.Version != 2 {
			t.Fatalf("a note that lost two references by one delete is %+v", each)
		}
	}
}
