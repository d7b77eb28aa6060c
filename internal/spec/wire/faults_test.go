package wire_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Barrel is a record with a part that can break.
type Barrel struct {
	ID   int64     `json:"id"`
	Name string    `json:"name"`
	Fuse spec.Fuse `json:"fuse"`
}

// cellar is a store that breaks where the name of a record, or an identifier, says so.
type cellar struct{ *memory.Store[Barrel] }

func (c cellar) Get(ctx context.Context, id any) (*Barrel, error) {
	switch id {
	case int64(666):
		panic("secret: the cellar is on fire")
	case int64(667):
		return nil, errors.New("secret: the cellar is flooded")
	}
	return c.Store.Get(ctx, id)
}

func (c cellar) Transact(ctx context.Context, fn func(context.Context, store.Tx[Barrel]) error) error {
	return c.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[Barrel]) error { return fn(ctx, cellarTx{tx}) })
}

type cellarTx struct{ store.Tx[Barrel] }

func (c cellarTx) Insert(ctx context.Context, record *Barrel) error {
	if err := c.Tx.Insert(ctx, record); err != nil {
		return err
	}
	switch record.Name {
	case "store panics":
		panic("secret: the cellar is on fire")
	case "store fails":
		return errors.New("secret: the cellar is flooded")
	}
	return nil
}

// breaking serves barrels, whose hooks break where the name of a record says so.
func breaking(log io.Writer) func(t testing.TB) spec.Client {
	return func(t testing.TB) spec.Client {
		t.Helper()
		var none map[string]*Barrel
		prepare := func(_ context.Context, _ *operation.Request, b *Barrel) error {
			switch b.Name {
			case "prepare panics":
				panic(errors.New("secret: no hands"))
			case "prepare dereferences nil":
				b.Name = none["x"].Name
			case "prepare fails":
				return errors.New("secret: no barrel")
			}
			return nil
		}
		process := func(ctx context.Context, _ *operation.Request, b *Barrel, save operation.Save[Barrel]) error {
			if err := save(ctx, b); err != nil {
				return err
			}
			switch b.Name {
			case "processor panics":
				panic(b)
			case "processor fails":
				return operation.Error{Status: 500, Detail: "secret: half done"}
			}
			return nil
		}
		explode := func(_ context.Context, b *Barrel, _ struct{}) (string, error) {
			b.Name = "changed"
			return strings.Fields(b.Name)[len(b.Name)], nil
		}
		return spec.NewClient(
			t, resource.Config{
				Logger:     slog.New(slog.NewJSONHandler(log, nil)),
				Middleware: []func(http.Handler) http.Handler{middleware.RequestID}, RequestID: middleware.GetReqID,
			},
			resource.Of[Barrel]{
				Store: cellar{memory.New(Barrel{Name: "safe"})}, Prepare: prepare, Processor: operation.Process(process),
				Operations: append(operation.Standard(), operation.Post{Name: "explode", URITemplate: "/barrels/{id}/explode", Handler: operation.Handle(explode)}),
			},
		)
	}
}

func TestAFaultIsLoggedAndDisclosesNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rule, request, body string }{
		{"a panic of Prepare", "POST /api/barrels", `{"name":"prepare panics"}`},
		{"a nil pointer in Prepare", "PATCH /api/barrels/1", `{"name":"prepare dereferences nil"}`},
		{"an error of Prepare", "PUT /api/barrels/1", `{"name":"prepare fails"}`},
		{"a panic of a Processor that has saved", "POST /api/barrels", `{"name":"processor panics"}`},
		{"a panic of a Processor that has changed", "PATCH /api/barrels/1", `{"name":"processor panics"}`},
		{"an error of a Processor that has saved", "POST /api/barrels", `{"name":"processor fails"}`},
		{"a panic of a Handler", "POST /api/barrels/1/explode", ""},
		{"a panic of a store that reads", "GET /api/barrels/666", ""},
		{"an error of a store that reads", "GET /api/barrels/667", ""},
		{"a panic of a store that saves", "POST /api/barrels", `{"name":"store panics"}`},
		{"an error of a store that saves", "POST /api/barrels", `{"name":"store fails"}`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			for major := 1; major <= 2; major++ {
				log := &spec.Journal{}
				w := spec.NewWire(t, breaking(log)(t).Handler, major)
				a := w.Send(test.request, test.body, "X-Request-Id", "asked-for-by-me").IsProblem(500).Has("ETag", "").Has("Location", "")
				isIncident(a, log.String())
				w.Send("GET /api/barrels", "").Is(200, `[{"id":1,"name":"safe","fuse":""}]`)
				w.Send("PATCH /api/barrels/1", `{"fuse":"dry"}`).Is(200, `{"id":1,"name":"safe","fuse":"dry"}`)
			}
		})
	}
}

// isIncident asserts that a problem says nothing of its cause, and that one entry of the
// log does, by the same name.
func isIncident(a spec.Response, log string) {
	a.T.Helper()
	var said struct {
		Instance string `json:"instance"`
	}
	if err := json.Unmarshal([]byte(a.Body), &said); err != nil {
		a.T.Fatal(err)
	}
	a.Is(500, `{"type":"about:blank","title":"Internal Server Error","status":500}`)
	id, named := strings.CutPrefix(said.Instance, "urn:uuid:")
	if !named || strings.Count(log, "\n") != 1 || strings.Count(log, id) != 1 {
		a.T.Errorf("the incident is %q, the log %q", said.Instance, log)
	}
	for _, text := range []string{`"level":"ERROR"`, `"incident":"` + id + `"`, `"request_id":"asked-for-by-me"`, `"operation":"`, `"method":"`} {
		if !strings.Contains(log, text) {
			a.T.Errorf("the log does not say %s: %s", text, log)
		}
	}
	for _, cause := range []string{"secret", "panic", "runtime", "goroutine", ".go", "Barrel", "index out of range"} {
		if strings.Contains(a.Body, cause) {
			a.T.Errorf("the answer says %q: %s", cause, a.Body)
		}
	}
}

func TestAFieldThatCannotBeSentIsAFault(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]string{"a panic": "GET /api/barrels/1", "an error": "GET /api/barrels/2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for major := 1; major <= 2; major++ {
				log := &spec.Journal{}
				config := resource.Config{Logger: slog.New(slog.NewJSONHandler(log, nil))}
				w := spec.NewWire(t, spec.NewClient(t, config, resource.Of[Barrel]{Store: memory.New(Barrel{Fuse: "burning"}, Barrel{Fuse: "wet"}, Barrel{Name: "c"})}).Handler, major)
				isIncident(w.Send(request, "", "X-Request-Id", "asked-for-by-me").IsProblem(500), log.String())
				w.Send("GET /api/barrels/3", "").HasStatus(200)
			}
		})
	}
}

// collapsing is a store that panics where a list does not begin at its first record.
type collapsing struct{ *memory.Store[Barrel] }

func (c collapsing) List(ctx context.Context, query store.Query) (store.Page[Barrel], error) {
	if query.After != nil {
		panic("secret: the floor gives way")
	}
	return c.Store.List(ctx, query)
}

func TestAPanicInTheMiddleOfAStreamBreaksItOff(t *testing.T) {
	t.Parallel()
	log := &spec.Journal{}
	api := func(t testing.TB) spec.Client {
		t.Helper()
		return spec.NewClient(t, resource.Config{Logger: slog.New(slog.NewJSONHandler(log, nil))}, resource.Of[Barrel]{Store: collapsing{memory.New(make([]Barrel, 300)...)}})
	}
	spec.OverTheWire(t, api, func(w spec.Wire) {
		response, err := w.Client.Do(w.Request("GET /api/barrels.ndjson", ""))
		if err != nil {
			w.T.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err == nil || response.StatusCode != http.StatusOK || bytes.Contains(body, []byte("secret")) {
			w.T.Errorf("the stream ended with %v after %d bytes", err, len(body))
		}
		w.Send("GET /api/barrels/1", "").HasStatus(200)
		if !strings.Contains(log.String(), "the floor gives way") {
			w.T.Errorf("the log is %q", log.String())
		}
	})
}

func TestAClientThatGoesAwayEndsTheWorkForIt(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for major := 1; major <= 2; major++ {
			began, ended, log := make(chan struct{}), make(chan error, 1), &spec.Journal{}
			handler := operation.Handle(func(ctx context.Context, b *Barrel, _ struct{}) (string, error) {
				b.Name = "changed"
				close(began)
				<-ctx.Done()
				ended <- ctx.Err()
				return "", ctx.Err()
			})
			w := spec.NewWire(t, spec.NewClient(t, resource.Config{Logger: slog.New(slog.NewJSONHandler(log, nil))}, resource.Of[Barrel]{
				Store: memory.New(Barrel{Name: "a"}),
				Operations: []operation.Operation{
					operation.Get{},
					operation.Get{Name: "look", URITemplate: "/barrels/{id}/wait", Handler: handler},
					operation.Post{Name: "wait", URITemplate: "/barrels/{id}/wait", Handler: handler},
				},
			}).Handler, major)
			leave(w, method+" /api/barrels/1/wait", began)
			select {
			case err := <-ended:
				if !errors.Is(err, context.Canceled) {
					t.Errorf("the context ended with %v", err)
				}
			case <-time.After(time.Minute):
				t.Fatal("the work goes on without its client")
			}
			w.Send("GET /api/barrels/1", "").HasStatus(200).Mentions(`"name":"a"`)
			if log.String() != "" {
				t.Errorf("a client that went away is logged as a fault: %s", log.String())
			}
		}
	}
}

// leave sends a request, and goes away once it is worked at.
func leave(w spec.Wire, request string, began <-chan struct{}) {
	ctx, goAway := context.WithCancel(w.T.Context())
	defer goAway()
	r, gone := w.Request(request, "").WithContext(ctx), make(chan struct{})
	go func() {
		defer close(gone)
		if response, err := w.Client.Do(r); err == nil {
			_ = response.Body.Close()
		}
	}()
	<-began
	goAway()
	<-gone
}

// Ring is a record with parts that a shallow copy would share.
type Ring struct {
	ID     int64             `json:"id"`
	Stones []string          `json:"stones"`
	Notes  map[string]string `json:"notes"`
}

func spoil(r *Ring) {
	r.ID = 99
	if len(r.Stones) > 0 {
		r.Stones[0] = "spoilt"
	}
	if r.Notes != nil {
		r.Notes["spoilt"] = "yes"
	}
}

const (
	ring  = `{"stones":["ruby"],"notes":{"by":"Anna"}}`
	patch = `{"notes":{"of":"gold"}}`
)

// TestWhatFunctionsKeepIsNotTheStores changes records that a processor and a handler received, after they were
// saved and sent.
func TestWhatFunctionsKeepIsNotTheStores(t *testing.T) {
	t.Parallel()
	var kept []*Ring
	keeping := operation.Process(func(ctx context.Context, _ *operation.Request, r *Ring, save operation.Save[Ring]) error {
		kept = append(kept, r)
		return save(ctx, r)
	})
	polish := operation.Post{Name: "polish", URITemplate: "/rings/{id}/polish", Handler: operation.Handle(
		func(_ context.Context, r *Ring, _ struct{}) (*Ring, error) {
			kept = append(kept, r)
			r.Stones = append(r.Stones, "polished")
			return r, nil
		})}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ring]{
		Operations: append(operation.Standard(), polish), Processor: keeping, Store: memory.New[Ring](),
	})
	c.Send("POST /api/rings", ring).HasStatus(201)
	for _, request := range []string{"PATCH /api/rings/1", "PUT /api/rings/1"} {
		c.Send(request, patch).HasStatus(200)
	}
	c.Send("POST /api/rings/1/polish", "").HasStatus(200)
	before := c.Send("GET /api/rings/1", "").HasStatus(200).Body
	for _, r := range kept {
		spoil(r)
	}
	if after := c.Send("GET /api/rings/1", "").HasStatus(200).Body; after != before || len(kept) < 4 {
		t.Errorf("%d records were kept and spoilt: the store's became %s, from %s", len(kept), after, before)
	}
}

// TestAFailedChangeLeavesTheRecordAsItIs changes a record in a hook and rejects the request.
func TestAFailedChangeLeavesTheRecordAsItIs(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ring]{
		Store: memory.New(Ring{Stones: []string{"ruby"}, Notes: map[string]string{"by": "Anna"}}),
		Prepare: func(_ context.Context, _ *operation.Request, r *Ring) error {
			spoil(r)
			return operation.Error{Status: 409, Detail: "Not this one."}
		},
	})
	before := c.Send("GET /api/rings/1", "").HasStatus(200).Body
	for _, request := range []string{"PATCH /api/rings/1", "PUT /api/rings/1"} {
		c.Send(request, patch).HasStatus(409)
		if after := c.Send("GET /api/rings/1", "").HasStatus(200).Body; after != before {
			t.Errorf("%s: the record became %s, from %s", request, after, before)
		}
	}
}

func TestThePreviousRecordIsNotTheChangedOne(t *testing.T) {
	t.Parallel()
	var was []string
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ring]{
		Store: memory.New(Ring{Stones: []string{"ruby"}, Notes: map[string]string{"by": "Anna"}}),
		Prepare: func(_ context.Context, req *operation.Request, r *Ring) error {
			r.Stones[0], r.Notes["by"] = "opal", "Bob"
			previous, _ := req.Previous.(*Ring)
			was = append(was, previous.Stones[0], previous.Notes["by"])
			return nil
		},
	})
	c.Send("PATCH /api/rings/1", patch).HasStatus(200).Mentions("opal", "Bob")
	if was[0] != "ruby" || was[1] != "Anna" {
		t.Errorf("the record before is %q", was)
	}
}

func TestAProcessorThatHasReturnedSavesNothing(t *testing.T) {
	t.Parallel()
	var late func() error
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ring]{
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, r *Ring, save operation.Save[Ring]) error {
			late = func() error { return save(ctx, r) }
			return save(ctx, r)
		}),
	})
	c.Send("POST /api/rings", ring).HasStatus(201)
	first := late
	c.Send("POST /api/rings", ring).HasStatus(201)
	before := c.Send("GET /api/rings", "").HasStatus(200).Body
	if err := first(); err == nil {
		t.Error("a save after the end of the operation is no error")
	}
	if after := c.Send("GET /api/rings", "").HasStatus(200).Body; after != before {
		t.Errorf("the records became %s, from %s", after, before)
	}
}
