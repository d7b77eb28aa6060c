package relations_test

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Rune is what stones list. Callers other than seers see only some runes, and few of their meanings.
type Rune struct {
	ID      int64  `json:"id"`
	Name    string `json:"name" api:"filter,sort"`
	Hidden  bool   `json:"hidden" api:"filter"`
	Meaning string `json:"meaning" api:"filter"`
	Age     int    `json:"age" api:"filter=range,sort"`
	Rank    int    `json:"rank" api:"sort"`
}

type Stone struct {
	ID    int64   `json:"id"`
	Runes []int64 `json:"runes" validate:"max=5" api:"ref=Rune,expand,filter,through=name|meaning|age"`
}

// stones returns an API on each sort of store, with four runes and five stones.
func stones(t *testing.T, rules access.Rules, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	config := resource.Config{Authentication: []access.Scheme{
		access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (string, access.Scopes, error) { return key, nil, nil }),
	}}
	run := func(t *testing.T, stones store.Store[Stone], runes store.Store[Rune]) {
		t.Helper()
		walk := operation.GetCollection{Name: "walk", URITemplate: "/walk", Pagination: operation.Pagination{ViaCursor: new(true)}}
		c := spec.NewClient(t, config, resource.Of[Stone]{Store: stones, Access: everybodySees(), Operations: append(operation.Standard(), walk)},
			resource.Of[Rune]{Store: runes, Access: rules})
		for _, body := range []string{
			`{"name":"ash","hidden":false,"meaning":"tree","age":3,"rank":1}`,
			`{"name":"oak","hidden":false,"meaning":"tree","age":9,"rank":2}`,
			`{"name":"elm","hidden":true,"meaning":"seat","age":9,"rank":3}`,
			`{"name":"ash","hidden":true,"meaning":"fire","age":1,"rank":4}`,
		} {
			c.Send("POST /api/runes", body).HasStatus(http.StatusCreated)
		}
		for _, body := range []string{
			`{"runes":["/api/runes/1","/api/runes/2"]}`, `{"runes":["/api/runes/3"]}`, `{"runes":[]}`,
			`{"runes":["/api/runes/4","/api/runes/3","/api/runes/1"]}`, `{"runes":["/api/runes/2","/api/runes/4"]}`,
		} {
			c.Send("POST /api/stones", body, "X-API-Key", "seer").HasStatus(http.StatusCreated)
		}
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, nil, nil)
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			stones, runes := sqlstore.Table[Stone](db), sqlstore.Table[Rune](db)
			if err := db.Create(t.Context(), stones, runes); err != nil {
				t.Fatal(err)
			}
			run(t, stones, runes)
		})
	}
}

func TestAFilterThroughAListIsFulfilledByOneOfItsRecords(t *testing.T) {
	t.Parallel()
	stones(t, everybodySees(), func(t *testing.T, c spec.Client) {
		t.Helper()
		for query, want := range map[string]string{
			"runes.name=ash":                            "1 4 5",
			"runes.name=elm":                            "2 4",
			"runes.name=ash&runes.name=elm":             "1 2 4 5",
			"runes.name=ash&runes.meaning=fire":         "4 5", // of one rune, and not of 1 and 4 together
			"runes.name=oak&runes.meaning=fire":         "",
			"runes.name[ne]=ash":                        "1 2 4 5",
			"runes.name[ne]=elm":                        "1 4 5",
			"runes.age[gte]=9":                          "1 2 4 5",
			"runes.age[between]=2..4":                   "1 4",
			"runes.age[lt]=2&runes=/api/runes/3":        "4",
			"runes.name=nobody":                         "",
			"runes.name=ash&itemsPerPage=2&page=2":      "5",
			"runes.meaning=tree&runes.meaning=seat":     "1 2 4 5",
			"runes.meaning=tree&runes.age[lt]=4":        "1 4",
			"runes.name=ash&runes.name=oak&page=1":      "1 4 5",
			"runes.name[ne]=elm&runes.name[ne]=oak":     "1 4 5",
			"runes.name=elm&expand=runes&runes.age=9.9": "400",
		} {
			answer := c.Send("GET /api/stones?"+query, "")
			if want == "400" {
				answer.HasStatus(http.StatusBadRequest)
				continue
			}
			if got := spec.NumbersIn(answer.HasStatus(http.StatusOK).Body); got != want {
				t.Errorf("%s: found %s, want %s", query, got, want)
			}
		}
		if total := c.Send("GET /api/stones?runes.meaning=tree&itemsPerPage=1", "").Header.Get("X-Total-Count"); total != "3" {
			t.Errorf("the total is %s, want 3: a stone with two such runes is one", total)
		}
		// The expansion shows the whole list, regardless of the filter.
		c.Send("GET /api/stones?runes.name=oak&expand=runes", "").Mentions(`"name":"ash"`, `"name":"oak"`)
	})
}

func TestOnlyWhatMayBeSeenIsFoundThroughAList(t *testing.T) {
	t.Parallel()
	seer := access.If("seer", func(key string) bool { return key == "seer" })
	rules := everybodySees()
	rules.Read = access.Any(access.Where("hidden", false), seer)
	rules.Fields = map[string]access.Field{"meaning": {Read: access.Any(access.Where("name", "oak"), seer)}}
	stones(t, rules, func(t *testing.T, c spec.Client) {
		t.Helper()
		for _, ask := range []struct{ key, query, want, total string }{
			{"seer", "runes.name=ash", "1 4 5", "3"},
			{"other", "runes.name=ash", "1 4", "2"},
			{"other", "runes.name=elm", "", "0"},
			{"other", "runes.name[ne]=oak", "1 4", "2"},
			{"other", "runes.age[gte]=9", "1 5", "2"},
			{"seer", "runes.meaning=tree", "1 4 5", "3"},
			{"other", "runes.meaning=tree", "1 5", "2"},
			{"other", "runes.meaning[ne]=tree", "", "0"},
			{"other", "runes.name=ash&runes.age[lt]=2", "", "0"},
		} {
			answer := c.Send("GET /api/stones?"+ask.query, "", "X-API-Key", ask.key).HasStatus(http.StatusOK).Has("Cache-Control", "private, no-cache")
			if got := spec.NumbersIn(answer.Body); got != ask.want || answer.Header.Get("X-Total-Count") != ask.total {
				t.Errorf("%s asks %s: found %s of %s, want %s", ask.key, ask.query, got, answer.Header.Get("X-Total-Count"), ask.want)
			}
			var walked []string
			for next := "/api/walk?itemsPerPage=1&" + ask.query; next != ""; {
				page := c.Send("GET "+next, "", "X-API-Key", ask.key).HasStatus(http.StatusOK)
				if found := spec.NumbersIn(page.Body); found != "" {
					walked = append(walked, found)
				}
				next = page.Link("next")
			}
			if got := strings.Join(walked, " "); got != ask.want {
				t.Errorf("%s walks %s: found %s, want %s", ask.key, ask.query, got, ask.want)
			}
		}
	})
}

func TestNoOrderGoesThroughAList(t *testing.T) {
	t.Parallel()
	stones(t, everybodySees(), func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("GET /api/stones?sort=runes.name", "").HasStatus(http.StatusBadRequest)
		c.Send("GET /api/stones?order[runes.name]=asc", "").HasStatus(http.StatusBadRequest)
	})
	type ranked struct {
		ID    int64   `json:"id"`
		Runes []int64 `json:"runes" validate:"max=5" api:"ref=Rune,through=rank|name"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[ranked]{}, resource.Of[Rune]{})
	if want := "ranked.Runes: through=rank needs a field of Rune with filter; allowed: name, hidden, meaning, age"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want one with %s", err, want)
	}
	_, err = resource.New(resource.Config{}, resource.Of[Stone]{Operations: []operation.Operation{operation.GetCollection{Order: []string{"runes.name"}}}}, resource.Of[Rune]{})
	if want := `Order has "runes.name"; allowed: id, each with a - before it`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want one with %s", err, want)
	}
}

func TestThroughDoesNotSupportAListInAColumnOfJSON(t *testing.T) {
	t.Parallel()
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			runes, stones := sqlstore.Table[Rune](db), sqlstore.Table[Stone](db, sqlstore.Existing())
			if err := db.Create(t.Context(), runes); err != nil {
				t.Fatal(err)
			}
			_, err := resource.New(resource.Config{}, resource.Of[Stone]{Store: stones}, resource.Of[Rune]{Store: runes})
			const want = "Stone.Runes: through=name|meaning|age does not work with the store of Rune: " +
				"sqlstore: runes of the table stones is a list in a JSON column, which queries cannot go through"
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, want one with %s", err, want)
			}
		})
	}
}

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
