package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Dock is a record that others refer to.
type Dock struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"required"`
}

// Ship refers to its dock, and goes with it.
type Ship struct {
	ID      int64   `json:"id"`
	Name    string  `json:"name" validate:"required"`
	Dock    int64   `json:"dock" api:"ref=Dock,ondelete=cascade"`
	Spare   *int64  `json:"spare" api:"ref=Dock,ondelete=null"`
	Visited []int64 `json:"visited" validate:"max=9" api:"ref=Dock,ondelete=cascade"`
	Version int64   `json:"version" api:"version"`
}

// Sailor goes with the ship.
type Sailor struct {
	ID   int64 `json:"id"`
	Ship int64 `json:"ship" api:"ref=Ship,ondelete=cascade"`
}

// harbour is an API whose commits are noted, with its stores.
type harbour struct {
	spec.Client

	docks   store.Store[Dock]
	ships   store.Store[Ship]
	sailors store.Store[Sailor]
	commits *[]string
}

// inHarbours runs a test on each database, and on the stores in memory.
func inHarbours(t *testing.T, test func(t *testing.T, h harbour)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, newHarbour(t, memory.New[Dock](), memory.New[Ship](), memory.New[Sailor]()))
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			docks, ships, sailors := sqlstore.Table[Dock](db), sqlstore.Table[Ship](db), sqlstore.Table[Sailor](db)
			if err := db.Create(t.Context(), docks, ships, sailors); err != nil {
				t.Fatal(err)
			}
			test(t, newHarbour(t, docks, ships, sailors))
		})
	}
}

func newHarbour(t *testing.T, docks store.Store[Dock], ships store.Store[Ship], sailors store.Store[Sailor]) harbour {
	t.Helper()
	var mu sync.Mutex
	commits := &[]string{}
	config := resource.Config{References: resource.Identifiers, Committed: func(_ context.Context, changes []store.Change) {
		mu.Lock()
		defer mu.Unlock()
		var told []string
		for _, change := range changes {
			told = append(told, shortly(change))
		}
		*commits = append(*commits, strings.Join(told, "; "))
	}}
	c := spec.NewClient(t, config, resource.Of[Dock]{Store: docks, Operations: append(operation.Standard(), operation.Post{
		Name: "refit", URITemplate: "/docks/{id}/refit",
		Handler: operation.Handle(func(ctx context.Context, d *Dock, _ struct{}) (struct{}, error) {
			if err := store.Insert(ctx, ships, &Ship{Name: "new", Dock: d.ID}); err != nil {
				return struct{}{}, err
			}
			if d.Name == "closed" {
				return struct{}{}, errors.New("no refit here")
			}
			d.Name += "!"
			return struct{}{}, nil
		}),
	})}, resource.Of[Ship]{Store: ships}, resource.Of[Sailor]{Store: sailors})
	return harbour{c, docks, ships, sailors, commits}
}

// shortly writes a change in short.
func shortly(change store.Change) string {
	text := func(record any) string {
		switch r := record.(type) {
		case *Dock:
			return r.Name
		case *Ship:
			return fmt.Sprintf("%s dock=%d spare=%v visited=%v", r.Name, r.Dock, r.Spare != nil, r.Visited)
		case *Sailor:
			return fmt.Sprintf("ship=%d", r.Ship)
		}
		return "-"
	}
	return fmt.Sprintf("%s %T: %s -> %s", change, change.Record(), text(change.Before), text(change.After))
}

// has asserts the commits since the last call.
func (h harbour) has(t *testing.T, want ...string) {
	t.Helper()
	if got := *h.commits; !slices.Equal(got, want) {
		t.Errorf("the commits are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	*h.commits = nil
}

func TestEachCommitIsReportedOnceWithAllThatItChanged(t *testing.T) {
	t.Parallel()
	inHarbours(t, func(t *testing.T, h harbour) {
		t.Helper()
		h.Send("POST /api/docks", `{"name":"north"}`).HasStatus(201)
		h.has(t, "inserted 1 *hooks_test.Dock: - -> north")
		h.Send("PATCH /api/docks/1", `{"name":"south"}`).HasStatus(200)
		h.has(t, "updated 1 *hooks_test.Dock: north -> south")
		h.Send("POST /api/docks/1/refit", "").HasStatus(204)
		h.has(t, "inserted 1 *hooks_test.Ship: - -> new dock=1 spare=false visited=[]; updated 1 *hooks_test.Dock: south -> south!")
		h.Send("GET /api/docks/1", "").HasStatus(200)
		h.Send("POST /api/docks", `{"name":""}`).HasStatus(400)
		h.has(t)
	})
}

func TestARollbackReportsNothing(t *testing.T) {
	t.Parallel()
	inHarbours(t, func(t *testing.T, h harbour) {
		t.Helper()
		h.Send("POST /api/docks", `{"name":"closed"}`).HasStatus(201)
		h.has(t, "inserted 1 *hooks_test.Dock: - -> closed")
		h.Send("POST /api/docks/1/refit", "").HasStatus(500)
		h.has(t)
	})
}

func TestADeleteReportsWhatItDeletesAndChangesWithIt(t *testing.T) {
	t.Parallel()
	inHarbours(t, func(t *testing.T, h harbour) {
		t.Helper()
		for _, name := range []string{"a", "b"} {
			h.Send("POST /api/docks", `{"name":"`+name+`"}`).HasStatus(201)
		}
		h.Send("POST /api/ships", `{"name":"gone","dock":1,"spare":1,"visited":[1]}`).HasStatus(201)
		h.Send("POST /api/ships", `{"name":"kept","dock":2,"spare":1,"visited":[1,2]}`).HasStatus(201)
		h.Send("POST /api/sailors", `{"ship":1}`).HasStatus(201)
		*h.commits = nil
		h.Send("DELETE /api/docks/1", "").HasStatus(204)
		h.has(t, strings.Join([]string{
			"deleted 1 *hooks_test.Dock: a -> -",
			"deleted 1 *hooks_test.Ship: gone dock=1 spare=true visited=[1] -> -",
			"deleted 1 *hooks_test.Sailor: ship=1 -> -",
			"updated 2 *hooks_test.Ship: kept dock=2 spare=true visited=[1 2] -> kept dock=2 spare=false visited=[2]",
		}, "; "))
	})
}

func TestJobsAreReportedToo(t *testing.T) {
	t.Parallel()
	inHarbours(t, func(t *testing.T, h harbour) {
		t.Helper()
		err := h.docks.Transact(t.Context(), func(ctx context.Context, tx store.Tx[Dock]) error {
			dock := &Dock{Name: "job"}
			if err := tx.Insert(ctx, dock); err != nil {
				return err
			}
			dock.Name = "done"
			if err := tx.Update(ctx, dock.ID, dock); err != nil {
				return err
			}
			return store.Insert(ctx, h.ships, &Ship{Name: "s", Dock: dock.ID})
		})
		if err != nil {
			t.Fatal(err)
		}
		h.has(t, "inserted 1 *hooks_test.Dock: - -> done; inserted 1 *hooks_test.Ship: - -> s dock=1 spare=false visited=[]")
	})
}

func TestAPanicInCommittedIsNoFailureOfTheRequest(t *testing.T) {
	t.Parallel()
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			docks := sqlstore.Table[Dock](db)
			if err := db.Create(t.Context(), docks); err != nil {
				t.Fatal(err)
			}
			config := resource.Config{Committed: func(context.Context, []store.Change) { panic("no") }}
			c := spec.NewClient(t, config, resource.Of[Dock]{Store: docks})
			c.Send("POST /api/docks", `{"name":"x"}`).HasStatus(201)
			c.Send("GET /api/docks/1", "").HasStatus(200)
		})
	}
}

func TestCommittedMayUseTheStores(t *testing.T) {
	t.Parallel()
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			docks := sqlstore.Table[Dock](db)
			if err := db.Create(t.Context(), docks); err != nil {
				t.Fatal(err)
			}
			var failed error
			config := resource.Config{Committed: func(ctx context.Context, changes []store.Change) {
				if dock, ok := changes[0].After.(*Dock); ok && dock.Name == "x" {
					failed = store.Insert(ctx, docks, &Dock{Name: "copy"})
				}
			}}
			c := spec.NewClient(t, config, resource.Of[Dock]{Store: docks, Prepare: func(context.Context, *operation.Request, *Dock) error { return nil }})
			c.Send("POST /api/docks", `{"name":"x"}`).HasStatus(201)
			if failed != nil {
				t.Fatal(failed)
			}
			c.Send("GET /api/docks/2", "").Mentions(`"copy"`)
		})
	}
}

// silent is a store that reports nothing.
type silent struct{ inner store.Store[Dock] }

func (s silent) Get(ctx context.Context, id any) (*Dock, error) { return s.inner.Get(ctx, id) }
func (s silent) List(ctx context.Context, q store.Query) (store.Page[Dock], error) {
	return s.inner.List(ctx, q)
}

func (s silent) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[Dock]) error) error {
	return s.inner.Transact(ctx, fn)
}

func TestCommittedNeedsAStoreThatReports(t *testing.T) {
	t.Parallel()
	config := resource.Config{Committed: func(context.Context, []store.Change) {}}
	_, err := resource.New(config, resource.Of[Dock]{Store: silent{}})
	if err == nil || !strings.Contains(err.Error(), "Dock: the store (hooks_test.silent) does not report changes to Config.Committed") {
		t.Errorf("New returns %v", err)
	}
}
