package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// noted returns a function that inserts a counter, and a note with its own statement.
func noted(t *testing.T, ending error) func(context.Context, store.Tx[counter]) error {
	t.Helper()
	return func(ctx context.Context, tx store.Tx[counter]) error {
		record := &counter{}
		if err := tx.Insert(ctx, record); err != nil {
			return err
		}
		executor, ok := sqlstore.Tx(ctx)
		if !ok {
			t.Error("no transaction in the context")
			return ending
		}
		exec(ctx, t, executor, "INSERT INTO notes SELECT max(id) FROM counters")
		return ending
	}
}

func TestStatementsOfAHookAreSavedWithTheRecord(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	administer(t, dsn, "CREATE TABLE notes (counter bigint)")
	ctx, db := impatient(t), open(t, dsn)
	s := table[counter](t, db)
	refused := errors.New("refused")
	if err := s.Transact(ctx, noted(t, refused)); !errors.Is(err, refused) {
		t.Errorf("Transact: %v", err)
	}
	if n := one[int64](ctx, t, db, "SELECT (SELECT count(*) FROM notes) + (SELECT count(*) FROM counters)"); n != 0 {
		t.Errorf("%d rows are saved", n)
	}
	if err := s.Transact(ctx, noted(t, nil)); err != nil {
		t.Error(err)
	}
	if n := one[int64](ctx, t, db, "SELECT count(*) FROM notes JOIN counters ON counter = id"); n != 1 {
		t.Errorf("%d notes are saved with their record", n)
	}
}

func TestAHookRunsAgainAfterAConflict(t *testing.T) {
	t.Parallel()
	ctx, db := impatient(t), open(t, set(t, schema(t), "default_transaction_isolation", "serializable"))
	s := table[counter](t, db)
	runs := 0
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
		runs++
		executor, _ := sqlstore.Tx(ctx)
		n := one[int64](ctx, t, executor, "SELECT count(*) FROM counters")
		if runs == 1 { // another transaction decides on the same rows first
			if err := s.Transact(impatient(t), countingIn); err != nil {
				return err
			}
		}
		return tx.Insert(ctx, &counter{N: int(n)})
	})
	if err != nil || runs != 2 {
		t.Fatalf("after %d runs: %v", runs, err)
	}
	page, err := s.List(ctx, store.Query{Order: []store.Order{{Field: "n"}}})
	if err != nil || len(page.Items) != 2 || page.Items[0].N != 0 || page.Items[1].N != 1 {
		t.Errorf("%+v, %v: both counted the same", page.Items, err)
	}
}

// countingIn inserts a record with the number of existing ones.
func countingIn(ctx context.Context, tx store.Tx[counter]) error {
	executor, _ := sqlstore.Tx(ctx)
	n, err := ask[int64](ctx, executor, "SELECT count(*) FROM counters")
	if err != nil {
		return err
	}
	return tx.Insert(ctx, &counter{N: int(n)})
}

func TestAHookThatHidesAnErrorOfTheDatabaseSavesNothing(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[counter](t, open(t, schema(t)))
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
		first := tx.Insert(ctx, &counter{Name: new("a")})
		second := tx.Insert(ctx, &counter{Name: new("a")})
		if first != nil || !errors.Is(second, store.UniqueError{Field: "name"}) {
			t.Errorf("Insert: %v, %v", first, second)
		}
		return nil
	})
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("Transact: %v", err)
	}
	if page, err := s.List(ctx, store.Query{}); err != nil || len(page.Items) != 0 {
		t.Errorf("%d records, %v", len(page.Items), err)
	}
}
