package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// planned is an error with a fault of the test's choice.
type planned struct{ fault sqlstore.Fault }

func (planned) Error() string { return "as planned" }

func planOf(err error) (sqlstore.Fault, bool) {
	p, ok := errors.AsType[planned](err)
	return p.fault, ok
}

// failing makes the next n statements with a prefix fail.
func failing(r *recorder, begins string, n int, kind sqlstore.FaultKind) {
	r.fail = func(text string) error {
		if n > 0 && strings.HasPrefix(text, begins) {
			n--
			return planned{sqlstore.Fault{Kind: kind, Constraint: "planned"}}
		}
		return nil
	}
}

type coin struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" api:"unique"`
	Worth int    `json:"worth"`
}

func TestAConflictRunsTheTransactionAgain(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"BEGIN", "SELECT", "UPDATE", "COMMIT"} {
		db, plain := made(t, &coin{Name: "a"})
		watched, r := recorded(db)
		s := sqlstore.Table[coin](watched)
		failing(r, at, 3, sqlstore.RetryFault)
		runs := 0
		err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
			runs++
			return updating(int64(1), func(c *coin) { c.Worth++ })(ctx, tx)
		})
		want := 4
		if at == "BEGIN" {
			want = 1
		}
		if err != nil || runs != want {
			t.Errorf("after conflicts at %s: %d runs, want %d (%v)", at, runs, want, err)
		}
		if found := all(t, plain); found[0].Worth != 1 {
			t.Errorf("after conflicts at %s the coin is worth %d", at, found[0].Worth)
		}
	}
}

func TestConflictsWithoutEndAreAnError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, _ := made[coin](t)
		watched, r := recorded(db)
		s := sqlstore.Table[coin](watched)
		failing(r, "INSERT", 1000, sqlstore.RetryFault)
		if err := s.Transact(t.Context(), inserting(&coin{Name: "a"})); !errors.Is(err, store.ErrUnavailable) || len(r.statements) > 50 {
			t.Errorf("after %d statements: %v", len(r.statements), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := s.Transact(ctx, inserting(&coin{Name: "a"})); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waiting for another attempt does not end with the context: %v", err)
		}
	})
}

func TestAConflictRunsWhatIsOutsideOfTransactionsAgain(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(ctx context.Context, db *sqlstore.DB, s *sqlstore.Store[coin]) error{
		"Get": func(ctx context.Context, _ *sqlstore.DB, s *sqlstore.Store[coin]) error {
			_, err := s.Get(ctx, int64(1))
			return err
		},
		"List": func(ctx context.Context, _ *sqlstore.DB, s *sqlstore.Store[coin]) error {
			_, err := s.List(ctx, store.Query{Count: true})
			return err
		},
		"Exec": func(ctx context.Context, db *sqlstore.DB, _ *sqlstore.Store[coin]) error {
			_, err := db.Exec(ctx, "UPDATE coins SET worth = 2")
			return err
		},
		"Ping":  func(ctx context.Context, _ *sqlstore.DB, s *sqlstore.Store[coin]) error { return s.Ping(ctx) },
		"Check": func(ctx context.Context, _ *sqlstore.DB, s *sqlstore.Store[coin]) error { return s.Check(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				db, _ := made(t, &coin{Name: "a", Worth: 1})
				watched, r := recorded(db)
				s := sqlstore.Table[coin](watched)
				failing(r, "", 3, sqlstore.RetryFault)
				if err := call(t.Context(), watched, s); err != nil {
					t.Errorf("after three conflicts: %v", err)
				}
				r.statements = nil
				failing(r, "", 1000, sqlstore.RetryFault)
				if err := call(t.Context(), watched, s); !errors.Is(err, store.ErrUnavailable) || len(r.statements) != 10 {
					t.Errorf("after %d conflicts: %v", len(r.statements), err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				defer cancel()
				if err := call(ctx, watched, s); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("waiting for another attempt does not end with the context: %v", err)
				}
			})
		})
	}
}

func TestARecordThatAnotherInsertsFirstIsFoundByAnotherRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		run      func(ctx context.Context, tx store.Tx[coin]) error
		column   string
		planned  int
		wantRuns int
		want     error
	}{
		"of one that was not found":        {missingFirst, "id", 3, 4, nil},
		"forever":                          {missingFirst, "id", 1000, 10, store.UniqueError{Field: "id"}},
		"another duplicate value":          {missingFirst, "name", 3, 1, store.UniqueError{Field: "name"}},
		"of one that was not read":         {func(ctx context.Context, tx store.Tx[coin]) error { return tx.Insert(ctx, &coin{ID: 7, Name: "g"}) }, "id", 3, 1, store.UniqueError{Field: "id"}},
		"even if the hook hides the error": {hidingErrors(missingFirst), "id", 3, 4, nil},
		"of one that it has inserted once": {func(ctx context.Context, tx store.Tx[coin]) error {
			return errors.Join(missingFirst(ctx, tx), missingSecond(ctx, tx))
		}, "id", 0, 1, store.UniqueError{Field: "id"}},
	} {
		db, plain := made[coin](t)
		watched, r := recorded(db)
		s, left, runs := sqlstore.Table[coin](watched), test.planned, 0
		r.fail = func(text string) error {
			if left > 0 && strings.HasPrefix(text, "INSERT") {
				left--
				return planned{sqlstore.Fault{Kind: sqlstore.UniqueFault, Constraint: test.column}}
			}
			return nil
		}
		err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
			runs++
			return test.run(ctx, tx)
		})
		if !errors.Is(err, test.want) || runs != test.wantRuns {
			t.Errorf("%s: after %d runs, want %d: %v, want %v", name, runs, test.wantRuns, err, test.want)
		}
		if saved := len(all(t, plain)) == 1; saved != (test.want == nil) {
			t.Errorf("%s: saved: %v", name, saved)
		}
	}
}

// missingFirst inserts a coin after it did not find it.
func missingFirst(ctx context.Context, tx store.Tx[coin]) error {
	if _, err := tx.Get(ctx, int64(7)); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return tx.Insert(ctx, &coin{ID: 7, Name: "g"})
}

func missingSecond(ctx context.Context, tx store.Tx[coin]) error {
	return tx.Insert(ctx, &coin{ID: 7, Name: "h"})
}

func hidingErrors(fn func(context.Context, store.Tx[coin]) error) func(context.Context, store.Tx[coin]) error {
	return func(ctx context.Context, tx store.Tx[coin]) error {
		if fn(ctx, tx) != nil {
			return errors.New("one that tells nothing")
		}
		return nil
	}
}

func TestFaultsAreErrorsOfStores(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind sqlstore.FaultKind
		want error
	}{
		"a lost connection is unavailable": {sqlstore.UnavailableFault, store.ErrUnavailable},
		"a foreign key is a conflict":      {sqlstore.ForeignKeyFault, store.ErrConflict},
		"a check is a conflict":            {sqlstore.CheckFault, store.ErrConflict},
		"another unique index is one too":  {sqlstore.UniqueFault, store.ErrConflict},
	} {
		db, _ := made(t, &coin{Name: "a"})
		watched, r := recorded(db)
		s := sqlstore.Table[coin](watched)
		failing(r, "", 1000, test.kind)
		_, err := s.Get(t.Context(), int64(1))
		if !errors.Is(err, test.want) {
			t.Errorf("%s, in Get: %v", name, err)
		}
		if _, err = s.List(t.Context(), store.Query{Count: true}); !errors.Is(err, test.want) {
			t.Errorf("%s, in List: %v", name, err)
		}
		if err = s.Transact(t.Context(), inserting(&coin{})); !errors.Is(err, test.want) {
			t.Errorf("%s, in Transact: %v", name, err)
		}
		failing(r, "COMMIT", 1, test.kind)
		if err = s.Transact(t.Context(), inserting(&coin{Name: "b"})); !errors.Is(err, test.want) {
			t.Errorf("%s, at the end: %v", name, err)
		}
	}
}

func TestConstraintsOfTheTableAreConflictsThatAreNamed(t *testing.T) {
	t.Parallel()
	db := open(t,
		`CREATE TABLE mints (id INTEGER PRIMARY KEY) STRICT`,
		`CREATE TABLE coins (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, worth INTEGER NOT NULL CHECK (worth < 10), `+
			`mint INTEGER REFERENCES mints (id), CONSTRAINT honest CHECK (name <> 'false')) STRICT`)
	type minted struct {
		ID    int64  `json:"id"`
		Name  string `json:"name" api:"unique"`
		Worth int    `json:"worth"`
		Mint  *int64 `json:"mint"`
	}
	s := sqlstore.Table[minted](db, sqlstore.Named("coins"))
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	insert(t, s, &minted{Name: "a"})
	for name, test := range map[string]struct {
		record minted
		want   string
	}{
		"a check":       {minted{Name: "b", Worth: 10}, "a value is not allowed"},
		"a named check": {minted{Name: "false"}, `a value is not allowed (constraint "honest")`},
		"a foreign key": {minted{Name: "c", Mint: new(int64(7))}, "another record references this one"},
	} {
		err := s.Transact(t.Context(), inserting(&test.record))
		if !errors.Is(err, store.ErrConflict) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	taken := store.UniqueError{}
	if err := s.Transact(t.Context(), inserting(&minted{Name: "a"})); !errors.As(err, &taken) || taken.Field != "name" {
		t.Errorf("a unique column: %v", err)
	}
	if err := s.Transact(t.Context(), inserting(&minted{ID: 1, Name: "z"})); !errors.As(err, &taken) || taken.Field != "id" {
		t.Errorf("the primary key: %v", err)
	}
}
