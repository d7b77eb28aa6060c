package sqlstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// These are further versions of a chest.
type (
	captain struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	chestCaptain struct {
		chestPlain

		Owner *int64 `json:"owner" api:"ref=Captain"`
	}
	chestNumber struct {
		chestPlain

		Owner *int64 `json:"owner"`
	}
	chestNull struct {
		chestPlain

		Owner *int64 `json:"owner" api:"ref=Owner,ondelete=null"`
	}
	chestCode struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
		Worth string `json:"worth"`
	}
	chestCodeUnique struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
		Worth string `json:"worth" api:"unique"`
	}
	chestWorthUnique struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
		Worth int64  `json:"worth" api:"unique"`
	}
	chestTrash struct {
		chestUnique

		Deleted *time.Time `json:"deleted" api:"deleted"`
	}
)

// remaining migrates the table of a change as a new program does. It returns what Check reports, and the steps that are left.
func remaining(t *testing.T, db *sqlstore.DB, c change) (plan sqlstore.Plan, fits error) {
	t.Helper()
	next := sqlstore.New(sqlstore.DriverOf(db))
	owners, captains, table := sqlstore.Table[owner](next), sqlstore.Table[captain](next), c.to(next)
	plan, err := next.Migrate(t.Context(), owners, captains, table)
	if err != nil {
		t.Fatal(err)
	}
	return plan, table.(store.Checker).Check(t.Context()) //nolint:forcetypeassert // all tables are
}

// executed runs the SQL of all steps that are left, again and again. It returns those that have none.
func executed(t *testing.T, db *sqlstore.DB, c change) (left sqlstore.Plan, fits error) {
	t.Helper()
	for range 9 {
		left, fits = remaining(t, db, c)
		var statements []string
		for _, step := range left.Steps {
			if statements = step.SQL; len(statements) > 0 && !strings.HasPrefix(statements[0], "--") {
				break
			}
			statements = nil
		}
		if statements == nil {
			return left, fits
		}
		for _, statement := range statements {
			if _, err := db.Exec(t.Context(), statement); err != nil {
				t.Errorf("%s: %v\n%s", statement, err, left)
				return left, fits
			}
		}
	}
	t.Errorf("steps have no effect:\n%s", left)
	return left, fits
}

func TestAKeyToAnotherTableIsReplaced(t *testing.T) {
	t.Parallel()
	for database, made := range servers {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			c := change{from: chests[chestRef], to: chests[chestCaptain], rows: "UPDATE chests SET owner = 1"}
			versions(t, db, c)
			plan, fits := remaining(t, db, c)
			if fits == nil || !strings.Contains(fits.Error(), "the table chests has a foreign key on owner to owners, but needs one to captains") {
				t.Errorf("Check: %v", fits)
			}
			if text := plan.String(); !strings.Contains(text, "Rows of chests have references to rows of captains that do not exist") {
				t.Errorf("the plan is\n%s", text)
			}
			if database == "sqlite" {
				if step := plan.Steps[0]; step.Safe || !strings.Contains(step.Purpose, "copy the rows to a new table") {
					t.Errorf("the plan is\n%s", plan)
				}
				return
			}
			for _, statement := range []string{"INSERT INTO captains (id, name) VALUES (1, 'Flint')", "INSERT INTO captains (id, name) VALUES (2, 'Bones')"} {
				if _, err := db.Exec(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			if left, fits := executed(t, db, c); fits != nil || len(left.Steps) > 0 {
				t.Errorf("%v, %s", fits, left)
			}
			if _, err := db.Exec(t.Context(), "UPDATE chests SET owner = 2"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAKeyThatNoReferenceNeedsIsDropped(t *testing.T) {
	t.Parallel()
	for database, made := range servers {
		for name, to := range map[string]func(*sqlstore.DB) sqlstore.TableDefiner{"without a reference": chests[chestNumber], "without the field": chests[chestPlain]} {
			t.Run(database+"/"+name, func(t *testing.T) {
				t.Parallel()
				db := made(t)
				c := change{from: chests[chestRef], to: to, rows: "UPDATE chests SET owner = 1"}
				versions(t, db, c)
				plan, _ := remaining(t, db, c)
				if len(plan.Steps) == 0 || plan.Steps[0].Phase != "contract" || !strings.HasPrefix(plan.Steps[0].Purpose, "Drop the foreign key chests_owner_fkey of chests, which ") {
					t.Errorf("the plan is\n%s", plan)
				}
				left, fits := executed(t, db, c)
				for _, step := range left.Steps {
					if database != "sqlite" || !strings.Contains(step.Purpose, "copy the rows to a new table") {
						t.Errorf("the step is left: %s", step.Purpose)
					}
				}
				if fits != nil {
					t.Error(fits)
				}
				if database == "sqlite" || name == "without the field" {
					return
				}
				if _, err := db.Exec(t.Context(), "UPDATE chests SET owner = 7"); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestTheTableOfAListThatNoStructHasIsDropped(t *testing.T) {
	t.Parallel()
	for database, made := range servers {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			c := change{from: chests[chestList], to: chests[chestPlain], rows: "INSERT INTO chests_owners (record, position, target) VALUES (1, 0, 1)"}
			versions(t, db, c)
			plan, _ := remaining(t, db, c)
			if len(plan.Steps) != 1 || plan.Steps[0].Safe || plan.Steps[0].Phase != "contract" || !strings.HasPrefix(plan.Steps[0].Purpose, "Drop the table chests_owners if no program uses it") {
				t.Errorf("the plan is\n%s", plan)
			}
			if left, fits := executed(t, db, c); fits != nil || len(left.Steps) > 0 {
				t.Errorf("%v, %s", fits, left)
			}
			if _, err := db.Exec(t.Context(), "DELETE FROM owners"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestKeysAndTablesOfOtherProgramsStay(t *testing.T) {
	t.Parallel()
	const thing = "CREATE TABLE chests_things (record BIGINT NOT NULL, "
	for database, made := range servers {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db, integer := made(t), "BIGINT"
			if database == "sqlite" {
				integer = "INTEGER"
			}
			for _, statement := range []string{
				"CREATE TABLE theirs (id " + integer + " NOT NULL PRIMARY KEY)",
				"CREATE TABLE owners (id " + integer + " NOT NULL PRIMARY KEY, name VARCHAR(99) NOT NULL)",
				"CREATE TABLE chests (id " + integer + " NOT NULL PRIMARY KEY, title VARCHAR(99) NOT NULL, worth " + integer + " NOT NULL, owner " + integer +
					", CONSTRAINT their_key FOREIGN KEY (owner) REFERENCES theirs (id), CONSTRAINT their_chests_owner_fkey FOREIGN KEY (owner) REFERENCES owners (id))",
				thing + "note VARCHAR(9), CONSTRAINT chests_things_record_fkey FOREIGN KEY (record) REFERENCES chests (id))",
				strings.Replace(thing, "chests_things", "others", 1) + "position BIGINT, target BIGINT, CONSTRAINT others_record_fkey FOREIGN KEY (record) REFERENCES chests (id))",
				strings.Replace(thing, "chests_things", "chests_lists", 1) + "position BIGINT, target BIGINT, CONSTRAINT their_record_fkey FOREIGN KEY (record) REFERENCES chests (id))",
			} {
				if _, err := db.Exec(t.Context(), statement); err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
			}
			plan, _ := remaining(t, db, change{to: chests[chestNumber]})
			for _, step := range plan.Steps {
				if step.Phase == "contract" {
					t.Errorf("a step for what others have: %s", step.Purpose)
				}
			}
		})
	}
}

func TestAPlanDoesNotCompareValuesOfOtherTypes(t *testing.T) {
	t.Parallel()
	for database, made := range servers {
		for name, c := range map[string]change{
			"that becomes a reference": {from: chests[chestCode], to: chests[chestWorthRef]},
			"that becomes unique":      {from: chests[chestCode], to: chests[chestWorthUnique]},
			"that was unique":          {from: chests[chestWorthUnique], to: chests[chestCodeUnique]},
			"of the other table":       {from: chests[chestPlain], to: chests[chestWorthRef], rows: "ALTER TABLE owners RENAME TO former; CREATE TABLE owners (id VARCHAR(9) NOT NULL PRIMARY KEY, name VARCHAR(99) NOT NULL)"},
		} {
			t.Run(database+"/"+name, func(t *testing.T) {
				t.Parallel()
				db := made(t)
				versions(t, db, c)
				if plan, _ := remaining(t, db, c); len(plan.Steps) == 0 {
					t.Error("no step is left")
				}
			})
		}
	}
}

func TestTheStepsForAPersonRun(t *testing.T) {
	t.Parallel()
	for database, made := range servers {
		for name, c := range map[string]change{
			"a reference must be set": {from: chests[chestNull], to: chests[chestOwned], rows: "UPDATE chests SET owner = 1"},
			"words are not searched":  {from: chests[chestPlain], to: chests[chestPlain]},
			"a period goes":           {from: chests[chestApart], to: chests[chestPlain]},
			"a unique field goes":     {from: chests[chestUnique], to: chests[chestPlain]},
			"records go to the trash": {from: chests[chestUnique], to: chests[chestTrash]},
			"a string is a number":    {from: chests[chestCode], to: chests[chestPlain]},
			"a number is a string":    {from: chests[chestPlain], to: chests[chestCode]},
		} {
			t.Run(database+"/"+name, func(t *testing.T) {
				t.Parallel()
				db := made(t)
				versions(t, db, c)
				if strings.HasPrefix(name, "words") {
					_, _ = remaining(t, db, change{to: chests[chestWords]})
				}
				left, fits := executed(t, db, c)
				for _, step := range left.Steps {
					if database != "sqlite" || !strings.Contains(step.Purpose, "copy the rows to a new table") {
						t.Errorf("the step is left: %s", step.Purpose)
					}
				}
				if fits != nil && len(left.Steps) == 0 {
					t.Error(fits)
				}
				if _, err := db.Exec(t.Context(), "DELETE FROM chests"); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestAnIndexThatAKeyNeedsIsReplaced(t *testing.T) {
	t.Parallel()
	db := mariadb(t)
	c := change{
		from: chests[chestRef], to: chests[chestRef],
		rows: "ALTER TABLE chests DROP INDEX chests_owner_idx, ADD INDEX chests_owner_idx (owner, worth)",
	}
	versions(t, db, c)
	if left, fits := remaining(t, db, c); fits != nil || len(left.Steps) > 0 {
		t.Errorf("%v, %s", fits, left)
	}
}
