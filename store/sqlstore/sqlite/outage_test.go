package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

func adding(text string) func(context.Context, store.Tx[note]) error {
	return func(ctx context.Context, tx store.Tx[note]) error { return tx.Insert(ctx, &note{Text: text}) }
}

func TestAFileThatCannotBeWrittenIsUnavailable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.db")
	table[note](t, file)
	s := sqlstore.Table[note](open(t, "file:"+file+"?mode=ro"))
	if err := errors.Join(s.Check(t.Context()), s.Ping(t.Context())); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"a write": s.Transact(t.Context(), adding("a")), "PingWrites": s.PingWrites(t.Context())} {
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFullDiskIsUnavailableUntilSomethingCanBeWritten(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "notes.db"))
	s := sqlstore.Table[note](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := s.PingWrites(t.Context()); err != nil {
		t.Errorf("PingWrites: %v", err)
	}
	limit := func(pages string) {
		if _, err := db.Exec(t.Context(), "PRAGMA max_page_count = "+pages); err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // SQLite takes what it has
	long := strings.Repeat("a", 100_000)
	if err := s.Transact(t.Context(), adding(long)); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a full disk: %v", err)
	}
	if err := s.PingWrites(t.Context()); err != nil { // it overwrites the header with itself
		t.Errorf("PingWrites: %v", err)
	}
	if err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
		return errors.Join(s.PingWrites(ctx), tx.Insert(ctx, &note{Text: "short"}))
	}); err != nil {
		t.Errorf("within a transaction: %v", err)
	}
	limit("1000000")
	if err := s.Transact(t.Context(), adding(long)); err != nil {
		t.Errorf("with space: %v", err)
	}
}

// A query that writes outside of a transaction is a bug of the program, which waiting does not fix.
func TestAQueryThatWritesIsNotUnavailable(t *testing.T) {
	t.Parallel()
	db := open(t, ":memory:")
	tableIn[note](t, db)
	_, err := db.Query(t.Context(), `INSERT INTO notes (text) VALUES ('a') RETURNING id`)
	if err == nil || errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "use Exec") {
		t.Errorf("%v", err)
	}
}
