package main

import (
	"database/sql"
	_ "embed"
	"path/filepath"
	"testing"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Treasure is the record of a table that was older than its references.
type Treasure struct {
	ID    int64    `json:"id"`
	Owner int64    `json:"owner" api:"ref=User"`
	Tags  []string `json:"tags" validate:"max=20" api:"ref=Tag"`
}

type Tag struct {
	ID string `json:"id" validate:"notblank"`
}

var (
	//go:embed migrations/foreign_key.sql
	addForeignKey string
	//go:embed migrations/list.sql
	moveList string
)

func TestMigrationsOfTheGuideRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "guide.db")
	migrating, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = migrating.Close() }()
	migrating.SetMaxOpenConns(1)
	db, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	users, tags, treasures := sqlstore.Table[User](db), sqlstore.Table[Tag](db), sqlstore.Table[Treasure](db)
	run := func(statements ...string) {
		t.Helper()
		for _, each := range statements {
			if _, err := migrating.ExecContext(t.Context(), each); err != nil {
				t.Fatalf("%s: %v", each, err)
			}
		}
	}
	run(`CREATE TABLE treasures (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, tags TEXT NOT NULL) STRICT`)
	if err := db.Create(t.Context(), users, tags); err != nil {
		t.Fatal(err)
	}
	run(`INSERT INTO users (id, name, name__folded, password) VALUES (1, 'ann', 'ann', '')`, `INSERT INTO tags (id) VALUES ('old')`,
		`INSERT INTO treasures (owner, tags) VALUES (1, '["old"]')`, addForeignKey)
	run(`CREATE TABLE treasures_tags (record INTEGER NOT NULL REFERENCES treasures (id) ON DELETE CASCADE, position INTEGER NOT NULL,
		target TEXT NOT NULL REFERENCES tags (id), PRIMARY KEY (record, position)) STRICT`, moveList)
	if err := db.Create(t.Context(), treasures); err != nil {
		t.Fatal(err)
	}
	if _, err := resource.New(resource.Config{}, resource.Of[User]{Store: users, BeforeTransaction: accounts(users).Hash}, resource.Of[Tag]{Store: tags}, resource.Of[Treasure]{Store: treasures}); err != nil {
		t.Fatal(err)
	}
	if got, err := treasures.Get(t.Context(), int64(1)); err != nil || len(got.Tags) != 1 || got.Tags[0] != "old" {
		t.Errorf("the treasure is %+v, %v", got, err)
	}
}
