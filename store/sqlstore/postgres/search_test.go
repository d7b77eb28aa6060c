package postgres_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// barrel is searched in two fields.
type barrel struct {
	ID     int64   `json:"id"`
	Name   string  `json:"name" api:"filter=partial,search"`
	Note   *string `json:"note" api:"search"`
	Code   string  `json:"code" api:"filter=start"`
	Word   string  `json:"word" api:"filter=word_start"`
	Public bool    `json:"public"`
}

// explaining is a driver that keeps the plans of what it reads.
type explaining struct {
	sqlstore.Driver

	mu    sync.Mutex
	plans []string
}

func (e *explaining) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	if strings.HasPrefix(statement, "SELECT") && strings.Contains(statement, `"barrels"`) {
		rows, err := e.Driver.Query(ctx, "EXPLAIN "+statement, args...)
		if err != nil {
			return nil, err
		}
		var plan strings.Builder
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				return nil, err
			}
			plan.WriteString(line + "\n")
		}
		if err := rows.Close(); err != nil {
			return nil, err
		}
		e.mu.Lock()
		e.plans = append(e.plans, plan.String())
		e.mu.Unlock()
	}
	return e.Driver.Query(ctx, statement, args...)
}

func TestSearchesAreServedByIndexes(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	driver := &explaining{Driver: connectTo(t, dsn)}
	db := sqlstore.New(driver)
	barrels := table[barrel](t, db)
	exec(t.Context(), t, db, `INSERT INTO barrels (name, name__folded, note, note__folded, code, code__folded, word, word__folded, public)
		SELECT 'Crate ' || h, 'crate ' || h, 'Note ' || h, 'note ' || h, n, n::text, 'word ' || h, 'a word ' || h, n % 2 = 0 FROM (SELECT n, md5(n::text) AS h FROM generate_series(1, 20000) AS g(n)) AS rows`)
	administer(t, dsn, "VACUUM ANALYZE barrels")
	seen := access.Rules{Read: access.Where("public", true), Create: access.Public, Update: access.Public, Delete: access.Public}
	api, err := resource.New(resource.Config{}, resource.Of[barrel]{
		Store: barrels, Access: seen, Operations: []operation.Operation{operation.GetCollection{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	name, note := "barrels_name__folded_trgm", "barrels_note__folded_trgm"
	for request, indexes := range map[string][]string{
		"name=zzzz":               {name},
		"name=zzzz&cursor=":       {name},
		"name=c4ca4238&cursor=":   {name},
		"q=zzzz":                  {name, note, "BitmapOr"},
		"q=zzzz&cursor=":          {name, note, "BitmapOr"},
		"q=c4ca+4238a0&page=2":    {name, note, "BitmapOr"},
		"code=1234":               {"barrels_code__folded_idx"},
		"word=c4ca4238":           {"barrels_word__folded_trgm"},
		"name=_____%25%25&word=x": {""},
	} {
		driver.plans = nil
		response := httptest.NewRecorder()
		api.ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), "GET", "/api/barrels?"+request, nil))
		if response.Code != 200 || len(driver.plans) == 0 {
			t.Errorf("%s: %d %s", request, response.Code, response.Body)
		}
		for _, plan := range driver.plans {
			for _, index := range indexes {
				if !strings.Contains(plan, index) || indexes[0] != "" && (strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "barrels_pkey")) {
					t.Errorf("%s does not use %s alone:\n%s", request, index, plan)
				}
			}
		}
	}
	driver.plans = nil
	response := httptest.NewRecorder()
	api.ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), "GET", "/api/barrels?name=crate&cursor=", nil))
	if plan := strings.Join(driver.plans, ""); !strings.Contains(plan, "Scan using barrels_pkey") {
		t.Errorf("a page of what most records have is not read in its order:\n%s", plan)
	}
}

func TestSearchesFindTheSameWithAndWithoutIndexes(t *testing.T) {
	t.Parallel()
	db := open(t, schema(t))
	barrels := table[barrel](t, db)
	texts := []string{"", "%", "_", `\`, `\\`, `a%b`, `a_b`, `A\b`, `a\%b`, "É", "ſtraße", "K", "a b", " a", "a  b", "🙂🙂", "e\u0301", "'", `"`, "$1", "aaab"}
	for _, text := range texts {
		addTo(impatient(t), t, barrels, &barrel{Name: text, Word: text, Code: text})
	}
	for _, scan := range []string{"on", "off"} {
		if scan == "off" {
			exec(t.Context(), t, db, "DROP INDEX barrels_name__folded_trgm, barrels_word__folded_trgm, barrels_code__folded_idx")
		}
		for _, part := range append(texts, "\x00", "\xff", "%%", "__", "aab", "B", "ß") {
			for _, operator := range []store.Operator{store.Contains, store.HasPrefix, store.HasSuffix, store.HasWordPrefix, store.EqualFold} {
				page, err := barrels.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"name"}, Operator: operator, Values: []any{part}}}})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, found := range page.Items {
					got = append(got, found.Name)
				}
				if want := matching(texts, operator, part); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("index %s: %s %q finds %q, want %q", scan, operator, part, got, want)
				}
			}
		}
	}
}

// matching returns the texts that match, as Go compares them.
func matching(texts []string, operator store.Operator, part string) (found []string) {
	compare := map[store.Operator]func(text, part string) bool{
		store.Contains: strings.Contains, store.HasPrefix: strings.HasPrefix, store.HasSuffix: strings.HasSuffix, store.EqualFold: strings.EqualFold,
		store.HasWordPrefix: func(text, part string) bool { return strings.Contains(" "+text, " "+part) },
	}[operator]
	for _, text := range texts {
		if part != "\x00" && part != "\xff" && compare(store.Fold(text), store.Fold(part)) {
			found = append(found, text)
		}
	}
	return found
}

func TestATableWithoutAnIndexForSearchesIsAdvice(t *testing.T) {
	t.Parallel()
	direct(t)
	base, name := server(t), "trove_test_"+strings.ToLower(rand.Text())
	administer(t, base, "CREATE DATABASE "+name, "CREATE ROLE "+name+" LOGIN PASSWORD 'secret'")
	t.Cleanup(func() { administer(t, base, "DROP DATABASE "+name+" WITH (FORCE)", "DROP ROLE "+name) })
	dsn := with(base, "dbname", name)
	administer(t, dsn, "CREATE SCHEMA app", "GRANT USAGE, CREATE ON SCHEMA app TO "+name)
	db := open(t, with(with(with(dsn, "user", name), "password", "secret"), "search_path", "app"))
	barrels := table[barrel](t, db)
	advice, err := barrels.Advise(t.Context())
	if err != nil || len(advice) != 3 || !strings.Contains(advice[0], `: run CREATE EXTENSION IF NOT EXISTS pg_trgm; DROP INDEX CONCURRENTLY IF EXISTS "barrels_name__folded_trgm"; CREATE INDEX CONCURRENTLY`) {
		t.Fatalf("a role that cannot create the extension gets %q (%v)", advice, err)
	}
	text := "A_b"
	addTo(impatient(t), t, barrels, &barrel{Name: text, Note: &text})
	if page, err := barrels.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"name", "note"}, Operator: store.Contains, Values: []any{"a_B"}}}}); err != nil || len(page.Items) != 1 {
		t.Errorf("without the extension a search finds %v (%v)", page.Items, err)
	}
	for _, line := range advice { // another schema than that of the table
		_, statements, _ := strings.Cut(line, ": run ")
		for statement := range strings.SplitSeq(statements, "; ") {
			administer(t, with(dsn, "search_path", "app,public"), strings.Replace(statement, "pg_trgm", "pg_trgm SCHEMA public", 1))
		}
	}
	if advice, err := barrels.Advise(t.Context()); err != nil || len(advice) != 0 {
		t.Errorf("once it was followed, the advice is %q (%v)", advice, err)
	}
	administer(t, dsn, "DROP INDEX app.barrels_note__folded_trgm")
	if err := db.Create(t.Context(), barrels); err != nil {
		t.Error(err)
	}
	if advice, err := barrels.Advise(t.Context()); err != nil || len(advice) != 1 || !strings.Contains(advice[0], "searches in note") ||
		!strings.Contains(advice[0], `USING gin ("note__folded" public.gin_trgm_ops)`) {
		t.Errorf("the advice on an existing table is %q (%v)", advice, err)
	}
	administer(t, dsn, `CREATE INDEX of_their_own ON app.barrels USING gist (note__folded public.gist_trgm_ops)`)
	if advice, err := barrels.Advise(t.Context()); err != nil || len(advice) != 0 {
		t.Errorf("with an index by another name the advice is %q (%v)", advice, err)
	}
}

func TestMigrateCreatesTheExtensionThatAPlanLacks(t *testing.T) {
	t.Parallel()
	direct(t)
	base, name := server(t), "trove_test_"+strings.ToLower(rand.Text())
	administer(t, base, "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, base, "DROP DATABASE "+name+" WITH (FORCE)") })
	dsn := with(base, "dbname", name)
	db := open(t, dsn)
	barrels := sqlstore.Table[barrel](db)
	plan, err := db.Plan(t.Context(), barrels)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range plan.Steps {
		administer(t, dsn, step.SQL...)
	}
	if left, err := db.Plan(t.Context(), barrels); err != nil || len(left.Steps) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if advice, err := barrels.Advise(t.Context()); err != nil || len(advice) != 3 {
		t.Errorf("without the extension the advice is %q (%v)", advice, err)
	}
	if left, err := db.Migrate(t.Context(), barrels); err != nil || len(left.Steps) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if advice, err := barrels.Advise(t.Context()); err != nil || len(advice) != 0 {
		t.Errorf("the advice is %q (%v)", advice, err)
	}
}

func TestDDLCreatesTheExtensionOfSearches(t *testing.T) {
	t.Parallel()
	direct(t)
	base, name := server(t), "trove_test_"+strings.ToLower(rand.Text())
	administer(t, base, "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, base, "DROP DATABASE "+name+" WITH (FORCE)") })
	dsn := with(base, "dbname", name)
	barrels := sqlstore.Table[barrel](open(t, dsn))
	text, err := sqlstore.DDL(barrels)
	if err != nil {
		t.Fatal(err)
	}
	administer(t, dsn, text)
	if err := barrels.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if advice, err := barrels.Advise(t.Context()); err != nil || len(advice) != 0 {
		t.Errorf("the advice is %q (%v)", advice, err)
	}
}
