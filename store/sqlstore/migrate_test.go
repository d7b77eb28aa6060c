package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// databases opens a new database of each kind.
var databases = map[string]func(testing.TB) *sqlstore.DB{"postgres": server, "sqlite": func(t testing.TB) *sqlstore.DB {
	t.Helper()
	return open(t)
}}

// These are versions of a struct, whose table is chests.
type (
	owner struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	chestPlain struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
		Worth int64  `json:"worth"`
	}
	chestPointer struct {
		chestPlain

		Note *string `json:"note"`
	}
	chestDefault struct {
		chestPlain

		Color string `json:"color" default:"it's red" api:"filter"`
		Old   bool   `json:"old"`
	}
	chestFiltered struct {
		ID    int64  `json:"id"`
		Title string `json:"title" api:"filter,sort"`
		Worth int64  `json:"worth" api:"filter=range"`
	}
	chestSearched struct {
		ID    int64  `json:"id"`
		Title string `json:"title" api:"filter=partial"`
		Worth int64  `json:"worth"`
	}
	chestWords struct {
		ID    int64  `json:"id"`
		Title string `json:"title" api:"search=fulltext"`
		Worth int64  `json:"worth"`
	}
	chestUnique struct {
		ID    int64  `json:"id"`
		Title string `json:"title" api:"unique"`
		Worth int64  `json:"worth"`
	}
	chestNullable struct {
		ID    int64   `json:"id"`
		Title *string `json:"title" api:"sort"`
		Worth int64   `json:"worth"`
	}
	chestFloat struct {
		ID    int64   `json:"id"`
		Title string  `json:"title"`
		Worth float64 `json:"worth"`
	}
	chestLess struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
	}
	chestRef struct {
		chestPlain

		Owner *int64 `json:"owner" api:"ref=Owner"`
	}
	chestOwned struct {
		chestPlain

		Owner int64 `json:"owner" api:"ref=Owner"`
	}
	chestWorthRef struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
		Worth int64  `json:"worth" api:"ref=Owner"`
	}
	chestList struct {
		chestPlain

		Owners []int64 `json:"owners" validate:"max=3" api:"ref=Owner"`
	}
	chestIndexed struct{ chestPlain }
)

func (chestIndexed) Constraints() []store.Constraint {
	return []store.Constraint{store.Index("title", "-worth")}
}

// chests returns the table of a version.
func chests[T any](db *sqlstore.DB) sqlstore.TableDefiner {
	return sqlstore.Table[T](db, sqlstore.Named("chests"))
}

// change is a change of a struct.
type change struct {
	from, to func(db *sqlstore.DB) sqlstore.TableDefiner
	rows     string // statements before the change, separated by ";"
	remains  bool   // steps remain after Migrate
	onSQLite bool   // ... on SQLite

	onPostgres bool // ... on PostgreSQL
}

var changes = map[string]change{
	"gains a pointer":                     {from: chests[chestPlain], to: chests[chestPointer]},
	"gains fields with defaults":          {from: chests[chestPlain], to: chests[chestDefault]},
	"gains filters and a sort field":      {from: chests[chestPlain], to: chests[chestFiltered]},
	"gains a period":                      {from: chests[chestPlain], to: chests[chestApart], onPostgres: true},
	"gains a period in an empty table":    {from: chests[chestPlain], to: chests[chestApart], rows: "DELETE FROM chests"},
	"gains an index":                      {from: chests[chestPlain], to: chests[chestIndexed]},
	"gains a search":                      {from: chests[chestPlain], to: chests[chestSearched]},
	"gains a search for words":            {from: chests[chestPlain], to: chests[chestWords]},
	"becomes unique":                      {from: chests[chestPlain], to: chests[chestUnique]},
	"becomes unique with duplicates":      {from: chests[chestPlain], to: chests[chestUnique], rows: "UPDATE chests SET title = 'same'", remains: true},
	"becomes a pointer":                   {from: chests[chestPlain], to: chests[chestNullable]},
	"is a pointer no more":                {from: chests[chestNullable], to: chests[chestPlain], remains: true},
	"is a pointer no more, with nulls":    {from: chests[chestNullable], to: chests[chestPlain], rows: "UPDATE chests SET title = NULL WHERE id = 2", remains: true},
	"changes its type":                    {from: chests[chestPlain], to: chests[chestFloat], remains: true},
	"loses a field":                       {from: chests[chestPlain], to: chests[chestLess], remains: true},
	"gains a reference that can be null":  {from: chests[chestPlain], to: chests[chestRef]},
	"gains a reference":                   {from: chests[chestPlain], to: chests[chestOwned], remains: true},
	"gains a reference in an empty table": {from: chests[chestPlain], to: chests[chestOwned], rows: "DELETE FROM chests"},
	"becomes a reference":                 {from: chests[chestPlain], to: chests[chestWorthRef], rows: "UPDATE chests SET worth = 1", onSQLite: true},
	"becomes a reference, and dangles":    {from: chests[chestPlain], to: chests[chestWorthRef], remains: true},
	"gains a list of references":          {from: chests[chestPlain], to: chests[chestList]},
	"has an index of an older version": {
		from: chests[chestFiltered], to: chests[chestFiltered], rows: "DROP INDEX chests_title_idx; CREATE INDEX chests_title_idx ON chests (title)",
	},
	"loses a search": {
		from: chests[chestPlain], to: chests[chestPlain], remains: true,
		rows: "ALTER TABLE chests ADD COLUMN title__folded TEXT; UPDATE chests SET title__folded = ''; ALTER TABLE chests ALTER COLUMN title__folded SET NOT NULL",
	},
	"has a column that every insert must set": {
		from: chests[chestPlain], to: chests[chestPlain], rows: "ALTER TABLE chests ADD COLUMN own INTEGER; UPDATE chests SET own = 1; ALTER TABLE chests ALTER COLUMN own SET NOT NULL", remains: true,
	},
}

func TestPlansOfChanges(t *testing.T) {
	t.Parallel()
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			for _, name := range slices.Sorted(maps.Keys(changes)) {
				db := made(t)
				if database == "postgres" { // otherwise the plan of the first search creates it
					if _, err := db.Exec(t.Context(), "CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public"); err != nil {
						t.Fatal(err)
					}
				}
				before, after, fits := migrated(t, db, changes[name])
				fmt.Fprintf(&text, "# %s\n\n%s\n", name, before)
				if left := after.String(); changes[name].remains || changes[name].onSQLite && database == "sqlite" || changes[name].onPostgres && database == "postgres" {
					fmt.Fprintf(&text, "## remains\n\n%s\n", left)
				} else if len(after.Steps) > 0 || fits != nil {
					t.Errorf("%s: after Migrate %v, Check returns %v", name, left, fits)
				}
			}
			golden := filepath.Join("testdata", "plans."+database+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(text.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), text.String()); diff != "" {
				t.Errorf("the plans differ; look at them and run the test with -update (-want +got):\n%s", diff)
			}
		})
	}
}

// migrated makes the table of a change with two rows, and migrates it. It returns the plans before and after, and the error
// of Check after.
func migrated(t *testing.T, db *sqlstore.DB, c change) (before, after sqlstore.Plan, fits error) {
	t.Helper()
	versions(t, db, c)
	// A new program declares its tables once.
	next := sqlstore.New(sqlstore.DriverOf(db))
	owners, table := sqlstore.Table[owner](next), c.to(next)
	before, err := next.Plan(t.Context(), owners, table)
	if err != nil {
		t.Fatal(err)
	}
	if after, err = next.Migrate(t.Context(), owners, table); err != nil {
		t.Fatalf("%v\n%s", err, before)
	}
	return before, after, table.(store.Checker).Check(t.Context())
}

// versions opens a database with two rows of the older version of a change.
func versions(t *testing.T, db *sqlstore.DB, c change) {
	t.Helper()
	if err := db.Create(t.Context(), sqlstore.Table[owner](db), c.from(db)); err != nil {
		t.Fatal(err)
	}
	statements := "INSERT INTO owners (id, name) VALUES (1, 'Ann'); INSERT INTO chests (id, title, worth) VALUES (1, 'Élan', 7); INSERT INTO chests (id, title, worth) VALUES (2, 'B', 8)"
	if c.rows != "" {
		statements += ";" + c.rows
	}
	for statement := range strings.SplitSeq(statements, ";") {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// An interrupted Migrate fails from one of its statements on, and leaves what the statements before have done.
func TestAnInterruptedMigrationGoesOn(t *testing.T) {
	t.Parallel()
	for database, made := range databases {
		for _, name := range []string{"gains a search", "has an index of an older version", "gains fields with defaults", "becomes a reference", "gains a list of references"} {
			t.Run(database+"/"+name, func(t *testing.T) {
				t.Parallel()
				for n := 1; ; n++ {
					db := made(t)
					versions(t, db, changes[name])
					watched, r := recorded(db)
					owners, table := sqlstore.Table[owner](watched), changes[name].to(watched)
					count := 0
					r.fail = func(statement string) error {
						isOptional := strings.HasPrefix(statement, "CREATE EXTENSION")
						if isRead := strings.HasPrefix(statement, "SELECT") || statement == "BEGIN" || statement == "COMMIT" ||
							strings.HasPrefix(statement, "SET ") && !strings.Contains(statement, ";"); isRead || isOptional {
							return nil
						}
						if count++; count >= n {
							return fmt.Errorf("interrupted before statement %d", n)
						}
						return nil
					}
					_, err := watched.Migrate(t.Context(), owners, table)
					r.fail = nil
					if err != nil && strings.Contains(err.Error(), ".: ") {
						t.Errorf("a sentence goes on after its end: %v", err)
					}
					if err == nil {
						if n < 2 {
							t.Error("nothing was interrupted")
						}
						return
					}
					left, err := watched.Migrate(t.Context(), owners, table)
					if onlyTold := changes[name].onSQLite && database == "sqlite"; err != nil || len(left.Steps) > 0 && !onlyTold {
						t.Fatalf("after %d statements: %v, %v", n-1, err, left)
					}
					if err := table.(store.Checker).Check(t.Context()); err != nil {
						t.Errorf("after %d statements: %v", n-1, err)
					}
				}
			})
		}
	}
}

func TestABackfillComputesWhatSQLCannot(t *testing.T) {
	t.Parallel()
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			versions(t, db, change{from: chests[chestPlain]})
			const rows = 2_500
			for i := 3; i <= rows; i += 500 {
				values := make([]string, 0, 500)
				for n := i; n < i+500 && n <= rows; n++ {
					values = append(values, fmt.Sprintf("(%d, 'ÄÖ %d', 1)", n, n))
				}
				if _, err := db.Exec(t.Context(), "INSERT INTO chests (id, title, worth) VALUES "+strings.Join(values, ", ")); err != nil {
					t.Fatal(err)
				}
			}
			watched, r := recorded(db)
			s := sqlstore.Table[chestSearched](watched, sqlstore.Named("chests"))
			r.fail = func(statement string) error {
				if !strings.Contains(statement, "NOT VALID") {
					return nil
				}
				_, err := db.Exec(t.Context(), "INSERT INTO chests (id, title, worth) VALUES (8000, 'Of an old program', 1)")
				return err
			}
			if _, err := watched.Migrate(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			r.fail = nil
			page, err := s.List(t.Context(), store.Query{Where: []store.Condition{is("title", store.HasPrefix, "äö")}, Limit: 1, Count: true})
			if err != nil || page.Total != rows-2 {
				t.Errorf("%d rows are found, %v", page.Total, err)
			}
			updates := 0
			for _, statement := range r.statements {
				if strings.Contains(statement.text, "= CASE WHEN") {
					updates++
				}
			}
			if updates != 10 {
				t.Errorf("%d statements fill the rows", updates)
			}
			// An old program inserts a row.
			if _, err := db.Exec(t.Context(), "INSERT INTO chests (id, title, worth) VALUES (9000, 'Über', 1)"); err != nil {
				t.Fatal(err)
			}
			if left, err := watched.Migrate(t.Context(), s); err != nil || len(left.Steps) > 0 {
				t.Fatalf("%v, %v", left, err)
			}
			page, err = s.List(t.Context(), store.Query{Where: []store.Condition{is("title", store.Contains, "ÜBER")}})
			if err != nil || len(page.Items) != 1 {
				t.Errorf("the row of an old program: %v, %v", page.Items, err)
			}
		})
	}
}

func TestAStepThatWaitsForALockDoesNotBlockWriters(t *testing.T) {
	t.Parallel()
	db := server(t)
	versions(t, db, change{from: chests[chestPlain]})
	holder, err := sqlstore.DriverOf(db).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := holder.Exec(t.Context(), "LOCK TABLE chests IN ROW EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	watched, r := recorded(db)
	attempts := make(chan struct{}, 100)
	r.fail = func(statement string) error {
		if strings.Contains(statement, "ADD COLUMN") {
			attempts <- struct{}{}
		}
		return nil
	}
	done := make(chan error, 1)
	go func() {
		_, err := watched.Migrate(t.Context(), chests[chestDefault](watched))
		done <- err
	}()
	old := sqlstore.Table[chestPlain](db, sqlstore.Named("chests"))
	for i := range 3 { // a writer saves while each attempt waits
		<-attempts
		insert(t, old, &chestPlain{ID: int64(100 + i), Title: "written"})
	}
	select {
	case err := <-done:
		t.Fatalf("Migrate returned %v in spite of the lock", err)
	default:
	}
	if err := holder.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// grown returns two struct types: the second one has more fields than the first, and more tags.
func grown(random *rand.Rand) (a, b reflect.Type) {
	type kind struct {
		typ  reflect.Type
		tags []string // that a field may gain
	}
	kinds := []kind{
		{reflect.TypeFor[string](), []string{"filter", "filter=partial", "sort", "search", "filter=start,sort"}},
		{reflect.TypeFor[*string](), []string{"filter", "filter=partial|exists", "sort", "unique", "search"}},
		{reflect.TypeFor[int64](), []string{"filter", "filter=range,sort", "sort", "index"}},
		{reflect.TypeFor[*int64](), []string{"filter", "sort", "unique"}},
		{reflect.TypeFor[bool](), []string{"filter"}},
		{reflect.TypeFor[float64](), []string{"sort"}},
		{reflect.TypeFor[time.Time](), []string{"filter=range,sort"}},
		{reflect.TypeFor[decimal](), []string{"filter=range", "sort"}},
		{reflect.TypeFor[[]string](), nil},
		{reflect.TypeFor[place](), nil},
	}
	field := func(i int, k kind, tag string) reflect.StructField {
		name := fmt.Sprintf("Field%d", i)
		return reflect.StructField{Name: name, Type: k.typ, Tag: reflect.StructTag(fmt.Sprintf(`json:"field%d" api:%q`, i, tag))}
	}
	id := reflect.StructField{Name: "ID", Type: reflect.TypeFor[int64](), Tag: `json:"id"`}
	before, after := []reflect.StructField{id}, []reflect.StructField{id}
	for i := range 2 + random.IntN(6) {
		k := kinds[random.IntN(len(kinds))]
		tag := ""
		if k.tags != nil {
			tag = k.tags[random.IntN(len(k.tags))]
		}
		if random.IntN(2) == 0 {
			before = append(before, field(i, k, ""))
		}
		after = append(after, field(i, k, tag))
	}
	if random.IntN(2) == 0 {
		after = append(after, reflect.StructField{Name: "Owner", Type: reflect.TypeFor[*int64](), Tag: `json:"owner" api:"ref=Owner,ondelete=null"`})
	}
	if random.IntN(3) == 0 {
		after = append(after, reflect.StructField{Name: "Owners", Type: reflect.TypeFor[[]int64](), Tag: `json:"owners" validate:"max=3" api:"ref=Owner"`})
	}
	return reflect.StructOf(before), reflect.StructOf(after)
}

func TestWhatAStructGainsIsMigrated(t *testing.T) {
	t.Parallel()
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(25) {
				a, b := grown(rand.New(rand.NewPCG(seed, 7)))
				db := made(t)
				older := sqlstore.TableOf(db, a, sqlstore.Named("things"))
				if err := db.Create(t.Context(), sqlstore.Table[owner](db), older); err != nil {
					t.Fatalf("%v: %v", a, err)
				}
				if err := db.Fill(t.Context(), []byte(`{"things": [{"id": 3}, {"id": 7}]}`), older); err != nil {
					t.Fatal(err)
				}
				next := sqlstore.New(sqlstore.DriverOf(db))
				owners, newer := sqlstore.Table[owner](next), sqlstore.TableOf(next, b, sqlstore.Named("things"))
				plan, err := next.Plan(t.Context(), owners, newer)
				if err != nil {
					t.Fatal(err)
				}
				left, err := next.Migrate(t.Context(), owners, newer)
				if err = errors.Join(err, newer.Check(t.Context())); err != nil || len(left.Steps) > 0 {
					t.Errorf("seed %d: %v\n%v\n%v\nafter\n%s\nremains\n%s", seed, err, a, b, plan, left)
				}
				if err := next.Fill(t.Context(), []byte(`{"owners": [{"id": 1, "name": "Ann"}]}`), owners); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
