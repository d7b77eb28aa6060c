package postgres_test

import (
	"context"
	"crypto/rand"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/storetest"
)

// products are the products whose SQL differs from PostgreSQL's, each with what its version() returns.
var products = map[string]string{
	"CockroachDB": "CockroachDB CCL v26.3.0 (x86_64-pc-linux-gnu, built 2026/06/01 00:00:00, go1.25.5)",
	"YugabyteDB":  "PostgreSQL 15.12-YB-2025.2.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 17.0.6, 64-bit",
}

// unsupported are the constructs that PostgreSQL has and a product does not, or only with restrictions, with the pages of its
// documentation that say so.
var unsupported = []struct {
	construct, pattern string
	by                 map[string]string
}{
	{"collations of columns", `(?i)\bCOLLATE\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/collate: values of such a column compare with values of the same collation only",
	}},
	{"exclusion constraints", `(?i)\bEXCLUDE USING\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/constraints",
		"YugabyteDB":  "https://github.com/yugabyte/yugabyte-db/issues/3944",
	}},
	{"range types", `(?i)range\(|\bAS RANGE\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/postgresql-compatibility#postgresql-range-types",
	}},
	{"indexes of GiST", `(?i)\bUSING gist\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/create-index: for spatial indexes only",
		"YugabyteDB":  "https://github.com/yugabyte/yugabyte-db/issues/1337",
	}},
	{"indexes of GIN", `(?i)\bUSING gin\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/trigram-indexes: the catalog of operator classes is not documented",
		"YugabyteDB":  "https://docs.yugabyte.com/stable/explore/ysql-language-features/indexes-constraints/gin/#limitations: some searches return errors",
	}},
	{"extensions", `(?i)\bCREATE EXTENSION\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/sql-statements",
	}},
	{"locks of tables", `(?i)\bLOCK TABLE\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/sql-statements",
		"YugabyteDB":  "https://github.com/yugabyte/yugabyte-db/issues/5384",
	}},
	{"advisory locks", `(?i)\bpg_(try_)?advisory`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/postgresql-compatibility#other-unsupported-features: the functions do nothing",
		"YugabyteDB":  "https://docs.yugabyte.com/stable/explore/transactions/explicit-locking/#advisory-locks: since 2.25.1, with flags of the cluster",
	}},
	{"skipping of locked rows", `(?i)\bSKIP LOCKED\b`, map[string]string{
		"YugabyteDB": "https://docs.yugabyte.com/stable/architecture/transactions/concurrency-control/: not in serializable transactions",
	}},
	{"notifications", `(?i)^\s*(LISTEN|NOTIFY)\b|\bpg_notify\b`, map[string]string{
		"CockroachDB": "https://github.com/cockroachdb/cockroach/issues/41522",
		"YugabyteDB":  "https://github.com/yugabyte/yugabyte-db/issues/1872",
	}},
	{"temporary tables of a transaction", `(?i)\bON COMMIT DROP\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/temporary-tables",
	}},
	{"deferrable constraints", `(?i)\bDEFERRABLE\b`, map[string]string{
		"CockroachDB": "https://www.cockroachlabs.com/docs/v26.3/constraints",
		"YugabyteDB":  "https://github.com/yugabyte/yugabyte-db/issues/1709",
	}},
}

// found returns the constructs of a statement that a product does not support. "" means any product.
func found(product, statement string) (constructs []string) {
	for _, u := range unsupported {
		if _, lacks := u.by[product]; (lacks || product == "") && regexp.MustCompile(u.pattern).MatchString(statement) {
			constructs = append(constructs, u.construct)
		}
	}
	return constructs
}

// recorder collects the distinct statements of databases.
type recorder struct {
	mu         sync.Mutex
	statements map[string]bool
}

func (r *recorder) Begin(ctx context.Context, s sqlstore.Statement) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements[s.Text] = true
	return ctx
}

func (*recorder) End(context.Context, sqlstore.Statement, sqlstore.Result) {}

// collated creates a database whose strings compare by their bytes, as those of CockroachDB do, and returns a function that
// creates a schema in which version() returns a text.
func collated(t *testing.T) func(t *testing.T, version string) string {
	t.Helper()
	name := "trove_test_" + strings.ToLower(rand.Text())
	administer(t, server(t), "CREATE DATABASE "+name+" TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'")
	t.Cleanup(func() { administer(t, server(t), "DROP DATABASE "+name+" WITH (FORCE)") })
	dsn := with(server(t), "dbname", name)
	return func(t *testing.T, version string) string {
		t.Helper()
		own := "trove_test_" + strings.ToLower(rand.Text())
		administer(t, dsn, "CREATE SCHEMA "+own)
		if version != "" {
			administer(t, dsn, "CREATE FUNCTION "+own+".version() RETURNS text LANGUAGE sql AS $$ SELECT '"+version+"'::text $$")
		}
		return with(dsn, "search_path", own+",pg_catalog,public")
	}
}

// everyStatement runs what a store does, and returns the statements. Without queries it is four times as fast.
func everyStatement(t *testing.T, queries bool, open func(t *testing.T) *sqlstore.DB) map[string]bool {
	t.Helper()
	seen := &recorder{statements: map[string]bool{}}
	observed := func(t *testing.T) *sqlstore.DB {
		t.Helper()
		db := open(t)
		db.Observe(seen)
		return db
	}
	t.Run("conformance", func(t *testing.T) {
		s := storetest.Suite[*sqlstore.DB]{Create: create, Open: observed}
		s.Integers, s.Strings, s.UUIDs, s.Pairs = declared, declared, declared, declared
		s.Constraints, s.Stamps, s.Changes, s.Log, s.Words, s.Responses, s.Trash = declared, declared, declared, declared, declared, declared, declared
		if queries {
			s.Values, s.Queries, s.Through, s.Lists = declared, declared, declared, declared
			s.Deletes.Integers, s.Deletes.Strings = declared, declared
		}
		s.Run(t)
	})
	t.Run("migration", func(t *testing.T) { evolve(t, observed(t)) })
	t.Run("filling", func(t *testing.T) {
		db := observed(t)
		tables := sqlstore.Table[guest](db)
		create(t, db, tables)
		if err := db.Fill(t.Context(), []byte(`{"guests":[{"id":1,"guest":"Ada"}]}`), tables); err != nil {
			t.Fatal(err)
		}
	})
	return seen.statements
}

// guest is a record whose table gains columns of every kind.
type guest struct {
	ID    int64  `json:"id"`
	Guest string `json:"guest"`
}

// stay is a guest of a later version of the program.
type stay struct {
	ID     int64      `json:"id"`
	Guest  string     `json:"guest" api:"filter=partial,sort"`
	Story  string     `json:"story" api:"search=fulltext"`
	Room   int64      `json:"room" api:"filter=exact"`
	From   *time.Time `json:"from"`
	To     *time.Time `json:"to"`
	Secret []string   `json:"secret"`
}

func (stay) Constraints() []store.Constraint {
	return []store.Constraint{store.NoOverlap("from", "to", "room")}
}

// evolve makes a table of guests one of stays, by several programs at once.
func evolve(t *testing.T, programs ...*sqlstore.DB) {
	t.Helper()
	db := programs[0]
	before, after := sqlstore.Table[guest](db, sqlstore.Named("stays")), sqlstore.Table[stay](db)
	create(t, db, before)
	addTo(t.Context(), t, before, &guest{Guest: "Ada"})
	for _, err := range together(len(programs), func(i int) error {
		_, err := programs[i].Migrate(impatient(t), sqlstore.Table[stay](programs[i]))
		return err
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	plan, err := db.Plan(t.Context(), after)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range plan.Steps { // of a person
		for _, statement := range step.SQL {
			exec(t.Context(), t, db, statement)
		}
	}
	if plan, err := db.Plan(t.Context(), after); err != nil || len(plan.Steps) > 0 {
		t.Fatalf("%v\n%s", err, plan)
	}
	if err := after.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAProductGetsNoStatementItDoesNotSupport(t *testing.T) {
	t.Parallel()
	direct(t)
	schemas := collated(t)
	for name, version := range products {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statements := everyStatement(t, true, func(t *testing.T) *sqlstore.DB { t.Helper(); return open(t, schemas(t, version)) })
			for statement := range statements {
				if constructs := found(name, statement); constructs != nil {
					t.Errorf("has %s: %s", strings.Join(constructs, ", "), statement)
				}
			}
			if len(statements) < 300 {
				t.Errorf("only %d statements were seen", len(statements))
			}
		})
	}
}

// A pattern that matches nothing in PostgreSQL would find nothing in others.
func TestEachConstructWithASwitchIsUsedOnPostgreSQL(t *testing.T) {
	t.Parallel()
	direct(t)
	schemas := collated(t)
	used := map[string]bool{}
	statements := everyStatement(t, false, func(t *testing.T) *sqlstore.DB { t.Helper(); return open(t, schemas(t, "")) })
	statements[postgres.Probe] = true
	for statement := range statements {
		for _, construct := range found("", statement) {
			used[construct] = true
		}
	}
	want := []string{
		"advisory locks", "collations of columns", "exclusion constraints", "extensions", "indexes of GIN", "indexes of GiST",
		"locks of tables", "range types", "skipping of locked rows", "temporary tables of a transaction",
	}
	if got := slices.Sorted(maps.Keys(used)); !slices.Equal(got, want) {
		t.Errorf("PostgreSQL gets %q, want %q", got, want)
	}
}
