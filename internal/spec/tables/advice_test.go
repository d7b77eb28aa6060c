package tables_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Keeper is what casks refer to.
type Keeper struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"unique,sort"`
}

// Cask has filters, a search and a sort field through a reference.
type Cask struct {
	ID     int64  `json:"id"`
	Kind   string `json:"kind" api:"filter"`
	Full   bool   `json:"full" api:"filter"`
	Label  string `json:"label" api:"search"`
	Age    int64  `json:"age" api:"sort"`
	Keeper int64  `json:"keeper" api:"ref=Keeper,filter,through=name"`
}

// IndexedCask declares the indexes that serve the default order of the lists.
type IndexedCask struct {
	Cask
}

func (IndexedCask) Constraints() []store.Constraint {
	return []store.Constraint{store.Index("kind", "-age"), store.Index("keeper", "age")}
}

func TestAdviceNamesTheIndexesOfALargeTable(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	keepers, casks, indexed := sqlstore.Table[Keeper](db), sqlstore.Table[Cask](db), sqlstore.Table[IndexedCask](db)
	if err := db.Create(t.Context(), keepers, casks, indexed); err != nil {
		t.Fatal(err)
	}
	lines := func() string {
		var log bytes.Buffer
		_, err := resource.New(resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))},
			resource.Of[Keeper]{Store: keepers},
			resource.Of[Cask]{Store: casks, Order: []string{"-age"}},
			resource.Of[IndexedCask]{Store: indexed, Order: []string{"-age"}},
		)
		if err != nil {
			t.Fatal(err)
		}
		return log.String()
	}
	if log := lines(); log != "" {
		t.Errorf("small tables: %s", log)
	}
	for _, table := range []string{"casks", "indexed_casks"} {
		statements := []string{
			"INSERT INTO keepers (id, name) VALUES (1, 'Ann') ON CONFLICT DO NOTHING",
			"INSERT INTO " + table + " (kind, full, label, label__folded, age, keeper) WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 50001) " +
				"SELECT 'oak', 0, 'A', 'a', n, 1 FROM c",
		}
		for _, statement := range statements {
			if _, err := db.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	log := lines()
	const (
		what    = `level=INFO msg=store resource=Cask advice="the table casks has more than 50000 rows, and no index serves filters in the default order; `
		declare = `declare store.Index(\"kind\", \"-age\"), store.Index(\"keeper\", \"-age\"); searches in label; sorting by keeper.name"`
		other   = `resource=IndexedCask advice="the table indexed_casks has more than 50000 rows, and no index serves searches in label; sorting by keeper.name"`
	)
	if !strings.Contains(log, what+declare) || !strings.Contains(log, other) || strings.Count(log, "\n") != 2 {
		t.Errorf("large tables: %s", log)
	}
}

func TestAnIndexThatTheTableLacksIsAdvised(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	casks := sqlstore.Table[IndexedCask](db)
	if err := db.Create(t.Context(), sqlstore.Table[Keeper](db), casks); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"DROP INDEX indexed_casks_age_idx", "DROP INDEX indexed_casks_kind_idx", "CREATE INDEX indexed_casks_kind_idx ON indexed_casks (kind)",
		"DROP INDEX indexed_casks_kind_age_desc_idx", "CREATE INDEX indexed_casks_kind_age_desc_idx ON indexed_casks (kind, age, id)",
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := casks.Advise(t.Context())
	const (
		other   = "the table indexed_casks has the index indexed_casks_kind_idx with other columns than kind, id: call db.Migrate, or run DROP INDEX"
		missing = "the table indexed_casks lacks the index indexed_casks_age_idx: call db.Migrate, or run CREATE INDEX"
		reverse = "the table indexed_casks has the index indexed_casks_kind_age_desc_idx with other columns than kind, age DESC, id DESC"
	)
	if all := strings.Join(lines, "\n"); err != nil || len(lines) != 3 || !strings.Contains(all, other) || !strings.Contains(all, missing) || !strings.Contains(all, reverse) {
		t.Errorf("%q, %v", lines, err)
	}
	if err := db.Create(t.Context(), casks); err != nil { // it leaves the ones that differ
		t.Error(err)
	}
}
