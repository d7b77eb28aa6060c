package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
)

func TestARowThatCannotBeReadBreaksItselfAlone(t *testing.T) {
	t.Parallel()
	type letter struct {
		ID    int64     `json:"id"`
		At    time.Time `json:"at" api:"sort"`
		Small int8      `json:"small"`
		Lines []string  `json:"lines"`
	}
	for name, change := range map[string]string{
		"a document of another shape": `lines = '{"a":1}'`,
		"a time that is none":         `at = 'infinity'`,
		"a time out of range":         `at = '12024-01-01T00:00:00Z'`,
		"a number out of range":       `small = 300`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, schema(t))
			s := table[letter](t, db)
			for range 9 {
				if err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[letter]) error { return tx.Insert(ctx, &letter{}) }); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := db.Exec(t.Context(), "UPDATE letters SET "+change+" WHERE id BETWEEN 2 AND 7"); err != nil {
				t.Fatal(err)
			}
			page, err := s.List(t.Context(), store.Query{Count: true})
			if err != nil || len(page.Items) != 3 || len(page.Broken) != 6 || page.Total != 9 {
				t.Fatalf("%d records, %d broken of %d, %v; want 3, 6 of 9", len(page.Items), len(page.Broken), page.Total, err)
			}
			if text := page.Broken[0].Error(); !strings.Contains(text, "whose id is 2:") {
				t.Errorf("the error does not name the record: %s", text)
			}
			page, err = s.List(t.Context(), store.Query{Order: []store.Order{{Field: "id"}}, After: []any{int64(1)}, Limit: 1})
			if err != nil || len(page.Items) != 1 || page.Items[0].ID != 8 {
				t.Errorf("behind the first record are %v, %v, want the eighth", page.Items, err)
			}
		})
	}
}
