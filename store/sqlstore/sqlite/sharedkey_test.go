package sqlite_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/store/sqlstore"
)

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
