package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

func TestAColumnThatEveryInsertWouldHaveToSetIsRejected(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		column   string
		rejected bool
	}{
		"NOT NULL without a default": {"gains TEXT NOT NULL", true},
		"with a default of null":     {"gains TEXT NOT NULL DEFAULT NULL", true},
		"that can be null":           {"gains TEXT", false},
		"with a default":             {"gains TEXT NOT NULL DEFAULT ''", false},
		"that is generated":          {"gains TEXT NOT NULL GENERATED ALWAYS AS (name)", false},
		"that the struct has":        {"Worth INTEGER NOT NULL", false},
		"that is the rowid":          {"gains INTEGER NOT NULL PRIMARY KEY", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id := "id INTEGER NOT NULL PRIMARY KEY"
			if strings.Contains(test.column, "PRIMARY") {
				id = "id INTEGER NOT NULL UNIQUE DEFAULT 7"
			}
			worth := ", worth INTEGER NOT NULL"
			if strings.HasPrefix(test.column, "Worth") {
				worth = ""
			}
			s := sqlstore.Table[coin](open(t, `CREATE TABLE coins (`+id+`, name TEXT NOT NULL UNIQUE`+worth+", "+test.column+`) STRICT`))
			const want = `the table coins has the column gains, which is NOT NULL without a default and which Coin does not use, so every insert would fail: ` +
				`drop the column, or run ALTER TABLE "coins" ALTER COLUMN "gains" DROP NOT NULL`
			if err := s.CheckInserts(t.Context()); test.rejected != (err != nil) || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%v", err)
			}
			err := s.Transact(t.Context(), inserting(&coin{ID: 1, Name: "a"}))
			if test.rejected != (err != nil) || errors.Is(err, store.ErrConflict) {
				t.Errorf("an insert: %v", err)
			}
		})
	}
}

func TestTheAdviceForAColumnThatIsNoLongerUsedWorks(t *testing.T) {
	t.Parallel()
	for _, advice := range []string{`ALTER TABLE coins DROP COLUMN gains`, `ALTER TABLE "coins" ALTER COLUMN "gains" DROP NOT NULL`} {
		db := open(t, `CREATE TABLE coins (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, worth INTEGER NOT NULL, gains TEXT NOT NULL) STRICT`,
			`INSERT INTO coins (name, worth, gains) VALUES ('a', 1, 'some')`)
		s := sqlstore.Table[coin](db)
		if err := s.Transact(t.Context(), updating(int64(1), func(c *coin) { c.Worth = 2 })); err != nil {
			t.Errorf("an update, which needs no advice: %v", err)
		}
		if _, err := db.Exec(t.Context(), advice); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Check(t.Context()), s.CheckInserts(t.Context()), s.Transact(t.Context(), inserting(&coin{Name: "b"}))); err != nil {
			t.Errorf("after %s: %v", advice, err)
		}
	}
}

// A client cannot send a null that the struct does not allow.
func TestANullThatTheTableRejectsIsNoConflict(t *testing.T) {
	t.Parallel()
	db, s := made(t, &coin{Name: "a"})
	err := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[coin]) error {
		executor, _ := sqlstore.Tx(ctx)
		_, err := executor.Exec(ctx, `UPDATE coins SET worth = NULL`)
		return err
	})
	if err == nil || errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("%v", err)
	}
	if err := sqlstore.Table[coin](db).Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestATableOfAListWithAColumnThatEveryInsertWouldHaveToSetIsRejected(t *testing.T) {
	t.Parallel()
	type pocket struct {
		ID    int64   `json:"id"`
		Coins []int64 `json:"coins" validate:"max=5" api:"ref=coin"`
	}
	db := open(t)
	coins, pockets := sqlstore.Table[coin](db), sqlstore.Table[pocket](db)
	if err := db.Create(t.Context(), coins, pockets); err != nil {
		t.Fatal(err)
	}
	if err := pockets.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`ALTER TABLE pockets_coins ADD COLUMN since TEXT`, `ALTER TABLE pockets_coins ALTER COLUMN since SET NOT NULL`} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := pockets.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "the table pockets_coins has the column since, which is NOT NULL") {
		t.Errorf("%v", err)
	}
}
