package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
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

func TestATransactionOfADatabaseIsOneOfAllItsStores(t *testing.T) {
	t.Parallel()
	type coin struct {
		ID int64 `json:"id"`
	}
	type ring struct {
		ID int64 `json:"id"`
	}
	db := open(t, ":memory:")
	coins, rings := sqlstore.Table[coin](db), sqlstore.Table[ring](db)
	if err := db.Create(t.Context(), coins, rings); err != nil {
		t.Fatal(err)
	}
	given := errors.New("given up")
	for _, c := range []struct {
		then error
		want int
	}{{given, 0}, {nil, 1}} {
		err := db.Transact(t.Context(), func(ctx context.Context) error {
			return errors.Join(store.Insert(ctx, coins, &coin{}), store.Insert(ctx, rings, &ring{}), c.then)
		})
		if !errors.Is(err, c.then) {
			t.Errorf("the error is %v, want %v", err, c.then)
		}
		some, _ := coins.List(t.Context(), store.Query{})
		others, _ := rings.List(t.Context(), store.Query{})
		if len(some.Items) != c.want || len(others.Items) != c.want {
			t.Errorf("there are %d coins and %d rings, want %d", len(some.Items), len(others.Items), c.want)
		}
	}
	var missing *sqlstore.DB
	if err := missing.Transact(t.Context(), func(context.Context) error { return nil }); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("without a database: %v", err)
	}
}

// hasty opens a database whose writers wait for 20 milliseconds.
func hasty(t *testing.T, file string) *sqlstore.Store[note] {
	t.Helper()
	db := open(t, "file:"+(&url.URL{Path: file}).EscapedPath()+"?_pragma=busy_timeout(20)")
	s := sqlstore.Table[note](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNoWriterWaitsWithoutALimit(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.db")
	one, other := hasty(t, file), hasty(t, file)
	writing := func(ctx context.Context, tx store.Tx[note]) error { return tx.Insert(ctx, &note{Text: "waited"}) }
	for name, waiter := range map[string]*sqlstore.Store[note]{"in line": one, "for another program": other} {
		runs := 0
		err := one.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
			if err := tx.Insert(ctx, &note{Text: name}); err != nil {
				return err
			}
			waited := waiter.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
				runs++
				return writing(ctx, tx)
			})
			if !errors.Is(waited, store.ErrUnavailable) || runs != 0 {
				t.Errorf("%s: after %d runs: %v", name, runs, waited)
			}
			if waiter == one && (waited == nil || !strings.Contains(waited.Error(), "the context of its function")) {
				t.Errorf("%s: the error does not mention the context: %v", name, waited)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: the transaction that held the lock: %v", name, err)
		}
		if err := waiter.Transact(t.Context(), writing); err != nil {
			t.Errorf("%s: the next transaction: %v", name, err)
		}
	}
	if found := texts(t, one); len(found) != 4 {
		t.Errorf("saved: %q", found)
	}
}

func sharedKey(t *testing.T, db *sqlstore.DB, name string) []byte {
	t.Helper()
	key, err := db.SharedKey(t.Context(), name)
	if err != nil || len(key) != 32 {
		t.Errorf("the key %s has %d bytes: %v", name, len(key), err)
	}
	return key
}

func TestProgramsOnOneDatabaseShareKeys(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys.db")
	keys := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range keys {
		db := open(t, file)
		all.Go(func() { keys[i] = sharedKey(t, db, "cursors") })
	}
	all.Wait()
	for i, key := range keys {
		if !bytes.Equal(key, keys[0]) {
			t.Errorf("program %d has another key than the first", i)
		}
	}
	again := open(t, file)
	if !bytes.Equal(sharedKey(t, again, "cursors"), keys[0]) {
		t.Error("a program that starts later has another key")
	}
	if bytes.Equal(sharedKey(t, again, "other"), keys[0]) {
		t.Error("another name has the same key")
	}
	if bytes.Equal(sharedKey(t, open(t, ":memory:"), "cursors"), keys[0]) {
		t.Error("another database has the same key")
	}
}

func TestTheTableOfSharedKeysCanBeMadeByAMigration(t *testing.T) {
	t.Parallel()
	db := open(t, ":memory:")
	text, err := sqlstore.DDL(db.Keys())
	if err != nil || !strings.Contains(text, "trove_keys") {
		t.Fatalf("%s: %v", text, err)
	}
	if _, err := db.Exec(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	sharedKey(t, db, "cursors")
}

func TestWithoutADatabaseThereIsNoSharedKey(t *testing.T) {
	t.Parallel()
	var missing *sqlstore.DB
	if _, err := missing.SharedKey(t.Context(), "cursors"); err == nil || !strings.Contains(err.Error(), "the database is nil") {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(t, ":memory:").SharedKey(ctx, "cursors"); err == nil {
		t.Error("a cancelled request has a key")
	}
}

// poem is searched for words, and has a foreign key.
type poem struct {
	ID   int64  `json:"id"`
	Text string `json:"text" api:"search=fulltext"`
	Note *int64 `json:"note" api:"ref=Note"`
}

func TestARecordIsDeletedAfterAnotherProgramHasChangedTheSchema(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{"statistics": "ANALYZE", "another table": "CREATE TABLE other (id INTEGER)", "the open": ""} {
		file := filepath.Join(t.TempDir(), "poems.db")
		first := open(t, file)
		poems := sqlstore.Table[poem](first)
		create(t, first, sqlstore.Table[note](first), poems)
		err := poems.Transact(t.Context(), func(ctx context.Context, tx store.Tx[poem]) error {
			return tx.Insert(ctx, &poem{ID: 1, Text: "to be or not to be"})
		})
		if err != nil {
			t.Fatal(err)
		}
		second := open(t, file)
		if change != "" {
			if _, err := first.Exec(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		sqlstore.Table[note](second)
		err = sqlstore.Table[poem](second).Transact(t.Context(), func(ctx context.Context, tx store.Tx[poem]) error {
			return tx.Delete(ctx, int64(1))
		})
		if err != nil {
			t.Errorf("after %s: %v", name, err)
		}
	}
}
