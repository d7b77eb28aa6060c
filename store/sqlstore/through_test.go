package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// seller is referenced by shipments.
type seller struct {
	ID       int64  `json:"id"`
	Username string `json:"username" api:"filter,sort"`
	Open     bool   `json:"open" api:"filter"`
}

type shipment struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" api:"sort"`
	Seller *int64 `json:"seller" api:"ref=Seller,filter,through=username"`
}

// shipments creates a database of n shipments with one seller for every ten, and returns their store and the recorder
// of its statements.
func shipments(t testing.TB, db *sqlstore.DB, n int) (*sqlstore.Store[shipment], *recorder) {
	t.Helper()
	watched, r := recorded(db)
	sellers, s := sqlstore.Table[seller](watched), sqlstore.Table[shipment](watched)
	if err := watched.Create(t.Context(), s, sellers); err != nil {
		t.Fatal(err)
	}
	numbers := func(n int) string {
		if db.Dialect().Name() == "sqlite" {
			return fmt.Sprintf("(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d) SELECT n FROM c)", n)
		}
		return fmt.Sprintf("generate_series(1, %d) AS n", n)
	}
	for _, text := range []string{
		"INSERT INTO sellers (id, username, open) SELECT n, 'seller ' || n, n % 10 > 0 FROM " + numbers(n/10),
		fmt.Sprintf("INSERT INTO shipments (id, name, seller) SELECT n, 'shipment ' || n, 1 + n %% %d FROM %s", n/10, numbers(n)),
		"ANALYZE sellers", "ANALYZE shipments",
	} {
		if _, err := db.Exec(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return s, r
}

// sold returns a query for the shipments of a seller with a name. Further conditions apply to the seller.
func sold(name string, more ...store.Condition) store.Query {
	list := append([]store.Condition{is("username", store.Equal, name)}, more...)
	return store.Query{Where: []store.Condition{{Through: "seller", Any: [][]store.Condition{list}}}, Order: ordered("id"), Limit: 30, Count: true}
}

func TestIndexesServeFiltersThroughReferences(t *testing.T) {
	t.Parallel()
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			s, r := shipments(t, db, 20_000)
			for name, query := range map[string]store.Query{
				"a field":                    sold("seller 7"),
				"a field of visible records": sold("seller 7", is("open", store.Equal, true)),
				"a field within a group":     {Where: []store.Condition{anyOf(sold("seller 7").Where)}, Limit: 30, Count: true},
			} {
				servedByIndexes(t, db, s, r, name, query)
			}
		})
	}
}

// servedByIndexes checks that a page of ten and its total are found by indexes only.
func servedByIndexes(t testing.TB, db *sqlstore.DB, s *sqlstore.Store[shipment], r *recorder, name string, query store.Query) {
	t.Helper()
	r.statements = nil
	page, err := s.List(t.Context(), query)
	if err != nil || page.Total != 10 || len(page.Items) != 10 || len(r.statements) != 2 {
		t.Fatalf("%s: %d of %d by %d statements, %v", name, len(page.Items), page.Total, len(r.statements), err)
	}
	for _, statement := range r.statements {
		steps := explained(t, db, statement)
		for _, index := range []string{"shipments_seller_idx", "sellers_username_idx"} {
			if !strings.Contains(steps, index) {
				t.Errorf("%s is searched without %s:\n%s\n%s", name, index, steps, statement.text)
			}
		}
		if strings.Contains(steps, "SCAN shipments") || strings.Contains(steps, "SCAN sellers") || strings.Contains(steps, "Seq Scan") {
			t.Errorf("%s is searched in all rows:\n%s\n%s", name, steps, statement.text)
		}
	}
}

// crate references several sellers.
type crate struct {
	ID      int64   `json:"id"`
	Sellers []int64 `json:"sellers" validate:"max=3" api:"ref=Seller,filter,through=username"`
}

func TestIndexesServeFiltersThroughLists(t *testing.T) {
	t.Parallel()
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			shipments(t, db, 20_000)
			watched, r := recorded(db)
			crates, sellers := sqlstore.Table[crate](watched), sqlstore.Table[seller](watched)
			if err := watched.Create(t.Context(), crates, sellers); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{
				"INSERT INTO crates (id) SELECT id FROM shipments",
				"INSERT INTO crates_sellers (record, position, target) SELECT id, 0, seller FROM shipments",
				"INSERT INTO crates_sellers (record, position, target) SELECT id, 1, 1 + (seller % 2000) FROM shipments",
				"ANALYZE crates", "ANALYZE crates_sellers",
			} {
				if _, err := db.Exec(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			for name, more := range map[string][]store.Condition{"a member": nil, "a member of what is visible": {is("open", store.Equal, true)}} {
				query := sold("seller 7", more...)
				query.Where[0].Through, r.statements = "sellers", nil
				page, err := crates.List(t.Context(), query)
				if err != nil || page.Total != 20 || len(page.Items) != 20 || len(r.statements) != 2 {
					t.Fatalf("%s: %d of %d by %d statements, %v", name, len(page.Items), page.Total, len(r.statements), err)
				}
				for _, statement := range r.statements {
					steps := explained(t, db, statement)
					for _, index := range []string{"crates_sellers_target_idx", "sellers_username_idx"} {
						if !strings.Contains(steps, index) {
							t.Errorf("%s is searched without %s:\n%s\n%s", name, index, steps, statement.text)
						}
					}
					for _, all := range []string{"SCAN crates", "SCAN sellers", "Seq Scan"} {
						if strings.Contains(steps, all) {
							t.Errorf("%s is searched in all rows:\n%s\n%s", name, steps, statement.text)
						}
					}
				}
			}
		})
	}
}
