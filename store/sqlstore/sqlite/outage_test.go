package sqlite_test

import (
	"context"
	"errors"
	"os"
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

func TestAFullDiskIsUnavailableUntilAWriteSucceeds(t *testing.T) {
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
	for range 2 {
		if err := s.PingWrites(t.Context()); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("PingWrites after a failed write: %v", err)
		}
	}
	if err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
		if err := s.PingWrites(ctx); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("PingWrites during a transaction after a failed write: %v", err)
		}
		return tx.Insert(ctx, &note{Text: "short"})
	}); err != nil {
		t.Errorf("within a transaction: %v", err)
	}
	if err := s.PingWrites(t.Context()); err != nil {
		t.Errorf("PingWrites after a write: %v", err)
	}
	if err := s.Transact(t.Context(), adding(long)); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a full disk: %v", err)
	}
	limit("1000000") // is a write
	if err := s.Transact(t.Context(), adding(long)); err != nil {
		t.Errorf("with space: %v", err)
	}
}

func TestADatabaseWithSpaceAgainIsReadyWithoutAWriteOfAClient(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "notes.db"))
	s := sqlstore.Table[note](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(t.Context(), "PRAGMA max_page_count = 1000"); err != nil {
		t.Fatal(err)
	}
	if err := s.Transact(t.Context(), adding(strings.Repeat("a", 6_000_000))); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a note larger than the disk: %v", err)
	}
	if err := s.PingWrites(t.Context()); err != nil {
		t.Errorf("PingWrites with 1 MiB of space: %v", err)
	}
	if err := s.Transact(t.Context(), adding("short")); err != nil {
		t.Errorf("after PingWrites: %v", err)
	}
	if err := db.Create(t.Context(), s); err != nil || s.Check(t.Context()) != nil {
		t.Errorf("PingWrites has left something: %v, %v", err, s.Check(t.Context()))
	}
}

func TestADatabaseWhoseFileIsGoneOrReplacedIsUnavailable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.db")
	s := sqlstore.Table[note](open(t, file))
	check := func(when string, isReady bool) {
		t.Helper()
		if err := s.PingWrites(t.Context()); (err == nil) != isReady || err != nil && !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s: %v", when, err)
		}
	}
	check("with its file", true)
	for _, name := range []string{file, file + "-wal"} {
		if err := os.Rename(name, name+".old"); err != nil {
			t.Fatal(err)
		}
		check("after "+name+" was moved", false)
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		check("with another file instead of "+name, false)
		if err := os.Rename(name+".old", name); err != nil {
			t.Fatal(err)
		}
		check("with "+name+" again", true)
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
