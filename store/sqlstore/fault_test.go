package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// planned is an error that means what it says.
type planned struct{ fault sqlstore.Fault }

func (planned) Error() string { return "as planned" }

func planOf(err error) (sqlstore.Fault, bool) {
	p, ok := errors.AsType[planned](err)
	return p.fault, ok
}

// failing makes the statements that begin so fail, n times.
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
	db, _ := made[coin](t)
	watched, r := recorded(db)
	s := sqlstore.Table[coin](watched)
	failing(r, "INSERT", 1000, sqlstore.RetryFault)
	if err := s.Transact(t.Context(), inserting(&coin{Name: "a"})); err == nil || len(r.statements) > 50 {
		t.Errorf("after %d statements: %v", len(r.statements), err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := s.Transact(ctx, inserting(&coin{Name: "a"})); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for another attempt does not end with the context: %v", err)
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
		"a foreign key": {minted{Name: "c", Mint: new(int64(7))}, "another record refers to this one"},
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
