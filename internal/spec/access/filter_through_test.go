package access_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

type depot struct {
	ID    int64  `json:"id"`
	Owner string `json:"owner"`
}

type crate struct {
	ID    int64  `json:"id"`
	Depot *int64 `json:"depot" api:"ref=Depot,filter"`
}

type parcel struct {
	ID     int64   `json:"id"`
	Crate  *int64  `json:"crate" api:"ref=Crate,expand,filter"`
	Depots []int64 `json:"depots" validate:"max=5" api:"ref=Depot"`
	Note   string  `json:"note" api:"filter"`
}

// throughOwn returns the conditions of parcels whose crate is in a depot of the caller.
func throughOwn(_ context.Context, c *spec.Captain) ([]store.Condition, error) {
	own := store.Condition{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{c.Name}}
	inDepot := store.Condition{Through: "depot", Any: [][]store.Condition{{own}}}
	return []store.Condition{{Any: [][]store.Condition{
		{{Through: "crate", Any: [][]store.Condition{{inDepot}}}},
		{{Through: "depots", Any: [][]store.Condition{{own}}}},
	}}}, nil
}

// eachDepot runs a test with depots and crates that only root may read, and parcels that a rule shows through them.
func eachDepot(t *testing.T, run func(t *testing.T, c spec.Client)) {
	t.Helper()
	start := func(t *testing.T, depots store.Store[depot], crates store.Store[crate], parcels store.Store[parcel]) {
		t.Helper()
		own, everyone := access.Filter("own", throughOwn), access.Authenticated
		c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
			resource.Of[depot]{Store: depots, Access: access.Rules{Read: spec.IsAdmin, Create: everyone, Update: everyone, Delete: everyone}},
			resource.Of[crate]{Store: crates, Access: access.Rules{Read: spec.IsAdmin, Create: everyone, Update: everyone, Delete: everyone}},
			resource.Of[parcel]{Store: parcels, Access: access.Rules{
				Read: access.Any(own, spec.IsAdmin), Create: spec.IsAdmin, Update: access.Any(own, spec.IsAdmin), Delete: access.Any(own, spec.IsAdmin),
				Fields: map[string]access.Field{"note": {Read: own}},
			}},
		)
		for request, bodies := range map[string][]string{"POST /api/depots": {`{"owner":"ann"}`, `{"owner":"bob"}`}} {
			for _, body := range bodies {
				c.As("root", request, body).HasStatus(http.StatusCreated)
			}
		}
		for _, body := range []string{`{"depot":"/api/depots/1"}`, `{"depot":"/api/depots/2"}`, `{"depot":null}`} {
			c.As("root", "POST /api/crates", body).HasStatus(http.StatusCreated)
		}
		for _, body := range []string{
			`{"crate":"/api/crates/1","note":"a"}`, `{"crate":"/api/crates/2","note":"b"}`, `{"crate":"/api/crates/3","note":"c"}`,
			`{"crate":null,"note":"d"}`, `{"crate":"/api/crates/2","depots":["/api/depots/2","/api/depots/1"],"note":"e"}`,
		} {
			c.As("root", "POST /api/parcels", body).HasStatus(http.StatusCreated)
		}
		run(t, c)
	}
	t.Run("memory", func(t *testing.T) { start(t, nil, nil, nil) })
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			depots, crates, parcels := sqlstore.Table[depot](db), sqlstore.Table[crate](db), sqlstore.Table[parcel](db)
			if err := db.Create(t.Context(), depots, crates, parcels); err != nil {
				t.Fatal(err)
			}
			start(t, depots, crates, parcels)
		})
	}
}

// A Filter shows records by those that they refer to, directly or in steps, although the caller may not read these.
func TestFiltersGoThroughReferences(t *testing.T) {
	t.Parallel()
	eachDepot(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		for who, want := range map[string]string{"ann": "[1 5]", "bob": "[2 5]", "root": "[1 2 3 4 5]"} {
			list := c.As(who, "GET /api/parcels", "").HasStatus(http.StatusOK)
			if got := fmt.Sprint(spec.IDsOf(t, list.Body)); got != want {
				t.Errorf("%s sees %s, want %s", who, got, want)
			}
			list.Has("X-Total-Count", spec.Itoa(strings.Count(want, " ")+1))
			for _, id := range []string{"1", "2", "3", "4", "5"} {
				status := http.StatusNotFound
				if strings.Contains(want, id) {
					status = http.StatusOK
				}
				c.As(who, "GET /api/parcels/"+id, "").HasStatus(status)
			}
		}
		// Fields and changes follow the same rule.
		c.As("root", "GET /api/parcels/1", "").Lacks(`"note"`)
		c.As("ann", "GET /api/parcels?note=b", "").HasIDs("[]")
		c.As("ann", "GET /api/parcels?note=a", "").HasIDs(`[{"id":1}]`)
		c.As("bob", "DELETE /api/parcels/1", "").HasStatus(http.StatusNotFound)
		c.As("ann", "PATCH /api/parcels/1", `{"note":"changed"}`).HasStatus(http.StatusOK)
		// Ann may not give a parcel away, or take one.
		c.As("ann", "PATCH /api/parcels/1", `{"crate":null}`).HasStatus(http.StatusForbidden)
		c.As("root", "PATCH /api/crates/1", `{"depot":"/api/depots/2"}`).HasStatus(http.StatusOK)
		c.As("ann", "GET /api/parcels/1", "").HasStatus(http.StatusNotFound)
		c.As("bob", "GET /api/parcels/1", "").HasStatus(http.StatusOK)
	})
}

// A condition that goes through a name which is not a reference is a 500, and the log has the reason.
func TestTheLogSaysWhyAFilterCannotGoThroughAField(t *testing.T) {
	t.Parallel()
	for through, want := range map[string]string{
		"note":   `access.Filter(\"odd\") returns invalid conditions: a condition goes through \"note\", which is not a reference of access_test.parcel; allowed: crate, depots`,
		"absent": `a condition goes through \"absent\", which is not a reference`,
	} {
		odd := access.Filter("odd", func(context.Context, *spec.Captain) ([]store.Condition, error) {
			return []store.Condition{{Through: through, Any: [][]store.Condition{{}}}}, nil
		})
		var log bytes.Buffer
		all := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
		c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Logger: slog.New(slog.NewTextHandler(&log, nil))},
			resource.Of[depot]{Access: all}, resource.Of[crate]{Access: all},
			resource.Of[parcel]{Access: access.Rules{Read: odd, Create: access.Public, Update: odd, Delete: odd}})
		c.As("ann", "POST /api/parcels", `{"note":"a"}`).HasStatus(http.StatusCreated)
		for _, path := range []string{"/api/parcels", "/api/parcels/1"} {
			log.Reset()
			c.As("ann", "GET "+path, "").IsProblem(http.StatusInternalServerError).Lacks(through)
			if !strings.Contains(log.String(), want) {
				t.Errorf("GET %s logs %s, want %s", path, log.String(), want)
			}
		}
	}
}

func TestAnImportIsCheckedThroughReferences(t *testing.T) {
	t.Parallel()
	type note struct {
		ID    int64  `json:"id"`
		Depot *int64 `json:"depot" api:"ref=Depot"`
	}
	own := access.Filter("own", func(_ context.Context, c *spec.Captain) ([]store.Condition, error) {
		mine := store.Condition{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{c.Name}}
		return []store.Condition{{Through: "depot", Any: [][]store.Condition{{mine}}}}, nil
	})
	start := func(t *testing.T, depots store.Store[depot], notes store.Store[note]) {
		t.Helper()
		add := func(ctx context.Context, _ *note, list []operation.CreateOf[note]) (struct{}, error) {
			for _, each := range list {
				if _, err := each.Save(ctx); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, nil
		}
		everyone := access.Authenticated
		c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
			resource.Of[depot]{Store: depots, Access: access.Rules{Read: everyone, Create: everyone, Update: everyone, Delete: everyone}},
			resource.Of[note]{Store: notes, Access: access.Only(own), Operations: append(operation.Standard(),
				operation.Post{Name: "import", URITemplate: "/notes/import", Access: everyone, Handler: operation.Handle(add)})})
		c.As("ann", "POST /api/depots", `{"owner":"ann"}`).HasStatus(http.StatusCreated)
		c.As("ann", "POST /api/depots", `{"owner":"bob"}`).HasStatus(http.StatusCreated)
		c.As("ann", "POST /api/notes/import", `[{"depot":"/api/depots/1"},{"depot":"/api/depots/1"}]`).HasStatus(http.StatusNoContent)
		c.As("ann", "POST /api/notes/import", `[{"depot":"/api/depots/1"},{"depot":"/api/depots/2"}]`).IsProblem(http.StatusForbidden)
		c.As("ann", "GET /api/notes", "").Has("X-Total-Count", "2")
	}
	t.Run("memory", func(t *testing.T) { start(t, memory.New[depot](), memory.New[note]()) })
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			depots, notes := sqlstore.Table[depot](db), sqlstore.Table[note](db)
			if err := db.Create(t.Context(), depots, notes); err != nil {
				t.Fatal(err)
			}
			start(t, depots, notes)
		})
	}
}
