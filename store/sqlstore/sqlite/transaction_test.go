package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// notes opens a database with a table of notes.
func notes(t *testing.T) (*sqlstore.DB, *sqlstore.Store[note]) {
	t.Helper()
	db := open(t, filepath.Join(t.TempDir(), "notes.db"))
	s := sqlstore.Table[note](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return db, s
}

func texts(t *testing.T, s *sqlstore.Store[note]) (all []string) {
	t.Helper()
	page, err := s.List(t.Context(), store.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range page.Items {
		all = append(all, n.Text)
	}
	return all
}

func TestATransactionThatIsCancelledAtAnyTimeLeavesNoneOpen(t *testing.T) {
	t.Parallel()
	_, s := notes(t)
	saved := 0
	for i := range 400 {
		ctx, cancel := context.WithCancel(t.Context())
		wait := time.Duration(rand.IntN(300)) * time.Microsecond
		go func() {
			time.Sleep(wait)
			cancel()
		}()
		err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[note]) error { return tx.Insert(ctx, &note{Text: fmt.Sprint(i)}) })
		switch {
		case err == nil:
			saved++
		case !errors.Is(err, context.Canceled):
			t.Fatalf("transaction %d: %v", i, err)
		}
		cancel()
	}
	if found := texts(t, s); len(found) != saved {
		t.Errorf("%d transactions succeeded, but there are %d notes", saved, len(found))
	}
}

func TestAFunctionThatIgnoresACancelledWriteSavesNothingAfterIt(t *testing.T) {
	t.Parallel()
	_, s := notes(t)
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
		if err := tx.Insert(ctx, &note{Text: "before"}); err != nil {
			return err
		}
		executor, _ := sqlstore.Tx(ctx)
		short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		_, err := executor.Exec(short, "INSERT INTO notes (text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'many' FROM n")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a statement without end: %v", err)
		}
		if err := tx.Insert(ctx, &note{Text: "after"}); err == nil {
			t.Error("a rolled back transaction can continue")
		}
		return nil
	})
	if err == nil {
		t.Error("a rolled back transaction reports success")
	}
	if found := texts(t, s); len(found) != 0 {
		t.Errorf("saved: %q", found)
	}
	if err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error { return tx.Insert(ctx, &note{Text: "later"}) }); err != nil {
		t.Errorf("the next transaction: %v", err)
	}
}

func TestARollbackByTheDatabaseEndsTheTransaction(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]string{
		"a full database": "PRAGMA max_page_count = 30",
		"a trigger":       "CREATE TRIGGER refuse BEFORE INSERT ON notes WHEN length(NEW.text) > 100 BEGIN SELECT RAISE(ROLLBACK, 'too long'); END",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, s := notes(t)
			if _, err := db.Exec(t.Context(), prepare); err != nil {
				t.Fatal(err)
			}
			err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
				if err := tx.Insert(ctx, &note{Text: "before"}); err != nil {
					return err
				}
				if err := tx.Insert(ctx, &note{Text: strings.Repeat("long", 1<<18)}); err == nil {
					t.Error("an insert without space succeeded")
				}
				_ = tx.Insert(ctx, &note{Text: "after"})
				return nil
			})
			found := texts(t, s)
			if err == nil && strings.Join(found, " ") != "before after" {
				t.Errorf("a transaction without an error saved %q", found)
			}
			if err != nil && len(found) != 0 {
				t.Errorf("a transaction that failed (%v) saved %q", err, found)
			}
			if err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error { return tx.Insert(ctx, &note{Text: "later"}) }); err != nil {
				t.Errorf("the next transaction: %v", err)
			}
		})
	}
}

func TestAStatementThatFailsWithoutARollbackEndsNothing(t *testing.T) {
	t.Parallel()
	_, s := notes(t)
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
		first := &note{Text: "first"}
		if err := tx.Insert(ctx, first); err != nil {
			return err
		}
		if err := tx.Insert(ctx, &note{ID: first.ID, Text: "second"}); !errors.Is(err, store.ErrConflict) {
			t.Errorf("a duplicate identifier: %v", err)
		}
		executor, _ := sqlstore.Tx(ctx)
		if _, err := executor.Exec(ctx, "NO STATEMENT"); err == nil {
			t.Error("an invalid statement: no error")
		}
		return tx.Insert(ctx, &note{Text: "third"})
	})
	if found := texts(t, s); err != nil || strings.Join(found, " ") != "first third" {
		t.Errorf("saved: %q (%v)", found, err)
	}
}
