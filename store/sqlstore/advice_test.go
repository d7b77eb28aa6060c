package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/store/sqlstore"
)

// song references band with a column that was an integer before.
type band struct {
	ID int64 `json:"id"`
}

type song struct {
	ID   int64   `json:"id"`
	Band int64   `json:"band" api:"ref=Band"`
	By   []int64 `json:"by" validate:"max=3" api:"ref=Band"`
}

const songs = `CREATE TABLE songs (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, band INTEGER NOT NULL) STRICT`

func TestAMissingForeignKeyIsAdvised(t *testing.T) {
	t.Parallel()
	db := open(t, songs, `INSERT INTO songs (band) VALUES (1)`)
	bands, s := sqlstore.Table[band](db), sqlstore.Table[song](db)
	if err := db.Create(t.Context(), bands, s); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("such a table works as before: %v", err)
	}
	advice, err := s.Advise(t.Context())
	if err != nil || len(advice) != 1 {
		t.Fatalf("%q, %v", advice, err)
	}
	const constraint = `CONSTRAINT "songs_band_fkey" FOREIGN KEY ("band") REFERENCES "bands" ("id")`
	for _, want := range []string{"the table songs has no foreign key on band, so it can refer to rows of bands that do not exist", constraint, `"Add a foreign key"`} {
		if !strings.Contains(advice[0], want) {
			t.Errorf("no mention of %s in %s", want, advice[0])
		}
	}
	// These are the statements that the guide shows.
	for _, statement := range []string{
		`INSERT INTO bands (id) VALUES (1)`,
		`CREATE TABLE new_songs (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, band INTEGER NOT NULL, ` + constraint + `) STRICT`,
		`INSERT INTO new_songs SELECT id, band FROM songs`, `DROP TABLE songs`, `ALTER TABLE new_songs RENAME TO songs`,
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Create(t.Context(), bands, s); err != nil {
		t.Fatal(err)
	}
	if advice, err := s.Advise(t.Context()); err != nil || advice != nil {
		t.Errorf("after the advice: %q, %v", advice, err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestForeignTablesGetNoAdvice(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE songs (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, band INTEGER NOT NULL, by TEXT NOT NULL) STRICT`)
	bands := sqlstore.Table[band](db)
	if err := db.Create(t.Context(), bands); err != nil {
		t.Fatal(err)
	}
	elsewhere := open(t, songs)
	other := sqlstore.Table[song](elsewhere)
	if err := elsewhere.Create(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*sqlstore.Store[song]{
		"a foreign table":               sqlstore.Table[song](db, sqlstore.Existing()),
		"a table of another database's": other,
	} {
		if advice, err := s.Advise(t.Context()); err != nil || advice != nil {
			t.Errorf("%s: %q, %v", name, advice, err)
		}
	}
}
