package relations_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// grain has two of ten thousand marks.
type grain struct {
	ID    int64   `json:"id"`
	Marks []int64 `json:"marks" validate:"max=9" api:"ref=Mark,filter"`
}

type mark struct {
	ID int64 `json:"id"`
}

const manyGrains = 10_000

// What a client may give of one filter is bounded; what a program asks a store is not, and 5,000 values
// take twice the memory of 2,500 and no more. How often they are compared is in store/memory, and left
// to the database elsewhere.
//
//nolint:paralleltest // it counts what the whole process allocates
func TestTheMemoryOfAFilterIsLinearInItsValues(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) (store.Store[grain], store.Store[mark]){"memory": grainsInMemory, "SQLite": grainsInSQLite} {
		t.Run(name, func(t *testing.T) {
			grains, marks := open(t)
			half, all := allocated(t, grains, 2_500), allocated(t, grains, 5_000)
			if float64(all) > 2.5*float64(half) {
				t.Errorf("2,500 values take %d bytes, and 5,000 take %d", half, all)
			}
			if perValue := all / 5_000; perValue > 500 {
				t.Errorf("each of 5,000 values takes %d bytes", perValue)
			}
			c := spec.NewClient(t, resource.Config{MaxURLBytes: 1 << 20}, resource.Of[grain]{Store: grains}, resource.Of[mark]{Store: marks})
			var query strings.Builder
			for i := range 5_000 {
				fmt.Fprintf(&query, "&marks=/api/marks/%d", i+1)
			}
			c.Send("GET /api/grains?itemsPerPage=10"+query.String(), "").IsProblem(http.StatusBadRequest).Mentions("marks must be given at most 100 times")
		})
	}
}

func grainsInMemory(t *testing.T) (store.Store[grain], store.Store[mark]) {
	t.Helper()
	grains := make([]grain, manyGrains)
	for i := range grains {
		grains[i].Marks = []int64{int64(i + 1), int64((i+1)%manyGrains + 1)}
	}
	return memory.New(grains...), memory.New(make([]mark, manyGrains)...)
}

func grainsInSQLite(t *testing.T) (store.Store[grain], store.Store[mark]) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "grains.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	grains, marks := sqlstore.Table[grain](db), sqlstore.Table[mark](db)
	if err := db.Create(t.Context(), grains, marks); err != nil {
		t.Fatal(err)
	}
	numbers := fmt.Sprintf("WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM n WHERE n < %d) ", manyGrains)
	for _, statement := range []string{
		"INSERT INTO marks (id) " + numbers + "SELECT n FROM n", "INSERT INTO grains (id) " + numbers + "SELECT n FROM n",
		"INSERT INTO grains_marks (record, position, target) " + numbers + "SELECT n, 0, n FROM n",
		"INSERT INTO grains_marks (record, position, target) " + numbers + fmt.Sprintf("SELECT n, 1, n %% %d + 1 FROM n", manyGrains),
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return grains, marks
}

// allocated returns the bytes that a page of a filter of so many values takes, the least of a few.
func allocated(t *testing.T, grains store.Store[grain], values int) uint64 {
	t.Helper()
	given := make([]any, values)
	for i := range given {
		given[i] = int64(i + 1)
	}
	query := store.Query{Where: []store.Condition{{Fields: []string{"marks"}, Operator: store.Equal, Values: given}}, Limit: 10, Count: true}
	least := ^uint64(0)
	for range 4 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		page, err := grains.List(t.Context(), query)
		runtime.ReadMemStats(&after)
		if err != nil || page.Total != values+1 {
			t.Fatalf("%d values find %+v, %v", values, page, err)
		}
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
