package versioned_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ariga.io/atlas/sql/migrate"
	atlaspostgres "ariga.io/atlas/sql/postgres"
	"ariga.io/atlas/sql/schema"
	atlassqlite "ariga.io/atlas/sql/sqlite"
	_ "github.com/jackc/pgx/v5/stdlib" // for goose and Atlas
	"github.com/pressly/goose/v3"

	"github.com/trove-api/trove/examples/howto/versioned"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

// opened is a database, opened by Trove and by database/sql.
type opened struct {
	*sqlstore.DB

	plain      *sql.DB
	isPostgres bool
}

// each runs a test on SQLite and, if TROVE_TEST_POSTGRES has the URL of a server, in a database of its own on PostgreSQL.
func each(t *testing.T, test func(t *testing.T, db opened)) {
	t.Helper()
	open := func(t *testing.T, driver, dsn string) opened {
		t.Helper()
		db, err := database.Open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := sql.Open(driver, dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = db.Close(), plain.Close() })
		return opened{db, plain, driver == "pgx"}
	}
	t.Run("SQLite", func(t *testing.T) { test(t, open(t, "sqlite", filepath.Join(t.TempDir(), "lamps.db"))) })
	t.Run("PostgreSQL", func(t *testing.T) {
		dsn := os.Getenv("TROVE_TEST_POSTGRES")
		if dsn == "" {
			t.Skip("TROVE_TEST_POSTGRES is not set")
		}
		name := "howto_" + strings.ToLower(rand.Text())
		admin := open(t, "pgx", dsn)
		if _, err := admin.plain.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, _ = admin.plain.ExecContext(context.WithoutCancel(t.Context()), "DROP DATABASE "+name+" WITH (FORCE)")
		})
		test(t, open(t, "pgx", strings.Replace(dsn, "/postgres?", "/"+name+"?", 1)))
	})
}

// write writes the plan of a table as migrations into a folder.
func write(t *testing.T, folder, tool string, db opened, table sqlstore.TableDefiner, at time.Time) {
	t.Helper()
	plan, err := db.Plan(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	files, err := plan.Files(tool, at)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// evolve writes and runs the migrations of both versions, with records of the first one.
func evolve(t *testing.T, db opened, tool, folder string, up func()) {
	t.Helper()
	first := sqlstore.Table[versioned.Lamp](db.DB, sqlstore.Named("lamps"))
	write(t, folder, tool, db, first, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	up()
	if err := first.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.Insert(t.Context(), first, &versioned.Lamp{Name: "Élan"}, &versioned.Lamp{Name: "b"}); err != nil {
		t.Fatal(err)
	}
	second := sqlstore.Table[versioned.LampWithColor](db.DB, sqlstore.Named("lamps"))
	write(t, folder, tool, db, second, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	up()
	left, err := db.Plan(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range left.Steps { // Go computes the column of the search
		if step.Phase != "backfill" && !strings.HasPrefix(step.Purpose, "Make the column name__folded") {
			t.Errorf("the files leave %q", step.Purpose)
		}
	}
	if len(left.Steps) == 0 || len(left.Steps) > 3 {
		t.Errorf("the files leave\n%s", left)
	}
}

// complete lets Go compute what the tools cannot, and checks that nothing is left.
func complete(t *testing.T, db opened) {
	t.Helper()
	table := sqlstore.Table[versioned.LampWithColor](db.DB, sqlstore.Named("lamps"))
	if left, err := db.Migrate(t.Context(), table); err != nil || len(left.Steps) > 0 {
		t.Fatalf("%v\n%s", err, left)
	}
	if err := table.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	found, err := store.List(t.Context(), table, store.Condition{Fields: []string{"name"}, Operator: store.Contains, Values: []any{"éL"}})
	if err != nil || len(found) != 1 || found[0].Color != "it's white" {
		t.Errorf("%v, %v", found, err)
	}
}

func TestGooseRunsTheMigrationsUpAndDown(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db opened) {
		t.Helper()
		dialect, folder := goose.DialectSQLite3, t.TempDir()
		if db.isPostgres {
			dialect = goose.DialectPostgres
		}
		provider := func() *goose.Provider {
			p, err := goose.NewProvider(dialect, db.plain, os.DirFS(folder))
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		evolve(t, db, "goose", folder, func() {
			if _, err := provider().Up(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
		complete(t, db)
		if _, err := provider().DownTo(t.Context(), 20260102000000); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Migrate(t.Context(), sqlstore.Table[versioned.LampWithColor](db.DB, sqlstore.Named("lamps"))); err != nil {
			t.Fatal(err)
		}
		complete(t, db)
	})
}

func TestAtlasRunsTheMigrations(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db opened) {
		t.Helper()
		folder := t.TempDir()
		open := atlassqlite.Open
		if db.isPostgres {
			open = atlaspostgres.Open
		}
		driver, err := open(schema.ExecQuerier(db.plain))
		if err != nil {
			t.Fatal(err)
		}
		revisions := &revisions{all: map[string]*migrate.Revision{}}
		evolve(t, db, "atlas", folder, func() {
			files, err := migrate.NewLocalDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			sum, err := files.Checksum() // as atlas migrate hash does
			if err == nil {
				err = migrate.WriteSumFile(files, sum)
			}
			if err == nil {
				err = migrate.Validate(files)
			}
			if err != nil {
				t.Fatal(err)
			}
			executor, err := migrate.NewExecutor(driver, files, revisions, migrate.WithAllowDirty(true))
			if err == nil {
				err = executor.ExecuteN(t.Context(), 0)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		complete(t, db)
	})
}
