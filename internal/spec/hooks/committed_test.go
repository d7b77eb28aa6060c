package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
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

// rerun is a store that runs each transaction twice, as one of a serializable database is
// after a conflict. What happens in between is the other transaction's.
type rerun[T any] struct {
	*memory.Store[T]
	between func()
}

var errAgain = errors.New("once more")

func (r *rerun[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	between := r.between
	if between == nil {
		return r.Store.Transact(ctx, fn)
	}
	err := r.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error { return errors.Join(fn(ctx, tx), errAgain) })
	if !errors.Is(err, errAgain) {
		return err
	}
	r.between = nil
	between()
	err = r.Store.Transact(ctx, fn)
	r.between = between
	return err
}

// untimed is what differs from one run of a test to the next.
var untimed = regexp.MustCompile(`,"changedAt":"[^"]*"|"instance":"[^"]*"`)

func TestAReplayAfterARerunHasNothingOfTheFirstRun(t *testing.T) {
	t.Parallel()
	keyless := make([]spec.Mug, 8)
	for i := range keyless {
		keyless[i].Name = strconv.Itoa(i)
	}
	mugStore := &rerun[spec.Mug]{Store: memory.New(keyless...)}
	declared := spec.Mugs()
	declared.Store = mugStore
	c := spec.NewClient(t, resource.Config{}, declared)
	var first spec.Response
	mugStore.between = func() {
		first = c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
	}
	again := c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").Is(201, first.Body).Has("Idempotent-Replayed", "true")
	again.Has("Content-Length", strconv.Itoa(len(first.Body)))
	for _, field := range []string{"Location", "ETag", "Content-Type", "Vary", "Last-Modified"} {
		again.Has(field, first.Header.Get(field))
	}
	if !strings.Contains(first.Body, `"id":10`) {
		t.Errorf("the first answer is %s, and as long as the one that was given up", first.Body)
	}
}

func TestARerunComputesTheResultsOfRulesAgain(t *testing.T) {
	t.Parallel()
	mugStore := &rerun[spec.Mug]{Store: memory.New(spec.Mug{Name: "a"})}
	var isGone atomic.Bool // whether the caller's permission has ended
	declared := spec.Mugs()
	declared.Store, declared.Access = mugStore, spec.Open()
	declared.Access.Update = access.Filter("permitted", func(context.Context, *spec.Captain) ([]store.Condition, error) {
		return []store.Condition{{Fields: []string{"name"}, Operator: store.Exists, Values: []any{!isGone.Load()}}}, nil
	})
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, declared)
	mugStore.between = func() {}
	c.As("ann", "PATCH /api/mugs/1", `{"fills":1}`).HasStatus(200)
	mugStore.between = func() { isGone.Store(true) }
	c.As("ann", "PATCH /api/mugs/1", `{"fills":2}`).HasStatus(403)
}

func TestAResponseAfterARerunIsThatOfOneRun(t *testing.T) {
	t.Parallel()
	note := func(_ context.Context, s *spec.Scroll, in struct {
		Title string `json:"title"`
	},
	) (spec.Scroll, error) {
		s.Title = in.Title
		return *s, nil
	}
	prepare := func(context.Context, *operation.Request, *spec.Scroll) error { return nil }
	process := operation.Process(func(ctx context.Context, _ *operation.Request, s *spec.Scroll, save operation.Save[spec.Scroll]) error {
		return save(ctx, s)
	})
	for _, hooked := range []bool{false, true} {
		answers := map[string][]spec.Response{}
		for _, twice := range []bool{false, true} {
			scrolls := &rerun[spec.Scroll]{Store: memory.New(spec.Scroll{Title: "a"})}
			declared := resource.Of[spec.Scroll]{Store: scrolls, Idempotency: time.Hour, Operations: append(
				operation.Standard(), operation.Post{Name: "note", URITemplate: "/scrolls/{id}/note", Handler: operation.Handle(note)},
			)}
			if hooked {
				declared.Prepare, declared.Processor = prepare, process
			}
			c := spec.NewClient(t, resource.Config{}, declared)
			if twice {
				scrolls.between = func() {}
			}
			for _, request := range [][]string{
				{"PATCH /api/scrolls/1", `{"title":"b","lines":["x"]}`},
				{"PUT /api/scrolls/1", `{"title":"c"}`},
				{"PUT /api/scrolls/1", `{"title":""}`},
				{"PATCH /api/scrolls/1", `{"title":"c"}`, "If-Match", `"none"`},
				{"POST /api/scrolls/1/note", `{"title":"d"}`},
				{"POST /api/scrolls/1/note", `{"title":"e"}`, spec.KeyField, "k"},
				{"POST /api/scrolls/1/note", `{"title":"e"}`, spec.KeyField, "k"},
				{"GET /api/scrolls/1", ""},
				{"DELETE /api/scrolls/1", ""},
			} {
				a := c.Send(request[0], request[1], request[2:]...)
				if length := a.Header.Get("Content-Length"); a.Body != "" && length != strconv.Itoa(len(a.Body)) {
					t.Errorf("%s: Content-Length is %s of %d", request[0], length, len(a.Body))
				}
				a.Body = untimed.ReplaceAllString(a.Body, "")
				for _, field := range []string{"Etag", "Last-Modified", "Content-Length"} { // which depend on the time
					if a.Header.Get(field) != "" {
						a.Header.Set(field, "some")
					}
				}
				name := strings.Join(request, " ")
				answers[name] = append(answers[name], a)
			}
		}
		for request, all := range answers {
			once, twice := all[:len(all)/2], all[len(all)/2:]
			for i := range once {
				if once[i].Status != twice[i].Status || once[i].Body != twice[i].Body || !maps.EqualFunc(once[i].Header, twice[i].Header, slices.Equal) {
					t.Errorf("%s: after one run %d %v %s, after two %d %v %s", request, once[i].Status, once[i].Header, once[i].Body, twice[i].Status, twice[i].Header, twice[i].Body)
				}
			}
		}
	}
}

func TestHooksSeeTheRequestOfTheirOwnRun(t *testing.T) {
	t.Parallel()
	type limit struct {
		Most int `json:"most" default:"5"`
	}
	var seen []string
	look := func(req *operation.Request) {
		previous, _ := req.Previous.(*spec.Programmer)
		seen = append(seen, fmt.Sprintf("%s %s %v %v %d", req.Kind, req.Name, req.Variables(), previous != nil, req.Parameters.(*limit).Most))
		req.Variables()["nickname"], req.Name, req.Principal = "changed", "changed", "changed"
		req.Parameters.(*limit).Most++
	}
	for _, test := range []struct {
		request string
		gone    bool // when the steps run again
		want    string
	}{
		{"PUT /api/programmers/ada", true, "Put  map[nickname:ada] %v 5"},
		{"PUT /api/programmers/ada", false, "Put  map[nickname:ada] %v 5"},
		{"POST /api/programmers/ada/act", false, "Post act map[nickname:ada] %v 5"},
	} {
		seen = nil
		people := &rerun[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "ada"})}
		act := func(ctx context.Context, p *spec.Programmer, _ struct{}) (struct{}, error) {
			req, _ := operation.RequestFrom(ctx)
			look(req)
			p.TagLine += "!"
			return struct{}{}, nil
		}
		c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{
			Store: people,
			Prepare: func(_ context.Context, req *operation.Request, _ *spec.Programmer) error {
				look(req)
				return nil
			},
			Operations: []operation.Operation{
				operation.Put{AllowCreate: true, Parameters: operation.Parameters[limit]{}},
				operation.Delete{},
				operation.Post{Name: "act", URITemplate: "/programmers/{nickname}/act", Handler: operation.Handle(act), Parameters: operation.Parameters[limit]{}},
			},
		})
		people.between = func() {
			if test.gone {
				c.Send("DELETE /api/programmers/ada", "").HasStatus(204)
			}
		}
		body, status := "", 204
		if !strings.HasPrefix(test.request, "POST") {
			body, status = `{"tagLine":"x"}`, 200
		}
		if test.gone {
			status = 201
		}
		c.Send(test.request, body).HasStatus(status)
		want := []string{fmt.Sprintf(test.want, true), fmt.Sprintf(test.want, !test.gone)}
		if !slices.Equal(seen, want) {
			t.Errorf("%s: the runs saw %q, want %q", test.request, seen, want)
		}
	}
}

// careless are stores that end a transaction well though its function did not.
type careless struct {
	*memory.Store[spec.Goblet]
	runs bool
}

func (s careless) Transact(ctx context.Context, fn func(context.Context, store.Tx[spec.Goblet]) error) error {
	if s.runs {
		_ = s.Store.Transact(ctx, fn)
	}
	return nil
}

func TestAStoreThatDoesNotRunATransactionIsAFault(t *testing.T) {
	t.Parallel()
	for _, runs := range []bool{false, true} {
		log := &spec.Journal{}
		c := spec.NewClient(t, logged(log), resource.Of[spec.Goblet]{Store: careless{memory.New(spec.Goblet{Title: "a"}), runs}})
		for request, body := range map[string]string{"POST /api/goblets": `{"title":""}`, "PATCH /api/goblets/1": `{"title":""}`, "DELETE /api/goblets/9": ""} {
			c.Send(request, body).IsProblem(500)
		}
		if n := strings.Count(log.String(), "Transact returned nil"); n != 3 {
			t.Errorf("the log is %s", log)
		}
	}
}
