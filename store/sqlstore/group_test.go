package sqlstore_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// ware is a record that its owner sees, or everyone once it is published, as few are.
type ware struct {
	ID        int64  `json:"id"`
	Owner     int64  `json:"owner" api:"filter"`
	Published bool   `json:"published" api:"filter"`
	Name      string `json:"name" api:"filter=partial"`
	Price     int64  `json:"price" api:"filter=range"`
}

// wares is the number of wares: 20 of each owner, one in a thousand published.
const wares = 20_000

// wareColumns are the column values of ware number n.
const wareColumns = `n, n %% 1000, n %% 1000 = 0, 'Ware ' || n, 'ware ' || n, n FROM %s`

// server opens a new PostgreSQL database, or skips the test.
func server(t testing.TB) *sqlstore.DB {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" || os.Getenv("TROVE_TEST_POOLER") != "" {
		t.Skip("set TROVE_TEST_POSTGRES to run the test on PostgreSQL")
	}
	outer, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := "trove_test_" + strings.ToLower(rand.Text())
	if _, err := outer.Exec(t.Context(), "CREATE SCHEMA "+name); err != nil {
		t.Fatal(err)
	}
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	db, err := postgres.Open(t.Context(), dsn+separator+"search_path="+name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = db.Close()
		if _, err := outer.Exec(context.WithoutCancel(t.Context()), "DROP SCHEMA "+name+" CASCADE"); err != nil {
			t.Error(err)
		}
		_ = outer.Close()
	})
	return db
}

// explained returns how a database runs a statement.
func explained(t testing.TB, db *sqlstore.DB, s statement) string {
	t.Helper()
	if db.Dialect().Name() == "sqlite" {
		return plan(t, db, s)
	}
	rows, err := db.Query(t.Context(), "EXPLAIN "+s.text, s.args...)
	if err != nil {
		t.Fatalf("%s: %v", s.text, err)
	}
	defer func() { _ = rows.Close() }()
	var steps []string
	for rows.Next() {
		var step string
		if err := rows.Scan(&step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, "\n")
}

func is(field string, operator store.Operator, value any) store.Condition {
	return store.Condition{Fields: []string{field}, Operator: operator, Values: []any{value}}
}

func anyOf(lists ...[]store.Condition) store.Condition { return store.Condition{Any: lists} }

func TestAnIndexServesGroups(t *testing.T) {
	t.Parallel()
	databases := map[string]func(*testing.T) (db *sqlstore.DB, numbers string){
		"SQLite": func(t *testing.T) (*sqlstore.DB, string) {
			t.Helper()
			return open(t), fmt.Sprintf("(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d) SELECT n FROM c)", wares)
		},
		"PostgreSQL": func(t *testing.T) (*sqlstore.DB, string) {
			t.Helper()
			return server(t), fmt.Sprintf("generate_series(1, %d) AS n", wares)
		},
	}
	owner, name := is("owner", store.Equal, int64(7)), is("name", store.Contains, "1")
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db, numbers := made(t)
			watched, r := recorded(db)
			s := sqlstore.Table[ware](watched)
			if err := db.Create(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{
				"INSERT INTO wares (id, owner, published, name, name__folded, price) SELECT " + fmt.Sprintf(wareColumns, numbers), "ANALYZE wares",
			} {
				if _, err := db.Exec(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			for rule, test := range map[string]struct {
				where   []store.Condition
				indexes []string // of the count, and of the page
			}{
				"the owner, and other filters": {[]store.Condition{anyOf([]store.Condition{owner}), name, is("price", store.Greater, int64(5))}, []string{"wares_owner_idx"}},
				"behind other filters":         {[]store.Condition{name, anyOf([]store.Condition{owner})}, []string{"wares_owner_idx"}},
				"the owner or what's published": {
					[]store.Condition{anyOf([]store.Condition{owner}, []store.Condition{is("published", store.Equal, true)}), name},
					[]string{"wares_owner_idx", "wares_published_idx"},
				},
				"the owner with more, or another": {
					[]store.Condition{anyOf([]store.Condition{owner, name}, []store.Condition{is("owner", store.Equal, int64(8))})}, []string{"wares_owner_idx"},
				},
				"the owner within a group": {
					[]store.Condition{anyOf([]store.Condition{anyOf([]store.Condition{owner}, []store.Condition{is("owner", store.Equal, int64(9))}), name})}, []string{"wares_owner_idx"},
				},
			} {
				page, err := s.List(t.Context(), store.Query{Where: test.where, Limit: 30, Count: true})
				if err != nil || page.Total == 0 || page.Total > 100 {
					t.Errorf("%s: finds %d (%v)", rule, page.Total, err)
					continue
				}
				statements := []statement{r.last(t, "SELECT COUNT"), r.last(t, `SELECT "id"`)}
				if len(test.indexes) > 1 {
					statements = statements[:1] // SQLite scans by identifier if it expects half of all rows to match
				}
				for _, statement := range statements {
					steps := explained(t, db, statement)
					for _, index := range test.indexes {
						if !strings.Contains(steps, index) {
							t.Errorf("%s: %s is not used:\n%s\n%s", rule, index, statement.text, steps)
						}
					}
				}
			}
		})
	}
}

func TestQueriesAreCheckedWithinGroups(t *testing.T) {
	t.Parallel()
	_, s := made[item](t)
	within := func(field string, operator store.Operator) []store.Condition {
		inner := store.Condition{Fields: []string{field}, Operator: operator}
		return []store.Condition{anyOf([]store.Condition{{Fields: []string{"name"}, Operator: store.Equal}}, []store.Condition{anyOf([]store.Condition{inner})})}
	}
	for want, query := range map[string]store.Query{
		`no field "nme"`:               {Where: within("nme", store.Equal)},
		"no column to search in ref":   {Where: within("ref", store.Contains)},
		"no column to search in key":   {Order: []store.Order{{Field: "name", NullUnless: within("key", store.Contains)}}},
		`unknown operator "resembles"`: {Order: []store.Order{{Field: "name", NullUnless: within("name", "resembles")}}},
		`no field "place.city.depth"`:  {Where: within("place.city.depth", store.Exists)},
	} {
		if err := s.CheckQuery(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in: %v", want, err)
		}
	}
	beside := anyOf(within("name", store.Equal))
	beside.Fields, beside.Operator = []string{"nothing"}, "resembles"
	if err := s.CheckQuery(store.Query{Where: []store.Condition{beside}, Order: []store.Order{{Field: "rank", NullUnless: within("level", store.Equal)}}}); err != nil {
		t.Error(err)
	}
}

// A tree of conditions may be as large as Config.MaxFilterNodes allows, in any form.
func TestTheLargestTreesOfConditionsRun(t *testing.T) {
	t.Parallel()
	const most = 1000
	trees := map[string]string{
		"wide":         `{"any":[` + strings.Repeat(`{"owner":1},`, most-2) + `{"owner":7}]}`,
		"wide not":     `{"not":{"any":[` + strings.Repeat(`{"owner":1},`, most-3) + `{"owner":8}]}}`,
		"ranges":       `{"all":[` + strings.Repeat(`{"price":{"gte":0}},`, most-2) + `{"owner":7}]}`,
		"searches":     `{"all":[` + strings.Repeat(`{"name":{"partial":"w"}},`, most-2) + `{"owner":7}]}`,
		"deep not":     strings.Repeat(`{"not":`, most-2) + `{"owner":7}` + strings.Repeat(`}`, most-2),
		"deep any":     strings.Repeat(`{"any":[`, most-1) + `{"owner":7}` + strings.Repeat(`]}`, most-1),
		"deep all":     strings.Repeat(`{"all":[`, most-1) + `{"owner":7}` + strings.Repeat(`]}`, most-1),
		"deep and not": strings.Repeat(`{"all":[{"owner":7},{"not":{"any":[{"owner":8},`, 199) + `{"owner":8}` + strings.Repeat(`]}}]}`, 199),
		"two alike":    strings.Repeat(`{"all":[{"owner":7},{"any":[{"owner":8},`, 249) + `{"owner":7}` + strings.Repeat(`]}]}`, 249),
	}
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			s := sqlstore.Table[ware](db)
			if err := db.Create(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if err := store.Insert(t.Context(), s, &ware{Owner: 7, Name: "W"}, &ware{Owner: 8, Name: "X"}); err != nil {
				t.Fatal(err)
			}
			api, err := resource.New(resource.Config{MaxFilterNodes: most, MaxURLBytes: 100_000, MaxBodyValues: 1_000_000}, resource.Of[ware]{Store: s})
			if err != nil {
				t.Fatal(err)
			}
			lists := `{"all":[{"owner":7}` + strings.Repeat(`,{"owner":[0`+strings.Repeat(`,7`, 99)+`]}`, 400) + `]}` // SQLite allows 32,766 arguments
			r := httptest.NewRequestWithContext(t.Context(), "QUERY", "/api/wares", strings.NewReader(`{"filter":`+lists+`}`))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			if api.ServeHTTP(w, r); w.Code != http.StatusOK || strings.Count(w.Body.String(), `"owner":7`) != 1 {
				t.Errorf("40,000 values return %d: %.300s", w.Code, w.Body)
			}
			for form, tree := range trees {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/wares?filter="+url.QueryEscape(tree), http.NoBody)
				w := httptest.NewRecorder()
				if api.ServeHTTP(w, r); w.Code != http.StatusOK || strings.Count(w.Body.String(), `"owner":7`) != 1 || strings.Contains(w.Body.String(), `"owner":8`) {
					t.Errorf("%s returns %d: %.300s", form, w.Code, w.Body)
				}
			}
		})
	}
}

func TestTooManyConditionsAreAnError(t *testing.T) {
	t.Parallel()
	_, s := made[item](t)
	lists := make([][]store.Condition, 33_000)
	for i := range lists {
		lists[i] = []store.Condition{is("name", store.Equal, strconv.Itoa(i))}
	}
	for _, query := range []store.Query{
		{Where: []store.Condition{anyOf(lists...)}},
		{Where: []store.Condition{anyOf(lists...)}, Count: true},
		{Order: []store.Order{{Field: "rank", NullUnless: []store.Condition{anyOf(lists...)}}}},
	} {
		if _, err := s.List(t.Context(), query); err == nil || !strings.Contains(err.Error(), "sqlite allows 32766") {
			t.Errorf("33,000 lists: %v", err)
		}
	}
}

func TestAConditionWithoutFieldsMatchesNothing(t *testing.T) {
	t.Parallel()
	_, s := made(t, &item{Name: "a"})
	page, err := s.List(t.Context(), store.Query{Where: []store.Condition{{Operator: store.Equal, Values: []any{"a"}}}, Count: true})
	if err != nil || page.Total+len(page.Items) != 0 {
		t.Errorf("finds %d (%v)", page.Total, err)
	}
}
