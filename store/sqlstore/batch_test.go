package sqlstore_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
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

// remote is a driver that claims to be behind a network.
type remote struct{ *recorder }

func (r remote) Dialect() sqlstore.Dialect { return remoteDialect{r.recorder.Dialect()} }

type remoteDialect struct{ sqlstore.Dialect }

func (d remoteDialect) Facts() sqlstore.BaseDialect {
	facts := d.Dialect.Facts()
	facts.Remote = true
	return facts
}

// fourth is a record with a rank in one of four, otherwise null.
type fourth struct {
	ID   int64 `json:"id"`
	Rank *int  `json:"rank" api:"sort"`
	Lot  int   `json:"lot" api:"filter"`
}

// The total of a page must equal the result of a separate count, for every page.
func TestARemoteDatabaseReadsTheTotalWithThePage(t *testing.T) {
	t.Parallel()
	records := make([]*fourth, 40)
	for i := range records {
		if records[i] = (&fourth{Lot: i % 2}); i%4 == 0 {
			records[i].Rank = new(i)
		}
	}
	db, near := made(t, records...)
	_, r := recorded(db)
	far := sqlstore.Table[fourth](sqlstore.New(remote{r}))
	byRank := []store.Order{{Field: "rank"}, {Field: "id"}}
	for name, test := range map[string]struct {
		query      store.Query
		statements int
	}{
		"the first page":                        {store.Query{Limit: 10}, 1},
		"a page in the middle":                  {store.Query{Limit: 10, Offset: 15}, 1},
		"all records":                           {store.Query{}, 1},
		"some fields":                           {store.Query{Limit: 10, Fields: []string{"lot"}}, 1},
		"a page beyond the last":                {store.Query{Limit: 10, Offset: 40}, 2},
		"after a position":                      {store.Query{Limit: 10, Order: byRank[1:], After: []any{int64(5)}}, 1},
		"after the last of those that are null": {store.Query{Limit: 10, Order: byRank, After: []any{nil, int64(40)}}, 2},
		"after a position, over both parts":     {store.Query{Limit: 10, Order: byRank, After: []any{nil, int64(36)}}, 2},
		"after the last record":                 {store.Query{Limit: 10, Order: byRank, After: []any{36, int64(37)}}, 2},
		"an order that hides values": {store.Query{Limit: 10, Order: []store.Order{
			{Field: "rank", NullUnless: []store.Condition{{Fields: []string{"lot"}, Operator: store.Equal, Values: []any{0}}}},
		}}, 1},
		"a condition":              {store.Query{Limit: 10, Where: []store.Condition{{Fields: []string{"lot"}, Operator: store.Equal, Values: []any{1}}}}, 2},
		"a condition of no record": {store.Query{Limit: 10, Where: []store.Condition{{Fields: []string{"lot"}, Operator: store.Equal, Values: []any{7}}}}, 2},
	} {
		test.query.Count = true
		want, err := near.List(t.Context(), test.query)
		if err != nil {
			t.Fatal(err)
		}
		r.statements = nil
		got, err := far.List(t.Context(), test.query)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s (%v):\n%s", name, err, diff)
		}
		if len(r.statements) != test.statements {
			t.Errorf("%s: %d statements, want %d", name, len(r.statements), test.statements)
		}
	}
}

func TestTheTotalOfAnEmptyTableIsZero(t *testing.T) {
	t.Parallel()
	db, _ := made[fourth](t)
	_, r := recorded(db)
	page, err := sqlstore.Table[fourth](sqlstore.New(remote{r})).List(t.Context(), store.Query{Limit: 30, Count: true})
	if err != nil || page.Total != 0 || len(page.Items) != 0 {
		t.Errorf("%d records of %d (%v)", len(page.Items), page.Total, err)
	}
}

func TestPingQueriesTheDatabase(t *testing.T) {
	t.Parallel()
	db, _ := made[coin](t)
	watched, r := recorded(db)
	var s store.Pinger = sqlstore.Table[coin](watched)
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	r.last(t, "SELECT")
	failing(r, "SELECT", 1, sqlstore.UnavailableFault)
	if err := s.Ping(t.Context()); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a database that is out of reach: %v", err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("a database that is in reach again: %v", err)
	}
}

func TestPingReportsAnUnusableTable(t *testing.T) {
	t.Parallel()
	if err := sqlstore.Table[coin](open(t)).Ping(t.Context()); err == nil {
		t.Error("without its table: no error")
	}
	if err := sqlstore.Table[coin](nil).Ping(t.Context()); err == nil {
		t.Error("without a database: no error")
	}
	_, s := made[coin](t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
	closed, err := sqlite.Open(":memory:")
	if err == nil {
		err = closed.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlstore.Table[coin](closed).Ping(t.Context()); err == nil {
		t.Error("a closed database: no error")
	}
}
