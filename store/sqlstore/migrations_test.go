package sqlstore_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// chestApart has a period.
type chestApart struct{ chestPlain }

func (chestApart) Constraints() []store.Constraint {
	return []store.Constraint{store.NoOverlap("id", "worth", "title")}
}

func TestPlansAreMigrationsOfTools(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			versions(t, db, change{from: chests[chestPlain], rows: "ALTER TABLE chests ADD COLUMN own INTEGER"})
			next := sqlstore.New(sqlstore.DriverOf(db))
			table := chests[chestDefault](next)
			plan, err := next.Plan(t.Context(), sqlstore.Table[owner](next), table)
			if err != nil {
				t.Fatal(err)
			}
			files, err := plan.Files("goose", at)
			if err != nil {
				t.Fatal(err)
			}
			names := slices.Sorted(maps.Keys(files))
			all := ""
			for i, name := range names {
				if want := at.Add(time.Duration(i)*time.Second).Format("20060102150405") + "_trove.sql"; name != want {
					t.Errorf("a file is named %s, want %s", name, want)
				}
				all += files[name]
			}
			for _, want := range []string{"-- +goose Up\n", "-- +goose Down\n", `ADD COLUMN "color"`, `DROP INDEX`, "-- Decide about this yourself", `-- ALTER TABLE "chests" DROP COLUMN "own";`} {
				if !strings.Contains(all, want) {
					t.Errorf("%s is not in\n%s", want, all)
				}
			}
			if outside := database == "postgres"; strings.Contains(all, "-- +goose NO TRANSACTION\n-- +goose Up") != outside {
				t.Errorf("%s", all)
			}
			if limits := strings.Count(all, "SET LOCAL lock_timeout = 1000;\n"); limits != strings.Count(all, "-- +goose Up")-strings.Count(all, "NO TRANSACTION") && database == "postgres" {
				t.Errorf("%d of %d files wait for locks for a short time\n%s", limits, len(files), all)
			}
			atlas, err := plan.Files("atlas", at)
			if err != nil || len(atlas) != len(files) {
				t.Fatalf("%d files, %v", len(atlas), err)
			}
			for _, name := range names { // the statements of the files do what Migrate does
				for statement := range strings.SplitSeq(atlas[name], ";\n") {
					if !strings.Contains(statement+"\n", "\nALTER") && !strings.Contains("\n"+statement, "\nCREATE") && !strings.Contains("\n"+statement, "\nDROP") {
						continue
					}
					if _, err := next.Exec(t.Context(), statement); err != nil {
						t.Errorf("%s: %v", statement, err)
					}
				}
			}
			if left, err := next.Plan(t.Context(), sqlstore.Table[owner](next), table); err != nil || len(left.Steps) != 1 || left.Steps[0].Safe {
				t.Errorf("after the files: %v, %v", left, err)
			}
			if _, err := plan.Files("liquibase", at); err == nil {
				t.Error("an unknown tool is no error")
			}
			if files, err := (sqlstore.Plan{}).Files("goose", at); err != nil || len(files) > 0 {
				t.Errorf("an empty plan has %d files, %v", len(files), err)
			}
		})
	}
}

func TestWhatAStructLosesCanBeDropped(t *testing.T) {
	t.Parallel()
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			versions(t, db, change{from: chests[chestIndexed]})
			next := sqlstore.New(sqlstore.DriverOf(db))
			table := chests[chestLess](next)
			whole, err := next.Plan(t.Context(), table)
			if err != nil {
				t.Fatal(err)
			}
			left, err := next.Migrate(t.Context(), table)
			if err != nil || len(left.Steps) != 2 || len(whole.Steps) != 3 {
				t.Fatalf("%v, %v; the plan was %v", left, err, whole)
			}
			for _, step := range left.Steps {
				for _, statement := range step.SQL {
					if _, err := db.Exec(t.Context(), statement); err != nil {
						t.Errorf("%s: %v", statement, err)
					}
				}
			}
			if left, err := next.Plan(t.Context(), table); err != nil || len(left.Steps) > 0 {
				t.Errorf("%v, %v", left, err)
			}
		})
	}
}

func TestThePlanOfAnEmptyDatabaseIsWhole(t *testing.T) {
	t.Parallel()
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			tables := []sqlstore.TableDefiner{sqlstore.Table[owner](db), sqlstore.Table[chestSearched](db), sqlstore.Table[chestWords](db), sqlstore.Table[chestList](db)}
			plan, err := db.Plan(t.Context(), tables...)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range plan.Steps {
				for _, statement := range step.SQL {
					if _, err := db.Exec(t.Context(), statement); err != nil {
						t.Errorf("%s: %v", statement, err)
					}
				}
			}
			if left, err := db.Plan(t.Context(), tables...); err != nil || len(left.Steps) > 0 {
				t.Errorf("%v, %v", left, err)
			}
		})
	}
}

func TestAnInvalidIndexIsCreatedAgain(t *testing.T) {
	t.Parallel()
	db := server(t)
	versions(t, db, change{from: chests[chestPlain], rows: "UPDATE chests SET title = 'same'"})
	if _, err := db.Exec(t.Context(), `CREATE UNIQUE INDEX CONCURRENTLY chests_title_key ON chests (title)`); err == nil {
		t.Fatal("duplicates can be indexed")
	}
	if _, err := db.Exec(t.Context(), "UPDATE chests SET title = 'other' WHERE id = 2"); err != nil {
		t.Fatal(err)
	}
	s := sqlstore.Table[chestUnique](db, sqlstore.Named("chests"))
	left, err := db.Migrate(t.Context(), s)
	if err = errors.Join(err, s.Check(t.Context())); err != nil || len(left.Steps) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
