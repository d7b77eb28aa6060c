package sqlstore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// plan returns how SQLite runs a statement.
func plan(t testing.TB, db *sqlstore.DB, s statement) string {
	t.Helper()
	rows, err := db.Query(t.Context(), "EXPLAIN QUERY PLAN "+s.text, s.args...)
	if err != nil {
		t.Fatalf("%s: %v", s.text, err)
	}
	defer func() { _ = rows.Close() }()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	return strings.Join(steps, "; ")
}

func ordered(names ...string) []store.Order {
	var order []store.Order
	for _, name := range names {
		field, descending := strings.CutPrefix(name, "-")
		order = append(order, store.Order{Field: field, Descending: descending})
	}
	return order
}

func TestAnIndexLeadsStraightToAPosition(t *testing.T) {
	t.Parallel()
	db, _ := made[item](t)
	watched, r := recorded(db)
	s := sqlstore.Table[item](watched)
	for name, query := range map[string]store.Query{
		"the identifier":                  {Order: ordered("id"), After: []any{int64(7)}},
		"the identifier, backward":        {Order: ordered("-id"), After: []any{int64(7)}},
		"a text":                          {Order: ordered("name", "id"), After: []any{"m", int64(7)}},
		"a text, backward":                {Order: ordered("-name", "-id"), After: []any{"m", int64(7)}},
		"what can be null":                {Order: ordered("rank", "id"), After: []any{int16(7), int64(7)}},
		"what can be null, backward":      {Order: ordered("-rank", "-id"), After: []any{int16(7), int64(7)}},
		"null":                            {Order: ordered("rank", "id"), After: []any{nil, int64(7)}},
		"null, backward":                  {Order: ordered("-rank", "-id"), After: []any{nil, int64(7)}},
		"what is within":                  {Order: ordered("home.city", "id"), After: []any{"m", int64(7)}},
		"the first page":                  {Order: ordered("-score", "-id")},
		"the first page of what's nested": {Order: ordered("place.floor", "id")},
	} {
		query.Limit = 30
		r.statements = nil
		if _, err := s.List(t.Context(), query); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, statement := range r.statements {
			steps := plan(t, db, statement)
			searches := strings.Contains(steps, "SEARCH") || query.After == nil && strings.Contains(steps, "USING INDEX")
			if !searches || strings.Contains(steps, "TEMP B-TREE") {
				t.Errorf("%s is searched with %s:\n%s", name, steps, statement.text)
			}
		}
	}
}

func TestFiltersHaveAnIndex(t *testing.T) {
	t.Parallel()
	db, _ := made[item](t)
	watched, r := recorded(db)
	s := sqlstore.Table[item](watched)
	for _, condition := range []store.Condition{
		{Fields: []string{"level"}, Operator: store.Equal, Values: []any{level("low")}},
		{Fields: []string{"count"}, Operator: store.Equal, Values: []any{int64(7)}},
		{Fields: []string{"place.floor"}, Operator: store.Equal, Values: []any{7}},
		{Fields: []string{"name"}, Operator: store.Equal, Values: []any{"a", "b"}},
		{Fields: []string{"alias"}, Operator: store.Exists, Values: []any{false}},
	} {
		if _, err := s.List(t.Context(), store.Query{Where: []store.Condition{condition}}); err != nil {
			t.Fatal(err)
		}
		if steps := plan(t, db, r.last(t, "SELECT")); !strings.Contains(steps, "USING INDEX") {
			t.Errorf("%v is searched with %s", condition.Fields, steps)
		}
	}
}

func TestOnlyTheRequestedColumnsAreRead(t *testing.T) {
	t.Parallel()
	db, _ := made[item](t)
	watched, r := recorded(db)
	s := sqlstore.Table[item](watched)
	if _, err := s.List(t.Context(), store.Query{Fields: []string{"name"}, Order: ordered("home.city"), Limit: 3}); err != nil {
		t.Fatal(err)
	}
	if got, want := r.last(t, "SELECT").text, `SELECT "id", "name", "home" FROM "items" ORDER BY "home__city", "id" LIMIT ?`; got != want {
		t.Errorf("read by %s\nwant    %s", got, want)
	}
	r.statements = nil
	if _, err := s.List(t.Context(), store.Query{Limit: 3}); err != nil || len(r.statements) != 1 {
		t.Errorf("a query without Count counts: %v (%v)", r.statements, err)
	}
}

// hostile are strings that would do harm if they became part of a statement.
var hostile = []string{
	"'; DROP TABLE items; --", `"; DROP TABLE items; --`, "1 OR 1=1", "name) OR (1=1", "$1", "?", "?1", ":a", "@a", "%", "\\", "`", "/*", "--", "$$", "{text}", "{part}", "${1}", "$(0)",
}

func TestNothingThatClientsSendBecomesSQL(t *testing.T) {
	t.Parallel()
	_, s := made(t, &item{Name: "kept"})
	for _, text := range hostile {
		for _, query := range []store.Query{
			{Where: []store.Condition{{Fields: []string{text}, Operator: store.Equal, Values: []any{"a"}}}},
			{Where: []store.Condition{{Fields: []string{"name"}, Operator: store.Operator(text), Values: []any{"a"}}}},
			{Order: []store.Order{{Field: text}}},
		} {
			if _, err := s.List(t.Context(), query); err == nil {
				t.Errorf("%q in %+v is no error", text, query)
			}
		}
		if page, err := s.List(t.Context(), store.Query{Fields: []string{text}}); err != nil || len(page.Items) == 0 {
			t.Errorf("%q as a field: %v", text, err)
		}
		for _, operator := range []store.Operator{
			store.Equal, store.NotEqual, store.Less, store.Greater, store.EqualFold, store.Contains, store.HasPrefix, store.HasSuffix, store.HasWordPrefix,
		} {
			held := &item{Name: text, Alias: &text}
			insert(t, s, held)
			page, err := s.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"name"}, Operator: operator, Values: []any{text}}}})
			finds := slices.ContainsFunc(page.Items, func(i *item) bool { return i.ID == held.ID })
			want := operator != store.NotEqual && operator != store.Less && operator != store.Greater
			if err != nil || finds != want {
				t.Errorf("%q %s itself: %v, want %v (%v)", text, operator, finds, want, err)
			}
			if err := s.Transact(t.Context(), updating(held.ID, func(i *item) { i.Place.City = text })); err != nil {
				t.Error(err)
			}
			after := store.Query{Order: ordered("name", "id"), After: []any{text, held.ID}}
			if _, err := s.List(t.Context(), after); err != nil {
				t.Error(err)
			}
		}
	}
	if page, err := s.List(t.Context(), store.Query{Count: true, Limit: 1}); err != nil || page.Total != 1+len(hostile)*9 {
		t.Errorf("%d records are left (%v)", page.Total, err)
	}
}

func TestATableThatTroveDidNotMake(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE legacy (id INTEGER PRIMARY KEY, name VARCHAR(50) NOT NULL, alias VARCHAR(50), place TEXT NOT NULL)`,
		`INSERT INTO legacy VALUES (1, 'Élan ABC', 'x', '{"city":"c"}'), (2, 'élan abc', NULL, '{}')`)
	type legacy struct {
		ID    int64   `json:"id"`
		Name  string  `json:"name" api:"filter=partial,sort,search"`
		Alias *string `json:"alias" api:"filter=iexact|exists"`
		Place place   `json:"place"`
	}
	s := sqlstore.Table[legacy](db, sqlstore.Existing(), sqlstore.Named("legacy"))
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := func(where ...store.Condition) string {
		page, err := s.List(t.Context(), store.Query{Where: where})
		if err != nil {
			return err.Error()
		}
		var ids []string
		for _, item := range page.Items {
			ids = append(ids, fmt.Sprint(item.ID))
		}
		return strings.Join(ids, " ")
	}
	for want, condition := range map[string]store.Condition{
		"1 2": {Fields: []string{"name"}, Operator: store.Contains, Values: []any{"LAN ABC"}},
		"2":   {Fields: []string{"name"}, Operator: store.HasPrefix, Values: []any{"é"}}, // SQLite folds only ASCII
		"1":   {Fields: []string{"alias"}, Operator: store.EqualFold, Values: []any{"X"}},
	} {
		if got := found(condition); got != want {
			t.Errorf("%v finds %s, want %s", condition, got, want)
		}
	}
	err := s.CheckQuery(store.Query{
		Where: []store.Condition{{Fields: []string{"place.city"}, Operator: store.Equal}, {Fields: []string{"nme"}, Operator: store.Equal}},
		Order: []store.Order{{Field: "place.floor"}, {Field: "place"}},
	})
	for _, want := range []string{
		"the table legacy has no column to filter by place.city", `legacy has no field "nme"`, "the table legacy has no column to sort by place.floor", "place cannot be sorted by",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in: %v", want, err)
		}
	}
	insert(t, s, &legacy{Name: "new", Place: place{City: "d"}})
	if got, err := s.Get(t.Context(), int64(3)); err != nil || got.Place.City != "d" {
		t.Errorf("a new record is %+v (%v)", got, err)
	}
}

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

// sold returns a query for the shipments of a seller. Further conditions apply to the seller.
func sold(more ...store.Condition) store.Query {
	list := append([]store.Condition{is("username", store.Equal, "seller 7")}, more...)
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
				"a field":                    sold(),
				"a field of visible records": sold(is("open", store.Equal, true)),
				"a field within a group":     {Where: []store.Condition{anyOf(sold().Where)}, Limit: 30, Count: true},
			} {
				servedByIndexes(t, db, s, r, name, query)
			}
		})
	}
}

// Back through a reference, the referencing records are found by their own condition, and for one record by the reference.
func TestIndexesServeFiltersBackThroughReferences(t *testing.T) {
	t.Parallel()
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			_, r := shipments(t, db, 20_000)
			watched := sqlstore.New(r)
			sellers := sqlstore.Table[seller](watched)
			sqlstore.Table[shipment](watched)
			back := store.Condition{Through: "Shipment.seller", Any: [][]store.Condition{{is("name", store.Equal, "shipment 7")}}}
			of := is("id", store.Equal, int64(8))
			for name, c := range map[string]struct {
				where []store.Condition
				index string
			}{
				"those with a shipment": {[]store.Condition{back}, "shipments_name_idx"},
				"one with a shipment":   {[]store.Condition{of, back}, "shipments_"},
				"one with any shipment": {[]store.Condition{of, {Through: "Shipment.seller", Any: [][]store.Condition{nil}}}, "shipments_seller_idx"},
			} {
				r.statements = nil
				page, err := sellers.List(t.Context(), store.Query{Where: c.where, Limit: 30})
				if err != nil || len(page.Items) != 1 || len(r.statements) != 1 {
					t.Fatalf("%s: %d by %d statements, %v", name, len(page.Items), len(r.statements), err)
				}
				steps := explained(t, db, r.statements[0])
				if !strings.Contains(steps, c.index) || strings.Contains(steps, "SCAN shipments") || strings.Contains(steps, "SCAN sellers") || strings.Contains(steps, "Seq Scan") {
					t.Errorf("%s are searched without %s:\n%s\n%s", name, c.index, steps, r.statements[0].text)
				}
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
				query := sold(more...)
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

// BenchmarkThrough reads a page filtered by a field of a million referenced records, and one sorted by such a field,
// and the same with handwritten statements. Ratio is the store's time divided by that of the statements.
func BenchmarkThrough(b *testing.B) {
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		b.Run(database, func(b *testing.B) {
			db := made(b)
			s, r := shipments(b, db, 1_000_000)
			servedByIndexes(b, db, s, r, "of a million", sold())
			for name, c := range map[string]struct {
				query store.Query
				by    []string
			}{
				"filter": {sold(), []string{
					"SELECT COUNT(*) FROM shipments p JOIN sellers s ON s.id = p.seller WHERE s.username = {name}",
					"SELECT p.id, p.name, p.seller FROM shipments p JOIN sellers s ON s.id = p.seller WHERE s.username = {name} ORDER BY p.id LIMIT 30",
				}},
				"order": {store.Query{Order: []store.Order{{Field: "username", Through: "seller"}, {Field: "id"}}, Limit: 30}, []string{
					"SELECT p.id, p.name, p.seller, s.username FROM shipments p LEFT JOIN sellers s ON s.id = p.seller ORDER BY s.username, p.id LIMIT 30",
				}},
			} {
				b.Run(name, func(b *testing.B) {
					var by, hand time.Duration
					for b.Loop() {
						began := time.Now()
						if _, err := s.List(b.Context(), c.query); err != nil {
							b.Fatal(err)
						}
						by += time.Since(began)
						began = time.Now()
						for _, text := range c.by {
							read(b, db, text)
						}
						hand += time.Since(began)
					}
					b.ReportMetric(float64(by)/float64(hand), "ratio")
				})
			}
		})
	}
}

// read reads all rows of a statement.
func read(b *testing.B, db *sqlstore.DB, text string) {
	b.Helper()
	var args []any
	if found, place := strings.Contains(text, "{name}"), map[string]string{"sqlite": "?", "postgres": "$1"}[db.Dialect().Name()]; found {
		text, args = strings.Replace(text, "{name}", place, 1), []any{"seller 7"}
	}
	rows, err := db.Query(b.Context(), text, args...)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	selected, _, _ := strings.Cut(text, "FROM")
	columns := 1 + strings.Count(selected, ",")
	for rows.Next() {
		values := make([]any, columns)
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			b.Fatal(err)
		}
	}
}
