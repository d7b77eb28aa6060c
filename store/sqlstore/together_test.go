package sqlstore_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func TestProgramsThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	db := server(t)
	c := changes["gains filters and a sort field"]
	versions(t, db, c)
	_, r := recorded(db)
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			own := sqlstore.New(r)
			if left, err := own.Migrate(t.Context(), sqlstore.Table[owner](own), c.to(own)); err != nil || len(left.Steps) > 0 {
				t.Errorf("%v, %v", left, err)
			}
		})
	}
	group.Wait()
	created := 0
	for _, statement := range r.statements {
		if strings.HasPrefix(statement.text, "CREATE INDEX") {
			created++
		}
	}
	if created != 2 {
		t.Errorf("%d indexes are created", created)
	}
}

func TestProgramsWithOneFileMigrateTogether(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "chests.db")
	opened := func() *sqlstore.DB {
		db, err := sqlite.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	c := changes["gains fields with defaults"]
	versions(t, opened(), c)
	var group sync.WaitGroup
	for range 4 {
		own := opened()
		group.Go(func() {
			if left, err := own.Migrate(t.Context(), sqlstore.Table[owner](own), c.to(own)); err != nil || len(left.Steps) > 0 {
				t.Errorf("%v, %v", left, err)
			}
		})
	}
	group.Wait()
}

func TestNoTwoTablesNeedAnIndexWithTheSameName(t *testing.T) {
	t.Parallel()
	type group struct {
		ID   int64  `json:"id"`
		Name string `json:"name" api:"unique"`
	}
	type user struct {
		ID    int64  `json:"id"`
		Group string `json:"group" db:"group_name" api:"unique"`
	}
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			users, groups := sqlstore.Table[user](db, sqlstore.Named("users")), sqlstore.Table[group](db, sqlstore.Named("users_group"))
			_, err := db.Migrate(t.Context(), users, groups)
			const want = "the tables users and users_group both need an index with the name users_group_name_key: " +
				"set another name for a column with the tag db, or for a table with sqlstore.Named"
			for _, err := range []error{err, db.Create(t.Context(), users, groups)} {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Error(err)
				}
			}
			// The other table is that of another program.
			if err := db.Create(t.Context(), users); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(t.Context(), "CREATE TABLE users_group (id BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL)"); err != nil {
				t.Fatal(err)
			}
			left, err := db.Migrate(t.Context(), groups)
			if err == nil && !strings.Contains(left.String(), "Another table has an index with the name users_group_name_key") || err != nil && database == "postgres" {
				t.Errorf("%v, %v", left, err)
			}
			if err := users.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheCheckOfAnInterruptedMigrationIsDropped(t *testing.T) {
	t.Parallel()
	type nullable struct {
		ID    int64   `json:"id"`
		Title *string `json:"title" db:"a_title_with_a_name_of_more_than_forty_letters"`
	}
	type required struct {
		ID    int64  `json:"id"`
		Title string `json:"title" db:"a_title_with_a_name_of_more_than_forty_letters"`
	}
	for _, stop := range []string{"VALIDATE", "SET NOT NULL", "the end"} {
		db := server(t)
		before := sqlstore.Table[nullable](db, sqlstore.Named("chests"))
		if err := db.Create(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		watched, r := recorded(db)
		last := false
		r.fail = func(statement string) error {
			isLast := last && stop == "the end"
			if last = strings.Contains(statement, "SET NOT NULL"); isLast || strings.Contains(statement, stop) {
				return errors.New("interrupted")
			}
			return nil
		}
		if _, err := watched.Migrate(t.Context(), sqlstore.Table[required](watched, sqlstore.Named("chests"))); err == nil && stop != "the end" {
			t.Fatalf("%s: not interrupted", stop)
		}
		if _, err := db.Migrate(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		if err := before.Transact(t.Context(), inserting(&nullable{})); err != nil {
			t.Errorf("before %s: a program of before stores null: %v", stop, err)
		}
		if n := one[int64](t, db, "SELECT count(*) FROM pg_constraint WHERE conrelid = 'chests'::regclass AND contype = 'c'"); n > 0 {
			t.Errorf("before %s: %d checks are left", stop, n)
		}
	}
}

func TestAStepThatFailsRunsOnce(t *testing.T) {
	t.Parallel()
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			versions(t, db, changes["gains a pointer"])
			watched, r := recorded(db)
			ran, failed := 0, errors.New("the disk is made of cheese")
			r.fail = func(statement string) error {
				if !strings.Contains(statement, "ADD COLUMN") {
					return nil
				}
				ran++
				return failed
			}
			_, err := watched.Migrate(t.Context(), sqlstore.Table[owner](watched), changes["gains a pointer"].to(watched))
			if want := "Add the column note to chests: "; !errors.Is(err, failed) || !strings.HasPrefix(err.Error(), want) || ran != 1 {
				t.Errorf("after %d runs: %v", ran, err)
			}
		})
	}
}

// A column of SQLite can have a name in another case, but not one of PostgreSQL.
func TestAColumnInAnotherCaseIsThatOfTheField(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE chests (ID INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, Title TEXT NOT NULL UNIQUE, Worth INTEGER NOT NULL) STRICT`,
		"INSERT INTO chests VALUES (1, 'a', 7)")
	s := sqlstore.Table[chestUnique](db, sqlstore.Named("chests"))
	left, err := db.Migrate(t.Context(), s)
	if err = errors.Join(err, s.Check(t.Context())); err != nil || len(left.Steps) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	err = s.Transact(t.Context(), inserting(&chestUnique{Title: "a"}))
	if broken, is := errors.AsType[store.UniqueError](err); !is || broken.Field != "title" {
		t.Errorf("a value that is in use: %v", err)
	}
}
