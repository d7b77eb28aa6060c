package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// shipper is what consignments refer to.
type shipper struct {
	ID       int64  `json:"id"`
	Username string `json:"username" api:"unique"`
	City     string `json:"city" api:"filter"`
}

// consignment has filters, and sort orders that go with them.
type consignment struct {
	ID        int64  `json:"id"`
	Status    string `json:"status" api:"filter"`
	Kind      string `json:"kind" api:"filter=iexact"`
	Value     int64  `json:"value" api:"sort"`
	Rank      *int64 `json:"rank" api:"sort,filter"`
	Published bool   `json:"published" api:"filter"`
	Owner     int64  `json:"owner" api:"ref=Shipper,filter,through=city|username"`
}

func (consignment) Constraints() []store.Constraint {
	return []store.Constraint{
		store.Index("status", "-value"), store.Index("status", "rank"), store.Index("status", "-rank"), store.Index("-value", "rank"),
	}
}

// consignments makes the tables of consignments with rows, on SQLite with the statistics that the library makes itself.
func consignments(t *testing.T, db *sqlstore.DB) (*sqlstore.Store[consignment], *recorder) {
	t.Helper()
	watched, r := recorded(db)
	shippers, s := sqlstore.Table[shipper](watched), sqlstore.Table[consignment](watched)
	if err := watched.Create(t.Context(), shippers, s); err != nil {
		t.Fatal(err)
	}
	rows := 20_000
	if db.Dialect().Name() == "postgres" {
		rows = 200_000
	}
	numbers := func(n int) string {
		if db.Dialect().Name() == "postgres" {
			return fmt.Sprintf("generate_series(1, %d) AS n", n)
		}
		return fmt.Sprintf("(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d) SELECT n FROM c)", n)
	}
	statements := []string{
		"INSERT INTO shippers (id, username, city) SELECT n, 'user' || n, 'city' || (n % 200) FROM " + numbers(rows/10),
		"INSERT INTO consignments (id, status, kind, kind__folded, value, rank, published, owner) SELECT n, 'status' || (n % 5), 'Kind' || (n % 50), 'kind' || (n % 50), " +
			"n * 7919 % 100003, CASE WHEN n % 3 > 0 THEN n * 7907 % 50021 END, n % 2 = 0, n % 2000 + 1 FROM " + numbers(rows),
	}
	if db.Dialect().Name() == "postgres" {
		statements = append(statements, "VACUUM ANALYZE shippers", "VACUUM ANALYZE consignments")
	}
	for _, text := range statements {
		if _, err := db.Exec(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return s, r
}

func TestPagesWithFiltersAndASortOrderWalkAnIndex(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the tables are large")
	}
	open1, owned := is("status", store.Equal, "status1"), is("owner", store.Equal, int64(77))
	visible := anyOf([]store.Condition{is("published", store.Equal, true)}, []store.Condition{owned})
	city := store.Condition{Through: "owner", Any: [][]store.Condition{{is("city", store.Equal, "city7")}}}
	tree := anyOf(
		[]store.Condition{open1, anyOf([]store.Condition{owned}, []store.Condition{is("rank", store.Greater, int64(9))})},
		[]store.Condition{is("published", store.Equal, true), is("kind", store.EqualFold, "kind7")},
	)
	questions := map[string]store.Query{
		"a filter":                           {Where: []store.Condition{open1}, Order: ordered("id")},
		"a filter, backward":                 {Where: []store.Condition{open1}, Order: ordered("-id")},
		"a filter, behind a position":        {Where: []store.Condition{open1}, Order: ordered("id"), After: []any{int64(5000)}},
		"a filter that ignores case":         {Where: []store.Condition{is("kind", store.EqualFold, "kIND7")}, Order: ordered("id"), After: []any{int64(5000)}},
		"a bool":                             {Where: []store.Condition{is("published", store.Equal, true)}, Order: ordered("id"), After: []any{int64(5000)}},
		"a filter and a descending order":    {Where: []store.Condition{open1}, Order: ordered("-value", "-id")},
		"a filter and an ascending order":    {Where: []store.Condition{open1}, Order: ordered("value", "id")},
		"the same, behind a position":        {Where: []store.Condition{open1}, Order: ordered("-value", "-id"), After: []any{int64(50_000), int64(9)}},
		"a filter and a nullable order":      {Where: []store.Condition{open1}, Order: ordered("rank", "id")},
		"the same, behind null":              {Where: []store.Condition{open1}, Order: ordered("rank", "id"), After: []any{nil, int64(9)}},
		"the same, behind a value":           {Where: []store.Condition{open1}, Order: ordered("rank", "id"), After: []any{int64(500), int64(9)}},
		"a descending nullable order":        {Where: []store.Condition{open1}, Order: ordered("-rank", "-id")},
		"the same, behind another value":     {Where: []store.Condition{open1}, Order: ordered("-rank", "-id"), After: []any{int64(500), int64(9)}},
		"the same, behind null, backward":    {Where: []store.Condition{open1}, Order: ordered("-rank", "-id"), After: []any{nil, int64(9)}},
		"two sort fields":                    {Order: ordered("-value", "rank", "id")},
		"two sort fields, behind a position": {Order: ordered("-value", "rank", "id"), After: []any{int64(50_000), int64(500), int64(9)}},
		"an order":                           {Order: ordered("-value", "-id"), After: []any{int64(50_000), int64(9)}},
		"a rule with or":                     {Where: []store.Condition{visible}, Order: ordered("id"), After: []any{int64(5000)}},
		"a rule with or, and an order":       {Where: []store.Condition{visible}, Order: ordered("-value", "-id"), After: []any{int64(50_000), int64(9)}},
		"through a reference":                {Where: []store.Condition{city}, Order: ordered("id"), After: []any{int64(5000)}},
		"a tree":                             {Where: []store.Condition{tree}, Order: ordered("id"), After: []any{int64(5000)}},
	}
	databases := map[string]func(testing.TB) *sqlstore.DB{"PostgreSQL": server, "SQLite": func(t testing.TB) *sqlstore.DB {
		t.Helper()
		return open(t)
	}}
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			s, r := consignments(t, db)
			for name, query := range questions {
				r.statements, query.Limit = nil, 30
				if _, err := s.List(t.Context(), query); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				for _, statement := range r.statements {
					steps := explained(t, db, statement)
					isScan := strings.Contains(steps, "Seq Scan") || strings.HasPrefix(steps, "SCAN") && !strings.Contains(steps, "USING INDEX")
					isSort := strings.Contains(steps, "TEMP B-TREE") || strings.Contains(steps, "Sort")
					if isScan || isSort && name != "through a reference" { // of few rows
						t.Errorf("%s is found with\n%s\n%s %v", name, steps, statement.text, statement.args)
					}
				}
			}
		})
	}
}
