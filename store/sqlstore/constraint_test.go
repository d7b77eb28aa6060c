package sqlstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// tent is a record with every kind of constraint.
type tent struct {
	ID     int64   `json:"id"`
	Camp   int64   `json:"camp"`
	Number int64   `json:"number"`
	From   *int64  `json:"from"`
	Until  *int64  `json:"until"`
	Status string  `json:"status"`
	Grade  float64 `json:"grade"`
	Taken  *bool   `json:"taken"`
}

func (tent) Constraints() []store.Constraint {
	return []store.Constraint{
		store.Unique("camp", "number"),
		store.Unique("camp", "number", "grade").Only("status", "it's new").Except("taken", nil, true),
		store.Unique("camp", "number", "grade").Only("status", "old", "older"),
		store.NoOverlap("from", "until", "camp").Except("grade", 1.5, 2.0),
		store.Index("status", "camp"),
	}
}

// bareTent has the columns of a tent, and no constraints.
type bareTent struct {
	ID     int64   `json:"id"`
	Camp   int64   `json:"camp"`
	Number int64   `json:"number"`
	From   *int64  `json:"from"`
	Until  *int64  `json:"until"`
	Status string  `json:"status"`
	Grade  float64 `json:"grade"`
	Taken  *bool   `json:"taken"`
}

func TestTheStatementsOfConstraints(t *testing.T) {
	t.Parallel()
	text, err := sqlstore.DDL(sqlstore.Table[tent](open(t)))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "constraints.sql")
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
}

func TestCheckReportsTheMissingIndexesOfConstraints(t *testing.T) {
	t.Parallel()
	db := open(t)
	if err := db.Create(t.Context(), sqlstore.Table[bareTent](db, sqlstore.Named("tents"))); err != nil {
		t.Fatal(err)
	}
	s := sqlstore.Table[tent](db)
	err := s.Check(t.Context())
	if err == nil || strings.Count(err.Error(), "which keeps a constraint of Tent") != 5 {
		t.Fatalf("the error of a table without indexes is %v, want 5 lines", err)
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		_, statement, found := strings.Cut(line, "or run ")
		if !found {
			t.Fatalf("no statement in %q", line)
		}
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("the error after these statements is %v", err)
	}
}

func TestAUniqueIndexOfAnyNameKeepsAConstraint(t *testing.T) {
	t.Parallel()
	db := open(t)
	s := sqlstore.Table[tent](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"DROP INDEX tents_camp_number_key", "CREATE UNIQUE INDEX ours ON tents (number, camp)"} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.Insert(t.Context(), s, &tent{Camp: 1, Number: 1, Grade: 1.5}); err != nil {
		t.Fatal(err)
	}
	isBroken(t, store.Insert(t.Context(), s, &tent{Camp: 1, Number: 1, Grade: 2}), "camp", "number")
}

func isBroken(t *testing.T, err error, fields ...string) {
	t.Helper()
	broken, ok := errors.AsType[store.ConstraintError](err)
	if diff := cmp.Diff(fields, broken.Fields); !ok || diff != "" {
		t.Errorf("the error is %v, want a store.ConstraintError (-want +got):\n%s", err, diff)
	}
}

func TestOfTwoPartialIndexesTheOneAboutTheRecordIsBroken(t *testing.T) {
	t.Parallel()
	db := open(t)
	s := sqlstore.Table[pitches](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	add := func(status string) error {
		return store.Insert(t.Context(), s, &pitches{Place: 1, Status: status})
	}
	for _, status := range []string{"new", "old"} {
		if err := add(status); err != nil {
			t.Fatal(err)
		}
		broken, ok := errors.AsType[store.ConstraintError](add(status))
		if want := "There is a " + status + " one."; !ok || broken.Message != want {
			t.Errorf("the error is %v, want %q", broken, want)
		}
	}
}

// pitches has two partial indexes on one column.
type pitches struct {
	ID     int64  `json:"id"`
	Place  int64  `json:"place"`
	Status string `json:"status"`
}

func (pitches) Constraints() []store.Constraint {
	return []store.Constraint{
		store.Unique("place").Only("status", "new").Message("There is a new one."),
		store.Unique("place").Only("status", "old").Message("There is a old one."),
	}
}

func TestATransactionFailsWithABrokenPeriod(t *testing.T) {
	t.Parallel()
	db := open(t)
	s := sqlstore.Table[tent](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	at := func(number, from, until int64) *tent {
		return &tent{Number: number, From: &from, Until: &until}
	}
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[tent]) error {
		if err := tx.Insert(ctx, at(1, 0, 5)); err != nil {
			return err
		}
		_ = tx.Insert(ctx, at(2, 4, 6)) // a hook that ignores the error
		return nil
	})
	isBroken(t, err, "from", "until", "camp")
	if found := all(t, s); len(found) != 0 {
		t.Errorf("%d records were saved", len(found))
	}
}
