package sqlstore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// jar is a record in a table that is not logged.
type jar struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// TestOnlyTablesThatLogPayForIt compares the statements of writes with those of a database in which nothing is logged.
func TestOnlyTablesThatLogPayForIt(t *testing.T) {
	t.Parallel()
	var plain []string
	for _, logs := range []bool{false, true} {
		db, r := recorded(open(t))
		coins, jars := sqlstore.Table[coin](db), sqlstore.Table[jar](db)
		if err := db.Create(t.Context(), coins, jars); err != nil {
			t.Fatal(err)
		}
		if logs {
			coins.KeepLog(func(_ context.Context, change store.Change) (*store.LogEntry, error) {
				return &store.LogEntry{Record: fmt.Sprint("coins/", change.ID), Kind: "insert"}, nil
			})
		}
		r.statements = nil
		err := jars.Transact(t.Context(), func(ctx context.Context, tx store.Tx[jar]) error {
			if err := tx.Insert(ctx, &jar{Name: "a"}); err != nil {
				return err
			}
			return updating(any(int64(1)), func(j *jar) { j.Name = "b" })(ctx, tx)
		})
		if err == nil {
			err = store.Delete(t.Context(), jars, any(int64(1)))
		}
		var texts []string
		for _, s := range r.statements {
			texts = append(texts, s.text)
		}
		if err != nil || logs && !slices.Equal(texts, plain) {
			t.Errorf("the statements are\n%s\nwant\n%s\n(%v)", strings.Join(texts, "\n"), strings.Join(plain, "\n"), err)
		}
		plain = texts
		r.statements = nil
		if err := store.Insert(t.Context(), coins, &coin{Name: "a"}, &coin{Name: "b"}, &coin{Name: "c"}); err != nil {
			t.Fatal(err)
		}
		inserts := 0
		for _, s := range r.statements {
			if strings.HasPrefix(s.text, `INSERT INTO "trove_log"`) {
				inserts++
			}
		}
		if logs != (inserts == 1) {
			t.Errorf("three changes are logged by %d statements, want one", inserts)
		}
	}
}

func TestTheEntriesOfARecordAreFoundByAnIndex(t *testing.T) {
	t.Parallel()
	db, r := recorded(open(t))
	if err := db.Create(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Log().List(t.Context(), store.Query{Where: []store.Condition{store.Eq("record", "coins/1"), store.Eq("fields", "worth")}, Order: ordered("-id"), Limit: 30}); err != nil {
		t.Fatal(err)
	}
	if got := plan(t, db, r.last(t, "SELECT")); !strings.Contains(got, "USING INDEX trove_log_record_idx") || strings.Contains(got, "TEMP B-TREE") {
		t.Errorf("the plan is %s", got)
	}
}
