package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type note struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

// setting reads a pragma from a reading connection and from the writing one.
func setting(t *testing.T, db *sqlstore.DB, pragma string) (reads, writes string) {
	t.Helper()
	scan := func(from sqlstore.Executor) (value string) {
		rows, err := from.Query(t.Context(), "PRAGMA "+pragma)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		if rows.Next() {
			if err := rows.Scan(&value); err != nil {
				t.Fatal(err)
			}
		}
		return value
	}
	reads = scan(db)
	made := sqlstore.Table[note](db)
	if err := db.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	err := made.Transact(t.Context(), func(ctx context.Context, _ store.Tx[note]) error {
		executor, _ := sqlstore.Tx(ctx)
		writes = scan(executor)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return reads, writes
}

func TestADatabaseIsOpenedSoThatItIsSafe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "safe.db")
	for pragma, want := range map[string][2]string{
		"journal_mode": {"wal", "wal"}, "foreign_keys": {"1", "1"}, "synchronous": {"2", "2"}, "busy_timeout": {"10000", "10000"}, "query_only": {"1", "0"},
	} {
		if reads, writes := setting(t, open(t, file), pragma); reads != want[0] || writes != want[1] {
			t.Errorf("%s is %s for reading and %s for writing, want %v", pragma, reads, writes, want)
		}
	}
	for _, own := range []string{"busy_timeout(20)", "BUSY_TIMEOUT = 20", "busy_timeout(20000)"} {
		want := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, own)
		query := url.Values{"_pragma": {own}}
		if reads, writes := setting(t, open(t, "file:"+file+"?"+query.Encode()), "busy_timeout"); reads != want || writes != want {
			t.Errorf("%s of the URI is %s for reading and %s for writing", own, reads, writes)
		}
	}
	if _, writes := setting(t, open(t, "file:"+file+"?_pragma=synchronous(NORMAL)"), "synchronous"); writes != "1" {
		t.Errorf("a pragma of the URI is not kept: %s", writes)
	}
}

func TestNamesOfFilesAreTakenAsTheyAre(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"plain.db", "with space.db", "a?b.db", "50%.db", "a#b.db", "%41.db", "é.db", "a&b=c.db"} {
		db := open(t, filepath.Join(folder, name))
		if err := db.Create(t.Context(), sqlstore.Table[note](db)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Errorf("%s is another file: %v", name, err)
		}
	}
}

func TestOpenReportsWhy(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	text := filepath.Join(folder, "text.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":                                     "the path is empty",
		filepath.Join(folder, "no", "file.db"): "cannot open " + filepath.Join(folder, "no", "file.db"),
		folder:                                 "cannot open " + folder,
		text:                                   "cannot open " + text,
	} {
		db, err := sqlite.Open(path)
		if err == nil || !strings.Contains(err.Error(), want) || db != nil {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

func TestADatabaseInMemoryLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	one, err := sqlite.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	two := open(t, ":memory:")
	s := sqlstore.Table[note](one)
	if err := one.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := sqlstore.Table[note](two).Check(t.Context()); err == nil {
		t.Error("two databases in memory are one")
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%d folders are left, want the one of the open database (%v)", len(left), err)
	}
	if _, err := s.Get(t.Context(), int64(1)); err == nil {
		t.Error("a closed database still works")
	}
}

func TestReadersDoNotWaitForAWriter(t *testing.T) {
	t.Parallel()
	s, ok := table[note](t, filepath.Join(t.TempDir(), "w.db")).(*sqlstore.Store[note])
	if !ok {
		t.Fatal("no store of notes")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := s.Transact(ctx, func(within context.Context, tx store.Tx[note]) error {
		for i := range 20 {
			if err := tx.Insert(within, &note{Text: fmt.Sprint(i)}); err != nil {
				return err
			}
		}
		var readers sync.WaitGroup
		errs := make([]error, 10)
		for i := range errs {
			readers.Go(func() {
				page, err := s.List(ctx, store.Query{})
				if err == nil && len(page.Items) != 0 {
					err = errors.New("sees what is not saved")
				}
				errs[i] = err
			})
		}
		readers.Wait()
		return errors.Join(errs...)
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnotherProgramThatWritesIsWaitedFor(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shared.db")
	mine := table[note](t, file)
	other := sqlstore.Table[note](open(t, file))
	var programs sync.WaitGroup
	errs := make([]error, 2)
	for i, s := range []store.Store[note]{mine, other} {
		programs.Go(func() {
			for n := range 20 {
				record := &note{Text: fmt.Sprint(i, n)}
				err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error { return tx.Insert(ctx, record) })
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	programs.Wait()
	page, err := mine.List(t.Context(), store.Query{Count: true})
	if err = errors.Join(errs[0], errs[1], err); err != nil || page.Total != 40 {
		t.Errorf("%d notes (%v)", page.Total, err)
	}
}

func TestStatementsBeyondThoseThatArePreparedWorkToo(t *testing.T) {
	t.Parallel()
	db := open(t, ":memory:")
	if _, err := db.Exec(t.Context(), "CREATE TABLE numbers (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	s := sqlstore.Table[note](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	err := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[note]) error {
		executor, _ := sqlstore.Tx(ctx)
		for i := range 900 {
			if _, err := executor.Exec(ctx, fmt.Sprintf("INSERT INTO numbers VALUES (%d)", i)); err != nil {
				return err
			}
		}
		return nested(ctx, executor)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 900 {
		rows, err := db.Query(t.Context(), fmt.Sprintf("SELECT n FROM numbers WHERE n = %d", i))
		if err != nil {
			t.Fatal(err)
		}
		if !rows.Next() {
			t.Fatalf("%d is missing", i)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// nested runs a statement while the rows of the same one are read.
func nested(ctx context.Context, executor sqlstore.Executor) error {
	const text = "SELECT n FROM numbers WHERE n < 3 ORDER BY n"
	outer, err := executor.Query(ctx, text)
	if err != nil {
		return err
	}
	defer func() { _ = outer.Close() }()
	seen := 0
	for outer.Next() {
		inner, err := executor.Query(ctx, text)
		if err != nil {
			return err
		}
		for inner.Next() {
			seen++
		}
		if err := inner.Close(); err != nil {
			return err
		}
	}
	if seen != 9 {
		return fmt.Errorf("%d rows were seen, want 9", seen)
	}
	return outer.Err()
}

func TestACancelledContextEndsAStatement(t *testing.T) {
	t.Parallel()
	db := open(t, ":memory:")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	rows, err := db.Query(ctx, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n")
	if err == nil {
		rows.Next()
		err = rows.Err()
		_ = rows.Close()
	}
	if err == nil {
		t.Error("a statement without end has ended")
	}
	if rows, err := db.Query(t.Context(), "SELECT 1"); err != nil {
		t.Errorf("the database cannot be used any more: %v", err)
	} else {
		_ = rows.Close()
	}
}

// If two programs create a database at once, SQLite returns an error to one of them without waiting.
func TestADatabaseIsMadeBySeveralAtOnce(t *testing.T) {
	t.Parallel()
	for range 20 {
		file := filepath.Join(t.TempDir(), "notes.db")
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				db, err := sqlite.Open(file)
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}
