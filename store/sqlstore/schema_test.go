package sqlstore_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestTheStatementsThatMakeATable(t *testing.T) {
	t.Parallel()
	db := open(t)
	text, err := sqlstore.DDL(sqlstore.Table[item](db), sqlstore.Table[keyed](db), sqlstore.Table[token](db, sqlstore.Named("tokens_of_ours")))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "sqlite.sql")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("the statements differ; look at them and run the test with -update (-want +got):\n%s", diff)
	}
	for statement := range strings.SplitSeq(text, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if err := sqlstore.Table[item](db).Check(t.Context()); err != nil {
		t.Errorf("a table that a migration made: %v", err)
	}
}

func TestCreateMakesWhatIsMissingAndAltersNothing(t *testing.T) {
	t.Parallel()
	db, s := made(t, &coin{Name: "a"})
	if err := db.Create(t.Context(), s, sqlstore.Table[purse](db)); err != nil {
		t.Fatal(err)
	}
	if found := all(t, s); len(found) != 1 {
		t.Errorf("the table has %d records", len(found))
	}
	type wider struct {
		coin
		More string `json:"more"`
	}
	grown := sqlstore.Table[wider](db, sqlstore.Named("coins"))
	if err := db.Create(t.Context(), grown); err != nil {
		t.Fatal(err)
	}
	if err := grown.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "the table coins has no column more TEXT for more: call db.Migrate, or run ALTER TABLE \"coins\" ADD COLUMN \"more\" TEXT NOT NULL DEFAULT ''") {
		t.Errorf("a table that lacks a column: %v", err)
	}
	if err := db.Create(t.Context(), sqlstore.Table[misfit](db)); err == nil {
		t.Error("a mistaken struct gets a table")
	}
}

// ledger is a struct that does not match the tables of TestAllDifferencesAreReported.
type ledger struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name" api:"unique,filter=partial"`
	Worth *int      `json:"worth" api:"sort"`
	Since time.Time `json:"since"`
	Done  bool      `json:"done"`
}

func TestAColumnThatIsNotFilledNeedsMigrate(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE chests (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, worth INTEGER NOT NULL, title__folded TEXT) STRICT`)
	s := sqlstore.Table[chestSearched](db, sqlstore.Named("chests"))
	want := "sqlstore: the table chests has the column title__folded, which is not filled yet: call db.Migrate, which computes it from title"
	if err := s.Check(t.Context()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := db.Migrate(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAllDifferencesAreReported(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE ledgers (id INTEGER PRIMARY KEY, nme TEXT NOT NULL, name__folded TEXT NOT NULL, worth INTEGER NOT NULL, since INTEGER NOT NULL, done INTEGER) STRICT`)
	err := sqlstore.Table[ledger](db).Check(t.Context())
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`the table ledgers has no column name TEXT for name; did you mean "nme"? Otherwise run ALTER TABLE "ledgers" ADD COLUMN "name" TEXT; UPDATE "ledgers" SET "name" = …; ALTER TABLE`,
		`the table ledgers has the column worth, which is NOT NULL, but worth can be null: call db.Migrate, or run ALTER TABLE "ledgers" ALTER COLUMN "worth" DROP NOT NULL`,
		"the table ledgers has the column since with type INTEGER; since needs TEXT: copy the rows to a new table",
		"the table ledgers has the nullable column done, but done is not a pointer: make the field a pointer, or the column NOT NULL: call db.Migrate, or run",
		"the table ledgers has no unique index on name alone, but name is unique: run CREATE UNIQUE INDEX",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in:\n%v", want, err)
		}
	}
	if n := strings.Count(err.Error(), "\n"); n != 4 {
		t.Errorf("%d lines are reported:\n%v", n+1, err)
	}
}

func TestAMissingTableSaysHowToMakeIt(t *testing.T) {
	t.Parallel()
	err := sqlstore.Table[coin](open(t)).Check(t.Context())
	want := "sqlstore: the table coins does not exist: create it with db.Create, or with a migration from sqlstore.DDL"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAMissingForeignTableIsReported(t *testing.T) {
	t.Parallel()
	err := sqlstore.Table[coin](open(t), sqlstore.Existing()).Check(t.Context())
	want := "sqlstore: the table coins does not exist: sqlstore.Existing is for a table that Trove did not create; set its name with sqlstore.Named, or leave Existing out"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// misfit has names that no table can have.
type misfit struct {
	ID    int64  `json:"id"`
	One   string `json:"one" db:"column"`
	Two   string `json:"two" db:"COLUMN"`
	Evil  string `json:"evil" db:"x\"; DROP TABLE misfits; --"`
	Extra string `json:"ids" db:"id"`
}

func TestAllErrorsOfTheStructAreReported(t *testing.T) {
	t.Parallel()
	err := sqlstore.Table[misfit](open(t), sqlstore.Named("no table")).Check(t.Context())
	for _, want := range []string{
		`Misfit: the table is named "no table"; use up to 48 letters, digits and underscores`,
		`Misfit: one and two both have the column "COLUMN"; set another name with the tag db`,
		`Misfit: the column of evil is named "x\"; DROP TABLE misfits; --"; use up to`,
		`Misfit: id and ids both have the column "id"`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in:\n%v", want, err)
		}
	}
	if err := sqlstore.Table[coin](nil).Check(t.Context()); err == nil || !strings.Contains(err.Error(), "the database is nil") {
		t.Errorf("a nil database: %v", err)
	}
	if err := sqlstore.Table[int](open(t)).Check(t.Context()); err == nil || !strings.Contains(err.Error(), "a resource must be a struct") {
		t.Errorf("a table of integers: %v", err)
	}
	broken := sqlstore.Table[misfit](open(t))
	_, get := broken.Get(t.Context(), int64(1))
	_, ddl := sqlstore.DDL(broken)
	if err := errors.Join(get, ddl); err == nil || strings.Count(err.Error(), "both have the column") < 4 {
		t.Errorf("a mistaken table is used: %v", err)
	}
}

func TestLongNamesOfIndexesStayApart(t *testing.T) {
	t.Parallel()
	type long struct {
		ID    int64  `json:"id"`
		First string `json:"first" db:"a_column_with_a_name_that_is_rather_long_one" api:"unique"`
		Other string `json:"other" db:"a_column_with_a_name_that_is_rather_long_two" api:"unique"`
	}
	db := open(t)
	s := sqlstore.Table[long](db, sqlstore.Named("a_table_with_a_name_that_is_long_too"))
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	text, err := sqlstore.DDL(s)
	if err != nil {
		t.Fatal(err)
	}
	for statement := range strings.SplitSeq(text, ";\n") {
		_, name, _ := strings.Cut(statement, `EXISTS "`)
		if name, _, _ = strings.Cut(name, `"`); len(name) > 63 {
			t.Errorf("the name %s has %d characters", name, len(name))
		}
	}
	insert(t, s, &long{First: "a", Other: "b"})
	taken := store.UniqueError{}
	if err := s.Transact(t.Context(), inserting(&long{First: "c", Other: "b"})); !errors.As(err, &taken) || taken.Field != "other" {
		t.Errorf("the second of two long names: %v", err)
	}
}

func TestAColumnThatEveryInsertWouldHaveToSetIsRejected(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		column   string
		rejected bool
	}{
		"NOT NULL without a default": {"gains TEXT NOT NULL", true},
		"with a default of null":     {"gains TEXT NOT NULL DEFAULT NULL", true},
		"that can be null":           {"gains TEXT", false},
		"with a default":             {"gains TEXT NOT NULL DEFAULT ''", false},
		"that is generated":          {"gains TEXT NOT NULL GENERATED ALWAYS AS (name)", false},
		"that the struct has":        {"Worth INTEGER NOT NULL", false},
		"that is the rowid":          {"gains INTEGER NOT NULL PRIMARY KEY", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id := "id INTEGER NOT NULL PRIMARY KEY"
			if strings.Contains(test.column, "PRIMARY") {
				id = "id INTEGER NOT NULL UNIQUE DEFAULT 7"
			}
			worth := ", worth INTEGER NOT NULL"
			if strings.HasPrefix(test.column, "Worth") {
				worth = ""
			}
			s := sqlstore.Table[coin](open(t, `CREATE TABLE coins (`+id+`, name TEXT NOT NULL UNIQUE`+worth+", "+test.column+`) STRICT`))
			const want = `the table coins has the column gains, which is NOT NULL without a default and which Coin does not use, so every insert would fail: ` +
				`drop the column; or call db.Migrate, or run ALTER TABLE "coins" ALTER COLUMN "gains" DROP NOT NULL`
			if err := s.CheckInserts(t.Context()); test.rejected != (err != nil) || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%v", err)
			}
			err := s.Transact(t.Context(), inserting(&coin{ID: 1, Name: "a"}))
			if test.rejected != (err != nil) || errors.Is(err, store.ErrConflict) {
				t.Errorf("an insert: %v", err)
			}
		})
	}
}

func TestTheAdviceForAColumnThatIsNoLongerUsedWorks(t *testing.T) {
	t.Parallel()
	for _, advice := range []string{`ALTER TABLE coins DROP COLUMN gains`, `ALTER TABLE "coins" ALTER COLUMN "gains" DROP NOT NULL`} {
		db := open(t, `CREATE TABLE coins (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, worth INTEGER NOT NULL, gains TEXT NOT NULL) STRICT`,
			`INSERT INTO coins (name, worth, gains) VALUES ('a', 1, 'some')`)
		s := sqlstore.Table[coin](db)
		if err := s.Transact(t.Context(), updating(int64(1), func(c *coin) { c.Worth = 2 })); err != nil {
			t.Errorf("an update, which needs no advice: %v", err)
		}
		if _, err := db.Exec(t.Context(), advice); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Check(t.Context()), s.CheckInserts(t.Context()), s.Transact(t.Context(), inserting(&coin{Name: "b"}))); err != nil {
			t.Errorf("after %s: %v", advice, err)
		}
	}
}

// A client cannot send a null that the struct does not allow.
func TestANullThatTheTableRejectsIsNoConflict(t *testing.T) {
	t.Parallel()
	db, s := made(t, &coin{Name: "a"})
	err := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[coin]) error {
		executor, _ := sqlstore.Tx(ctx)
		_, err := executor.Exec(ctx, `UPDATE coins SET worth = NULL`)
		return err
	})
	if err == nil || errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("%v", err)
	}
	if err := sqlstore.Table[coin](db).Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestATableOfAListWithAColumnThatEveryInsertWouldHaveToSetIsRejected(t *testing.T) {
	t.Parallel()
	type pocket struct {
		ID    int64   `json:"id"`
		Coins []int64 `json:"coins" validate:"max=5" api:"ref=coin"`
	}
	db := open(t)
	coins, pockets := sqlstore.Table[coin](db), sqlstore.Table[pocket](db)
	if err := db.Create(t.Context(), coins, pockets); err != nil {
		t.Fatal(err)
	}
	if err := pockets.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`ALTER TABLE pockets_coins ADD COLUMN since TEXT`, `ALTER TABLE pockets_coins ALTER COLUMN since SET NOT NULL`} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := pockets.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "the table pockets_coins has the column since, which is NOT NULL") {
		t.Errorf("%v", err)
	}
}

// song references band with a column that was an integer before.
type band struct {
	ID int64 `json:"id"`
}

type song struct {
	ID   int64   `json:"id"`
	Band int64   `json:"band" api:"ref=Band"`
	By   []int64 `json:"by" validate:"max=3" api:"ref=Band"`
}

const songs = `CREATE TABLE songs (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, band INTEGER NOT NULL) STRICT`

func TestAMissingForeignKeyIsAdvised(t *testing.T) {
	t.Parallel()
	db := open(t, songs, `INSERT INTO songs (band) VALUES (1)`)
	bands, s := sqlstore.Table[band](db), sqlstore.Table[song](db)
	if err := db.Create(t.Context(), bands, s); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("such a table works as before: %v", err)
	}
	advice, err := s.Advise(t.Context())
	if err != nil || len(advice) != 1 {
		t.Fatalf("%q, %v", advice, err)
	}
	const constraint = `CONSTRAINT "songs_band_fkey" FOREIGN KEY ("band") REFERENCES "bands" ("id")`
	for _, want := range []string{"the table songs has no foreign key on band, so it can refer to rows of bands that do not exist", constraint, `"Add a foreign key"`} {
		if !strings.Contains(advice[0], want) {
			t.Errorf("no mention of %s in %s", want, advice[0])
		}
	}
	// These are the statements that the guide shows.
	for _, statement := range []string{
		`INSERT INTO bands (id) VALUES (1)`,
		`CREATE TABLE new_songs (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, band INTEGER NOT NULL, ` + constraint + `) STRICT`,
		`INSERT INTO new_songs SELECT id, band FROM songs`, `DROP TABLE songs`, `ALTER TABLE new_songs RENAME TO songs`,
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Create(t.Context(), bands, s); err != nil {
		t.Fatal(err)
	}
	if advice, err := s.Advise(t.Context()); err != nil || advice != nil {
		t.Errorf("after the advice: %q, %v", advice, err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestForeignTablesGetNoAdvice(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE songs (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, band INTEGER NOT NULL, by TEXT NOT NULL) STRICT`)
	bands := sqlstore.Table[band](db)
	if err := db.Create(t.Context(), bands); err != nil {
		t.Fatal(err)
	}
	elsewhere := open(t, songs)
	other := sqlstore.Table[song](elsewhere)
	if err := elsewhere.Create(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*sqlstore.Store[song]{
		"a foreign table":               sqlstore.Table[song](db, sqlstore.Existing()),
		"a table of another database's": other,
	} {
		if advice, err := s.Advise(t.Context()); err != nil || advice != nil {
			t.Errorf("%s: %q, %v", name, advice, err)
		}
	}
}
