package sqlite_test

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// page is a record that its owner sees, or everyone.
type page struct {
	ID        int64 `json:"id"`
	Owner     int64 `json:"owner" api:"filter"`
	Published bool  `json:"published" api:"filter"`
}

const visible = `SELECT id FROM pages WHERE published = 1 OR owner = 7 ORDER BY id LIMIT 30`

// plan returns how SQLite runs a query on a reading connection.
func plan(t *testing.T, db *sqlstore.DB, query string) string {
	t.Helper()
	rows, err := db.Query(t.Context(), query) // an EXPLAIN alone does not notice that the schema has changed
	if err == nil {
		err = rows.Close()
	}
	if err == nil {
		rows, err = db.Query(t.Context(), "EXPLAIN QUERY PLAN "+query+" -- "+rand.Text()) // a prepared one would return the old plan
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, "\n")
}

const sorts = "TEMP B-TREE FOR ORDER BY"

// fill inserts pages in transactions of 500.
func fill(t *testing.T, s *sqlstore.Store[page], n int, isPublished func(i int) bool) {
	t.Helper()
	all := make([]*page, n)
	for i := range all {
		all[i] = &page{Owner: int64(i % 50), Published: isPublished(i)}
	}
	for some := range slices.Chunk(all, 500) {
		if err := store.Insert(t.Context(), store.Store[page](s), some...); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAGrowingTableGetsStatisticsThatReadersKnow(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pages.db")
	db := open(t, file)
	s := sqlstore.Table[page](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	fill(t, s, 500, func(int) bool { return false })
	if hasStatistics(t, file) {
		t.Error("there are statistics of a small table")
	}
	fill(t, s, 500, func(int) bool { return false })
	if !hasStatistics(t, file) {
		t.Error("there are no statistics of 1,000 rows")
	}
	if found := plan(t, db, visible); !strings.Contains(found, sorts) {
		t.Fatalf("few pages are visible, yet all are read:\n%s", found)
	}
	fill(t, s, 15_000, func(i int) bool { return i%2 == 0 })
	if found := plan(t, db, visible); strings.Contains(found, sorts) {
		t.Errorf("half of the pages are visible, and sorted:\n%s", found)
	}
}

func TestADatabaseGetsStatisticsWhenItIsOpenedAndClosed(t *testing.T) {
	t.Parallel()
	const (
		table = `CREATE TABLE pages (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, published INTEGER NOT NULL) STRICT`
		index = `CREATE INDEX owners ON pages (owner)`
		rows  = `INSERT INTO pages (owner, published) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i % 50, i % 2 FROM n`
	)
	opened := filepath.Join(t.TempDir(), "opened.db")
	plainly(t, opened, table, index, rows)
	if hasStatistics(t, opened) {
		t.Fatal("there are statistics already")
	}
	open(t, opened)
	if !hasStatistics(t, opened) {
		t.Error("Open makes no statistics")
	}
	closed := filepath.Join(t.TempDir(), "closed.db")
	db, err := sqlite.Open(closed)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{table, index, rows} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if hasStatistics(t, closed) {
		t.Fatal("there are statistics before it is closed")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if !hasStatistics(t, closed) {
		t.Error("Close makes no statistics")
	}
}

func TestSamplesOfALargeTableShowThatAValueIsInManyRows(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("makes a million rows")
	}
	file := filepath.Join(t.TempDir(), "large.db")
	plainly(t, file, `CREATE TABLE pages (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, published INTEGER NOT NULL) STRICT`,
		`INSERT INTO pages (owner, published) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100000) SELECT i % 50, 1 FROM n`,
		`CREATE INDEX owners ON pages (owner, id)`, `CREATE INDEX published ON pages (published, id)`)
	if err := sqlite.Sample(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	db := open(t, file)
	if found := plan(t, db, visible); strings.Contains(found, sorts) {
		t.Errorf("all pages are visible, and sorted:\n%s", found)
	}
	rows, err := db.Query(t.Context(), "SELECT stat FROM sqlite_stat1 WHERE idx = 'published'")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var found string
	for rows.Next() {
		if err := rows.Scan(&found); err != nil {
			t.Fatal(err)
		}
	}
	if want := "1100000 1000001 1"; found != want {
		t.Errorf("the statistics are %q, want %q", found, want)
	}
}

// hasStatistics reports whether a file has statistics, without opening it as [sqlite.Open] does.
func hasStatistics(t *testing.T, file string) (found bool) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file)
	if err == nil {
		err = db.QueryRowContext(t.Context(), "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1')").Scan(&found)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return found
}
