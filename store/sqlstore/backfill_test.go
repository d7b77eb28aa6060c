package sqlstore_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/mysql"
)

// servers opens a new database of each kind, also one of MariaDB.
var servers = func() map[string]func(testing.TB) *sqlstore.DB {
	all := maps.Clone(databases)
	all["mysql"] = mariadb
	return all
}()

// mariadb opens a new database of MariaDB, or skips the test.
func mariadb(t testing.TB) *sqlstore.DB {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_MYSQL")
	if dsn == "" {
		t.Skip("set TROVE_TEST_MYSQL to run the test on MariaDB")
	}
	outer, err := mysql.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := "trove_test_" + strings.ToLower(rand.Text())
	if _, err := outer.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	address.Path = "/" + name
	db, err := mysql.Open(t.Context(), address.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = db.Close()
		if _, err := outer.Exec(context.WithoutCancel(t.Context()), "DROP DATABASE "+name); err != nil {
			t.Error(err)
		}
		_ = outer.Close()
	})
	return db
}

// These are more versions of chests.
type (
	chestCoded struct {
		chestPlain

		Code string `json:"code" api:"unique,filter=partial"`
	}
	chestPriced struct {
		chestPlain

		Price decimal `json:"price" api:"unique"`
	}
	chestSearchedOwned struct {
		chestSearched

		Owner int64 `json:"owner" api:"ref=Owner"`
	}
	chestCounted struct {
		chestPlain

		Count *int64 `json:"count"`
	}
	chestSearchedCounted struct {
		chestSearched

		Count int64 `json:"count"`
	}
	chestNullSearched struct {
		ID    int64   `json:"id"`
		Title *string `json:"title" api:"filter=partial"`
		Worth int64   `json:"worth"`
	}
	chestOffered struct {
		chestPlain

		Offer *decimal `json:"offer" api:"filter"`
	}
	chestMustOffer struct {
		chestPlain

		Offer decimal `json:"offer" api:"filter"`
	}
)

// A person must give rows a value, and Migrate does the rest.
func TestMigrateReturnsWhatAPersonMustDecide(t *testing.T) {
	t.Parallel()
	const folded = "SELECT title__folded FROM chests WHERE id = 1"
	for name, test := range map[string]struct {
		change

		value, query, want string // the value of the person, and what a query returns after
	}{
		"a unique field with a search": {
			change{from: chests[chestPlain], to: chests[chestCoded]}, "title", "SELECT code__folded FROM chests WHERE id = 1", "Élan",
		},
		"a unique number": {
			change{from: chests[chestPlain], to: chests[chestPriced]},
			"CASE WHEN id = 1 THEN '3' ELSE '4' END",
			"SELECT price FROM chests WHERE price__order < (SELECT MAX(price__order) FROM chests)", "3",
		},
		"a reference next to a search": {change{from: chests[chestPlain], to: chests[chestSearchedOwned]}, "1", folded, "Élan"},
		"a null next to a search":      {change{from: chests[chestCounted], to: chests[chestSearchedCounted]}, "7", folded, "Élan"},
		"a null that becomes searched": {
			change{from: chests[chestNullable], to: chests[chestSearched], rows: "UPDATE chests SET title = NULL WHERE id = 1"}, "'ÉLAN'", folded, "ÉlAN",
		},
		"a null that was searched": {
			change{from: chests[chestNullSearched], to: chests[chestSearched], rows: "UPDATE chests SET title = NULL WHERE id = 1"}, "'ÉLAN'", folded, "ÉlAN",
		},
		"a null that is sorted by a key": {
			change{from: chests[chestOffered], to: chests[chestMustOffer]}, "'5'", "SELECT offer FROM chests WHERE offer__order IS NOT NULL LIMIT 1", "5",
		},
	} {
		for database, made := range servers {
			t.Run(database+"/"+name, func(t *testing.T) {
				t.Parallel()
				db := made(t)
				_, left, _ := migrated(t, db, test.change)
				decided := 0
				for _, step := range left.Steps {
					for _, statement := range step.SQL {
						if !strings.Contains(strings.Join(step.SQL, ";"), "…") {
							continue
						}
						if _, err := db.Exec(t.Context(), strings.ReplaceAll(statement, "…", test.value)); err != nil {
							t.Fatalf("%s: %v", statement, err)
						}
						decided++
					}
				}
				next := sqlstore.New(sqlstore.DriverOf(db))
				owners, table := sqlstore.Table[owner](next), test.to(next)
				after, err := next.Migrate(t.Context(), owners, table)
				if err != nil || decided == 0 || slices.ContainsFunc(after.Steps, func(s sqlstore.Step) bool { return s.Safe }) {
					t.Errorf("%v: remains %v, and at the end %v", err, left, after)
				}
				if err := table.(store.Checker).Check(t.Context()); err != nil {
					t.Error(err)
				}
				if got := one[string](t, db, test.query); got != store.Fold(test.want) {
					t.Errorf("%s returns %q, want %q", test.query, got, store.Fold(test.want))
				}
			})
		}
	}
}

// These are versions of a struct with objects that can be null.
type (
	chestPlaced struct {
		ID    int64 `json:"id"`
		Place *struct {
			City  string  `json:"city"`
			Floor int64   `json:"floor"`
			Note  *string `json:"note it"`
			Home  *struct {
				Zip string   `json:"zip"`
				Fee *decimal `json:"fee"`
			} `json:"home"`
		} `json:"place"`
	}
	chestPlacedSearched struct {
		ID    int64 `json:"id"`
		Place *struct {
			City  string  `json:"city" api:"filter=partial"`
			Floor int64   `json:"floor" api:"group,aggregate"`
			Note  *string `json:"note it" api:"filter=partial"`
			Home  *struct {
				Zip string   `json:"zip" api:"filter"`
				Fee *decimal `json:"fee" api:"filter,sort"`
			} `json:"home"`
		} `json:"place"`
	}
)

func TestValuesWithinObjectsThatCanBeNullAreFilled(t *testing.T) {
	t.Parallel()
	for database, made := range servers {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			older := chests[chestPlaced](db)
			if err := db.Create(t.Context(), older); err != nil {
				t.Fatal(err)
			}
			next := sqlstore.New(sqlstore.DriverOf(db))
			s := sqlstore.Table[chestPlacedSearched](next, sqlstore.Named("chests"))
			for _, insert := range []string{"before", "after"} { // an old program inserts rows after the migration
				for id := range int64(5) {
					place := []string{
						"NULL", `'{"city":"Rome","floor":3,"note it":null,"home":null}'`, `'{"city":"","note it":"Über"}'`,
						`'{"home":{"zip":"Z","fee":null}}'`, `'{"home":{"fee":"5.0"}}'`,
					}[id]
					if insert == "after" {
						id += 5
					}
					if _, err := db.Exec(t.Context(), fmt.Sprintf("INSERT INTO chests (id, place) VALUES (%d, %s)", id+1, place)); err != nil {
						t.Fatal(err)
					}
				}
				if plan, err := next.Plan(t.Context(), s); err != nil || len(plan.Steps) == 0 {
					t.Errorf("%s: the plan is %v, %v", insert, plan, err)
				}
				if left, err := next.Migrate(t.Context(), s); err != nil || len(left.Steps) > 0 {
					t.Errorf("%s: remains %v, %v", insert, left, err)
				}
			}
			for _, where := range []store.Condition{
				is("place.city", store.Contains, "om"), is("place.note it", store.Contains, "ÜB"), is("place.home.zip", store.Equal, "Z"),
				is("place.home.fee", store.Equal, decimal("5")), is("place.floor", store.Equal, int64(3)),
			} {
				if page, err := s.List(t.Context(), store.Query{Where: []store.Condition{where}}); err != nil || len(page.Items) != 2 {
					t.Errorf("%v finds %d records, %v", where, len(page.Items), err)
				}
			}
			if n := one[int64](t, db, "SELECT COUNT(*) FROM chests WHERE place__city IS NULL"); n != 2 {
				t.Errorf("%d rows have no city", n)
			}
		})
	}
}

// chestRuled has new fields with rules.
type chestRuled struct {
	chestPlain

	Color string `json:"color" validate:"required"`
	Size  int64  `json:"size" validate:"min=1"`
	Code  string `json:"code" validate:"required" default:"x"`
	Maybe string `json:"maybe" validate:"omitempty,min=3"`
}

func TestAPlanSaysThatRulesRejectTheValueOfExistingRows(t *testing.T) {
	t.Parallel()
	for database, made := range servers {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			before, _, fits := migrated(t, made(t), change{from: chests[chestPlain], to: chests[chestRuled]})
			if fits != nil {
				t.Error(fits)
			}
			for column, want := range map[string]string{
				"color": "Rows without a value get '', which the rules of color reject: give them values, or the field a default.",
				"size":  "Rows without a value get 0, which the rules of size reject: give them values, or the field a default.",
				"code":  "", "maybe": "",
			} {
				want = strings.TrimSpace("Add the column " + column + " to chests. " + want)
				if !slices.ContainsFunc(before.Steps, func(s sqlstore.Step) bool { return s.Purpose == want }) {
					t.Errorf("%s: no step has the purpose %q:\n%s", column, want, before)
				}
			}
		})
	}
}

// These have a value within an object; both can be null before.
type (
	chestWithin struct {
		chestPlain

		Place *struct {
			City *string `json:"city" api:"filter=partial"`
		} `json:"place"`
	}
	chestWithinAlways struct {
		chestPlain

		Place struct {
			City string `json:"city" api:"filter=partial"`
		} `json:"place"`
	}
)

// These rows have no null, but old programs may store it.
func TestAPlanSaysThatOldProgramsFailToStoreNull(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]change{
		"a search":             {from: chests[chestNullSearched], to: chests[chestSearched]},
		"an order":             {from: chests[chestOffered], to: chests[chestMustOffer], rows: "UPDATE chests SET offer = '5', offer__order = '5'"},
		"a value in an object": {from: chests[chestWithin], to: chests[chestWithinAlways], rows: `UPDATE chests SET place = '{"city":"A"}', place__city = 'A', place__city__folded = 'a'`},
	} {
		for database, made := range servers {
			t.Run(database+"/"+name, func(t *testing.T) {
				t.Parallel()
				before, _, _ := migrated(t, made(t), c)
				count := 0
				for _, step := range before.Steps {
					if strings.HasPrefix(step.Purpose, "Make the column ") {
						count++
						if step.OldProgramsWork || step.OldPrograms != "they fail to store null" {
							t.Errorf("%s: old programs: %s", step.Purpose, step.OldPrograms)
						}
					}
				}
				if count < 2 {
					t.Errorf("%d columns become NOT NULL:\n%s", count, before)
				}
			})
		}
	}
}

// These have fields that chestPlain does not have.
type (
	chestMuch struct {
		chestPlain

		Place struct {
			City string `json:"city"`
		} `json:"place"`
		Tags  []string       `json:"tags"`
		Sizes map[string]int `json:"sizes"`
		Made  time.Time      `json:"made"`
		Offer decimal        `json:"offer" api:"filter"`
		Data  []byte         `json:"data"`
		Ready bool           `json:"ready"`
	}
	chestTrashed struct {
		chestCoded

		Deleted *time.Time `json:"deleted" api:"deleted"`
	}
	chestTrashedPlain struct {
		chestPlain

		Deleted *time.Time `json:"deleted" api:"deleted"`
	}
	chestNumbered struct {
		chestPlain

		Shelf int64 `json:"shelf"`
	}
)

func (chestNumbered) Constraints() []store.Constraint {
	return []store.Constraint{store.Unique("title", "shelf")}
}

func TestNewProgramsInsertRowsWithoutAFieldThatIsGone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change

		read func(ctx context.Context, old sqlstore.TableDefiner) error // nil for tables of other programs on MariaDB
	}{
		"of many types":       {change{from: chests[chestMuch], to: chests[chestPlain]}, reads[chestMuch]},
		"that is unique":      {change{from: chests[chestCoded], to: chests[chestPlain]}, reads[chestCoded]},
		"a unique number":     {change{from: chests[chestPriced], to: chests[chestPlain]}, reads[chestPriced]},
		"unique in the trash": {change{from: chests[chestTrashed], to: chests[chestTrashedPlain]}, reads[chestTrashed]},
		"unique with another": {change{from: chests[chestNumbered], to: chests[chestPlain]}, reads[chestNumbered]},
		"of JSON":             {change{from: chests[chestPlain], to: chests[chestPlain], rows: "ALTER TABLE chests ADD COLUMN own JSON NOT NULL"}, nil},
		"of a timestamp": {
			change{from: chests[chestPlain], to: chests[chestPlain], rows: "ALTER TABLE chests ADD COLUMN own TIMESTAMP(6) NOT NULL; ALTER TABLE chests ADD COLUMN also TIMESTAMP NOT NULL"}, nil,
		},
	} {
		for database, made := range servers {
			if test.read == nil && database != "mysql" {
				continue
			}
			t.Run(database+"/"+name, func(t *testing.T) {
				t.Parallel()
				db := made(t)
				old := test.from(db)
				if err := db.Create(t.Context(), sqlstore.Table[owner](db), old); err != nil {
					t.Fatal(err)
				}
				for statement := range strings.SplitSeq(test.rows, "; ") {
					if _, err := db.Exec(t.Context(), cmp.Or(statement, "DELETE FROM chests")); err != nil {
						t.Fatal(err)
					}
				}
				next := sqlstore.New(sqlstore.DriverOf(db))
				table := test.to(next)
				plan, err := next.Plan(t.Context(), table)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := next.Migrate(t.Context(), table); err != nil {
					t.Fatal(err)
				}
				const records = `{"chests": [{"title": "same", "worth": 1}, {"title": "same", "worth": 1}]}`
				if err := next.Fill(t.Context(), []byte(records), table); err != nil {
					t.Fatalf("%v\n%s", err, plan)
				}
				if test.read == nil {
					return
				}
				isBroken := slices.ContainsFunc(plan.Steps, func(s sqlstore.Step) bool { return s.Phase == "expand" && !s.OldProgramsWork })
				if err := test.read(t.Context(), old); err != nil && !isBroken {
					t.Errorf("old programs read rows with %v:\n%s", err, plan)
				}
			})
		}
	}
}

// reads gets the first record of a table.
func reads[T any](ctx context.Context, table sqlstore.TableDefiner) error {
	_, err := table.(*sqlstore.Store[T]).Get(ctx, int64(1))
	return err
}
