package sqlstore_test

import (
	"testing"

	"github.com/trove-api/trove/store/sqlstore"
)

func TestGetManyIsOneQuery(t *testing.T) {
	t.Parallel()
	db, _ := made(t, &item{Name: "a"}, &item{Name: "b"})
	watched, r := recorded(db)
	s := sqlstore.Table[item](watched)
	for _, n := range []int{1, 2, 100, 101, 40_000} {
		ids := make([]any, n)
		for i := range ids {
			ids[i] = int64(i + 1)
		}
		r.statements = nil
		if got, err := s.GetMany(t.Context(), ids); err != nil || len(got) != n || got[0].Name != "a" || len(r.statements) != 1 {
			t.Errorf("%d: %d records by %d statements (%v)", n, len(got), len(r.statements), err)
		}
	}
	if _, err := s.GetMany(t.Context(), []any{int64(1), "1"}); err == nil {
		t.Error("an id of another type is no error")
	}
}

func TestRecordsThatTheDatabaseFindsUnderAnotherKey(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE legacy (code TEXT NOT NULL PRIMARY KEY COLLATE NOCASE)`, `INSERT INTO legacy VALUES ('AB'), ('c')`)
	type legacy struct {
		Code string `json:"code" api:"id"`
	}
	s := sqlstore.Table[legacy](db, sqlstore.Existing(), sqlstore.Named("legacy"))
	got, err := s.GetMany(t.Context(), []any{"ab", "c", "d", "AB"})
	if err != nil || len(got) != 4 || got[0] == nil || got[0].Code != "AB" || got[1] == nil || got[2] != nil || got[3] == nil {
		t.Errorf("%v (%v)", got, err)
	}
}

func TestARecordThatCannotBeReadIsAnErrorOfGetMany(t *testing.T) {
	t.Parallel()
	db, s := made(t, &item{Name: "a"}, &item{Name: "b"})
	if _, err := db.Exec(t.Context(), `UPDATE items SET place = '{"city":7}' WHERE id = 2`); err != nil {
		t.Fatal(err)
	}
	if got, err := s.GetMany(t.Context(), []any{int64(1), int64(2)}); err == nil {
		t.Errorf("%v is no error", got)
	}
	if got, err := s.GetMany(t.Context(), []any{int64(1)}); err != nil || got[0] == nil {
		t.Errorf("alone: %v (%v)", got, err)
	}
}
