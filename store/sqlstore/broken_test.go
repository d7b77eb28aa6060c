package sqlstore_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
)

// letter is a record that other programs break.
type letter struct {
	ID    int64     `json:"id"`
	Group int       `json:"group" api:"filter,sort"`
	At    time.Time `json:"at" api:"sort"`
	Lines []string  `json:"lines"`
}

// breaks are statements of other programs, which leave rows that are not valid records.
var breaks = map[string]string{
	"a document of another shape": `UPDATE letters SET lines = '{"a":1}'`,
	"a document that is none":     `UPDATE letters SET lines = 'lines'`,
	"a time that is none":         `UPDATE letters SET at = 'yesterday'`,
	"a time out of range":         `UPDATE letters SET at = '12024-01-01T00:00:00.000000Z'`,
}

func TestARowThatCannotBeReadBreaksItselfAlone(t *testing.T) {
	t.Parallel()
	for name, statement := range breaks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			letters := make([]*letter, 9)
			for i := range letters {
				letters[i] = &letter{Group: i % 2, Lines: []string{"a"}}
			}
			db, s := made(t, letters...)
			if _, err := db.Exec(t.Context(), statement+" WHERE id IN (3, 4, 5, 6, 9)"); err != nil {
				t.Fatal(err)
			}
			page, err := s.List(t.Context(), store.Query{Count: true})
			if err != nil || len(page.Items) != 4 || len(page.Broken) != 5 || page.Total != 9 {
				t.Fatalf("%d records, %d broken of %d, %v; want 4, 5 of 9", len(page.Items), len(page.Broken), page.Total, err)
			}
			for i, id := range []string{"3", "4", "5", "6", "9"} {
				if text := page.Broken[i].Error(); !strings.Contains(text, "whose id is "+id+":") {
					t.Errorf("error %d does not name the record %s: %s", i, id, text)
				}
			}
			if _, err := s.Get(t.Context(), int64(3)); err == nil {
				t.Error("a broken record is read")
			}
			if record, err := s.Get(t.Context(), int64(7)); err != nil || record.ID != 7 {
				t.Errorf("a sound record: %v, %v", record, err)
			}
		})
	}
}

func TestAWalkGoesOnPastBrokenRows(t *testing.T) {
	t.Parallel()
	letters := make([]*letter, 40)
	for i := range letters {
		letters[i] = &letter{Group: i % 3}
	}
	db, s := made(t, letters...)
	if _, err := db.Exec(t.Context(), `UPDATE letters SET lines = '7' WHERE id BETWEEN 4 AND 30 OR id = 40`); err != nil {
		t.Fatal(err)
	}
	for name, order := range map[string][]store.Order{
		"by the identifier": {{Field: "id"}},
		"backward":          {{Field: "id", Descending: true}},
		"by a field":        {{Field: "group", Descending: true}, {Field: "id", Descending: true}},
	} {
		seen := map[int64]int{}
		query := store.Query{Order: order, Limit: 2}
		for range 40 {
			page, err := s.List(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range page.Items {
				seen[item.ID]++
			}
			if len(page.Items) < query.Limit {
				break
			}
			last := page.Items[len(page.Items)-1]
			query.After = []any{last.ID}
			if len(order) == 2 {
				query.After = []any{last.Group, last.ID}
			}
		}
		if len(seen) != 12 {
			t.Errorf("%s: met %d records, want 12", name, len(seen))
		}
		for id, times := range seen {
			if times != 1 {
				t.Errorf("%s: met the record %s %d times", name, strconv.FormatInt(id, 10), times)
			}
		}
	}
}
