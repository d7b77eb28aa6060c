package database_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/store/sqlstore/database"
)

func TestWhatANameOpens(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"in memory": ":memory:", "a file": filepath.Join(t.TempDir(), "postgres.db")} {
		db, err := database.Open(t.Context(), file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := db.Dialect().Name(); got != "sqlite" {
			t.Errorf("%s is opened by %s", name, got)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, scheme := range []string{"postgres", "postgresql"} {
		_, err := database.Open(t.Context(), scheme+"://nobody:secret@127.0.0.1:1/none")
		if err == nil || !strings.Contains(err.Error(), "store/sqlstore/postgres") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", scheme, err)
		}
	}
	if _, err := database.Open(t.Context(), ""); err == nil {
		t.Error("nothing has been opened")
	}
}

func TestAURLOpensPostgreSQL(t *testing.T) {
	t.Parallel()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("set TROVE_TEST_POSTGRES to run the tests on PostgreSQL")
	}
	db, err := database.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if got := db.Dialect().Name(); got != "postgres" {
		t.Errorf("it is opened by %s", got)
	}
}

func TestADescriptionHasNoCredentials(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shop.db")
	for name, want := range map[string]string{
		":memory:": "in memory, lost when the program ends",
		path:       "SQLite file " + path,
		"postgres://ann:secret@db.example:5432/shop?password=secret": "PostgreSQL at db.example:5432/shop",
		"postgresql://ann:se%cret@db.example/shop":                   "PostgreSQL",
		"postgres:///shop?host=/run/postgresql&user=ann":             "PostgreSQL",
	} {
		if got := database.Describe(name); got != want {
			t.Errorf("%s is described as %q, want %q", name, got, want)
		}
	}
	if got := database.Describe("shop.db"); !strings.HasSuffix(got, "shop.db") || !filepath.IsAbs(strings.TrimPrefix(got, "SQLite file ")) {
		t.Errorf("a file in the current folder is described as %q", got)
	}
}
