package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// newDatabaseAPI makes the API of a program whose database is named by TROVE_DB.
func newDatabaseAPI(ctx context.Context) (*resource.API, error) {
	db, err := sqlite.Open(os.Getenv("TROVE_DB"))
	if err != nil {
		return nil, err
	}
	books := sqlstore.Table[Book](db)
	if _, err := db.Migrate(ctx, books); err != nil {
		return nil, err
	}
	return resource.New(resource.Config{}, resource.Of[Book]{Store: books})
}

func TestMainPrintsAndWritesThePlanOfTheDatabase(t *testing.T) {
	folder := t.TempDir()
	file, migrations := filepath.Join(folder, "books.db"), filepath.Join(folder, "migrations")
	t.Setenv("TROVE_DB", file)
	out, logs, status := runMain(t, "database", "-plan")
	if status != 0 || logs != "" || !strings.Contains(out, "1. Create the table books with its indexes. (expand; Migrate runs it)\n") {
		t.Errorf("%d %s %s", status, out, logs)
	}
	for tool, want := range map[string]string{"goose": "-- +goose Up", "atlas": "CREATE TABLE"} {
		out, logs, status = runMain(t, "database", "-migrations", migrations+tool, "-migration-tool", tool)
		entries, err := os.ReadDir(migrations + tool)
		if err != nil || len(entries) != 1 || status != 0 || logs != "" || !strings.Contains(out, "wrote "+filepath.Join(migrations+tool, entries[0].Name())) {
			t.Fatalf("%v %v %d %s %s", entries, err, status, out, logs)
		}
		if text, err := os.ReadFile(filepath.Join(migrations+tool, entries[0].Name())); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s, %v", text, err)
		}
		if hint := "Now run: atlas migrate hash"; strings.Contains(out, hint) != (tool == "atlas") {
			t.Errorf("%s: %s", tool, out)
		}
	}
	if _, logs, status = runMain(t, "database", "-migrations", migrations, "-migration-tool", "other"); status != 1 || !strings.Contains(logs, "allowed: goose, atlas") {
		t.Errorf("%d %s", status, logs)
	}
	if _, logs, status = runMain(t, "bookshop", "-plan"); status != 1 || !strings.Contains(logs, "there is no plan") {
		t.Errorf("a program without a database: %d %s", status, logs)
	}
	db, err := sqlite.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if left, err := db.Plan(t.Context(), sqlstore.Table[Book](db)); err != nil || len(left.Steps) == 0 {
		t.Errorf("the flags change the database: %v", err)
	}
	if _, err := db.Migrate(t.Context(), sqlstore.Table[Book](db)); err != nil {
		t.Fatal(err)
	}
	if out, _, status = runMain(t, "database", "-plan"); status != 0 || out != "The tables fit the structs.\n" {
		t.Errorf("%d %s", status, out)
	}
}
