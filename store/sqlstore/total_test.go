package sqlstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

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
