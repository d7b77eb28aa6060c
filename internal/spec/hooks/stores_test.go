package hooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Anchor is a record of a table that each test creates by hand.
type Anchor struct {
	Name string `json:"name" api:"id" validate:"notblank,max=20"`
	Size int    `json:"size"`
}

// anchors opens a database after it has run statements in it.
func anchors(t *testing.T, file string, statements ...string) *sqlstore.DB {
	t.Helper()
	db, err := sqlite.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for _, statement := range statements {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return db
}

const anchorTable = `CREATE TABLE anchors (name TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL) STRICT`

func TestATableThatNoInsertFitsIsRejectedIfAnOperationInserts(t *testing.T) {
	t.Parallel()
	db := anchors(t, ":memory:", `CREATE TABLE anchors (name TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL, gains TEXT NOT NULL) STRICT`)
	forge := func(context.Context, *Anchor, struct{}) (struct{}, error) { return struct{}{}, nil }
	load := func(context.Context, *Anchor, []operation.CreateOf[Anchor]) (struct{}, error) { return struct{}{}, nil }
	for name, test := range map[string]struct {
		operations []operation.Operation
		rejected   bool
	}{
		"all six":               {nil, true},
		"a Put that creates":    {[]operation.Operation{operation.Get{}, operation.Put{AllowCreate: true}}, true},
		"a bulk import":         {[]operation.Operation{operation.Post{Name: "load", URITemplate: "/load", Handler: operation.Handle(load)}}, true},
		"reads":                 {[]operation.Operation{operation.Get{}, operation.GetCollection{}}, false},
		"changes and deletions": {[]operation.Operation{operation.Get{}, operation.Patch{}, operation.Put{}, operation.Delete{}}, false},
		"a handler of its own":  {[]operation.Operation{operation.Post{Name: "forge", URITemplate: "/forge", Handler: operation.Handle(forge)}}, false},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[Anchor]{Store: sqlstore.Table[Anchor](db), Operations: test.operations})
		switch {
		case !test.rejected && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.rejected && (err == nil || !strings.Contains(err.Error(), "the table anchors has the column gains, which is NOT NULL")):
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnErrorOfTheDatabaseThatNoClientCausesIsAnIncident(t *testing.T) {
	t.Parallel()
	db := anchors(t, ":memory:", anchorTable)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Anchor]{Store: sqlstore.Table[Anchor](db)})
	if _, err := db.Exec(t.Context(), `ALTER TABLE anchors ADD COLUMN gains TEXT`); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(t.Context(), `ALTER TABLE anchors ALTER COLUMN gains SET NOT NULL`); err != nil { // while the API serves
		t.Fatal(err)
	}
	c.Send("POST /api/anchors", `{"name":"a","size":1}`).IsProblem(500).Mentions(`"instance"`)
}

func TestAnOutageOfTheDatabaseIs503(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "anchors.db")
	anchors(t, file, anchorTable)
	read := anchors(t, "file:"+file+"?mode=ro")
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler)}, resource.Of[Anchor]{Store: sqlstore.Table[Anchor](read)})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/readyz", api.Readyz)
	c := spec.Client{T: t, Handler: api}
	c.Send("POST /api/anchors", `{"name":"a","size":1}`).IsProblem(503).Has("Retry-After", "1")
	c.Send("GET /api/anchors", "").Is(200, `[]`)
	c.Send("GET /readyz", "").IsProblem(503).Has("Retry-After", "1")
}

func TestAServiceThatOnlyReadsIsReadyWithoutWrites(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "anchors.db")
	anchors(t, file, anchorTable)
	read := anchors(t, "file:"+file+"?mode=ro")
	api, err := resource.New(resource.Config{}, resource.Of[Anchor]{
		Store: sqlstore.Table[Anchor](read), Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/readyz", api.Readyz)
	spec.Client{T: t, Handler: api}.Send("GET /readyz", "").HasStatus(200)
}

// advised is a store in memory with something to say about writes.
type advised struct {
	*memory.Store[Anchor]

	writes error
}

func (advised) Ping(context.Context) error               { return nil }
func (advised) CheckInserts(context.Context) error       { return nil }
func (a advised) PingWrites(context.Context) error       { return a.writes }
func (advised) Advise(context.Context) ([]string, error) { return []string{"add a chain"}, nil }

func TestAdviceOfAStoreIsLoggedAndIsNoError(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	config := resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	if _, err := resource.New(config, resource.Of[Anchor]{Store: pinged{advised{Store: memory.New[Anchor]()}}}); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); !strings.Contains(text, "level=WARN") || !strings.Contains(text, "resource=Anchor") || !strings.Contains(text, `advice="add a chain"`) {
		t.Errorf("the log is %s", text)
	}
	log.Reset()
	if _, err := resource.New(config, resource.Of[Anchor]{Store: advised{Store: memory.New[Anchor]()}}, nil); err == nil || log.Len() > 0 {
		t.Errorf("with a mistake: %v, and the log is %s", err, log.String())
	}
}

// pinged wraps a store of anchors, and asks something itself when it is pinged.
type pinged struct{ store.Store[Anchor] }

func (pinged) Ping(context.Context) error { return errors.New("the wrapper is not ready") }

func TestReadinessPrefersAWrapperToTheStoreWithin(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler)}, resource.Of[Anchor]{Store: pinged{advised{Store: memory.New[Anchor]()}}})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/readyz", api.Readyz)
	spec.Client{T: t, Handler: api}.Send("GET /readyz", "").HasStatus(503)
}

// absent is a store that cannot be reached.
type absent struct{}

var errAbsent = fmt.Errorf("dial 10.0.0.1: secret: %w", store.ErrUnavailable)

func (absent) Get(context.Context, any) (*spec.Sailor, error) { return nil, errAbsent }

func (absent) List(context.Context, store.Query) (store.Page[spec.Sailor], error) {
	return store.Page[spec.Sailor]{}, errAbsent
}

func (absent) Transact(context.Context, func(context.Context, store.Tx[spec.Sailor]) error) error {
	return errAbsent
}

func TestAStoreThatCannotBeReachedIs503(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Sailor]{Store: absent{}, Operations: operation.Standard()})
	for _, request := range []string{
		"GET /api/sailors", "GET /api/sailors.ndjson", "GET /api/sailors/1", "POST /api/sailors", "PUT /api/sailors/1", "PATCH /api/sailors/1", "DELETE /api/sailors/1",
	} {
		body := ""
		if request[0] == 'P' {
			body = "{}"
		}
		c.Send(request, body).IsProblem(503).Has("Retry-After", "1").
			Is(503, `{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"The data store is unavailable. Try again later."}`)
	}
}

// distant is a store that may be out of reach.
type distant struct {
	store.Store[spec.Programmer]

	err error
}

func (d distant) Ping(ctx context.Context) error {
	if _, limited := ctx.Deadline(); !limited {
		return errors.New("nobody says how long to wait")
	}
	return d.err
}

func TestReadinessIsThatOfTheStores(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err    error
		status int
	}{
		"a store in reach":     {nil, 200},
		"a store out of reach": {errors.New("dial 10.0.0.7: refused"), 503},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			api, err := resource.New(resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))},
				resource.Of[spec.DragonTreasure]{}, resource.Of[spec.Programmer]{Store: distant{memory.New[spec.Programmer](), test.err}})
			if err != nil {
				t.Fatal(err)
			}
			api.Router().Get("/readyz", api.Readyz)
			api.Router().Get("/healthz", api.Healthz)
			ready, alive := httptest.NewRecorder(), httptest.NewRecorder()
			api.ServeHTTP(ready, httptest.NewRequestWithContext(t.Context(), "GET", "/readyz", nil))
			api.ServeHTTP(alive, httptest.NewRequestWithContext(t.Context(), "GET", "/healthz", nil))
			if alive.Code != 200 || ready.Code != test.status {
				t.Errorf("alive is %d, ready is %d", alive.Code, ready.Code)
			}
			if test.err == nil {
				return
			}
			body := ready.Body.String()
			if !strings.Contains(body, "Programmer") || strings.Contains(body, "10.0.0.7") || ready.Header().Get("Retry-After") == "" {
				t.Errorf("the answer is %v %s", ready.Header(), body)
			}
			if !strings.Contains(log.String(), "10.0.0.7") {
				t.Errorf("the log does not say why: %s", log.String())
			}
		})
	}
}

// strict is a store that has something to say of itself.
type strict struct{ *memory.Store[spec.Vessel] }

func (strict) Check(context.Context) error  { return errors.New("strict: no table") }
func (strict) CheckQuery(store.Query) error { return errors.New("strict: no filters") }
func (strict) Ping(context.Context) error   { return errors.New("strict: gone") }

// around embeds a store.
type around struct{ store.Store[spec.Vessel] }

// about says what it wraps.
type about struct {
	around
	kept store.Store[spec.Vessel]
}

func (a about) Unwrap() any { return a.kept }

// keeping stores responses in the transactions of the wrapped store.
type keeping struct{ around }

func (keeping) CheckResponses(context.Context) error { return nil }

// lenient ignores the errors of the wrapped store.
type lenient struct{ around }

func (lenient) Check(context.Context) error  { return nil }
func (lenient) CheckQuery(store.Query) error { return nil }

func TestWhatAStoreSaysOfItselfIsHeardThroughItsWrappers(t *testing.T) {
	t.Parallel()
	plain := memory.New[spec.Vessel]()
	for name, wrapper := range map[string]store.Store[spec.Vessel]{
		"one that embeds it": around{strict{plain}}, "one that unwraps": about{kept: strict{plain}}, "one of one": around{about{kept: around{strict{plain}}}},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{Store: wrapper})
		for _, want := range []string{"store: strict: no table", "store: strict: no filters"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: New returns %v, want %s", name, err, want)
			}
		}
	}
	api, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{Store: lenient{around{strict{plain}}}})
	if err != nil {
		t.Fatalf("the wrapper's own methods do not go before those of the store within: %v", err)
	}
	api.Router().Get("/readyz", api.Readyz)
	spec.Client{T: t, Handler: api}.Send("GET /readyz", "").HasStatus(503)
}

func TestAWrapperDeclaresThatItStoresResponses(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{Store: around{memory.New[spec.Vessel]()}, Idempotency: time.Hour})
	if want := "Idempotency needs a store that keeps responses, and the store only wraps one; implement CheckResponses if its transactions are a store.ResponseTx, or remove Idempotency"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("New returns %v, want %s", err, want)
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Vessel]{Store: keeping{around{memory.New[spec.Vessel]()}}, Idempotency: time.Hour})
	for range 2 {
		c.Send("POST /api/vessels", `{"name":"Argo"}`, "Idempotency-Key", `"a"`).HasStatus(201).Has("Location", "/api/vessels/1")
	}
}

// counted is a store in memory with a Get and a Transact of its own.
type counted struct {
	*memory.Store[spec.Vessel]

	gets, changes *int
}

func (s counted) Get(ctx context.Context, id any) (*spec.Vessel, error) {
	*s.gets++
	return s.Store.Get(ctx, id)
}

func (s counted) Transact(ctx context.Context, fn func(context.Context, store.Tx[spec.Vessel]) error) error {
	*s.changes++
	return s.Store.Transact(ctx, fn)
}

func TestAStoreThatEmbedsTheOneInMemorySeesEveryCall(t *testing.T) {
	t.Parallel()
	var gets, changes int
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Vessel]{Store: counted{memory.New[spec.Vessel](), &gets, &changes}})
	c.Send("POST /api/vessels", `{"name":"Argo"}`).HasStatus(201)
	c.Send("GET /api/vessels/1", "").HasStatus(200)
	if gets != 1 || changes != 1 {
		t.Errorf("the store saw %d reads and %d transactions, want 1 of each", gets, changes)
	}
}

// owned shows each principal its own records only, as a store may that asks who it is for.
type owned struct {
	*memory.Store[spec.Programmer]
	t *testing.T
}

// owner returns who makes the request, of which every call of the store knows.
func (o owned) owner(ctx context.Context, call string) int64 {
	req, ok := operation.RequestFrom(ctx)
	if !ok {
		o.t.Errorf("%s knows nothing of its request", call)
		return 0
	}
	if req.HTTP() == nil || req.Variables()["nickname"] != req.HTTP().PathValue("nickname") || req.Kind.Method() != req.HTTP().Method {
		o.t.Errorf("%s knows of the request %+v", call, req)
	}
	id, _ := req.Principal.(int64)
	return id
}

func (o owned) Get(ctx context.Context, id any) (*spec.Programmer, error) {
	owner := o.owner(ctx, "Get")
	p, err := o.Store.Get(ctx, id)
	if err == nil && p.UserID != owner {
		return nil, store.ErrNotFound
	}
	return p, err
}

func (o owned) List(ctx context.Context, query store.Query) (store.Page[spec.Programmer], error) {
	owner := o.owner(ctx, "List")
	query.Where = append(query.Where, store.Condition{Fields: []string{"userId"}, Operator: store.Equal, Values: []any{owner}})
	return o.Store.List(ctx, query)
}

func (o owned) Transact(ctx context.Context, fn func(context.Context, store.Tx[spec.Programmer]) error) error {
	o.owner(ctx, "Transact")
	return o.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[spec.Programmer]) error { return fn(ctx, ownedTx{tx, o}) })
}

type ownedTx struct {
	store.Tx[spec.Programmer]
	of owned
}

func (t ownedTx) Get(ctx context.Context, id any) (*spec.Programmer, error) {
	owner := t.of.owner(ctx, "Tx.Get")
	p, err := t.Tx.Get(ctx, id)
	if err == nil && p.UserID != owner {
		return nil, store.ErrNotFound
	}
	return p, err
}

func (t ownedTx) Delete(ctx context.Context, id any) error {
	if _, err := t.Get(ctx, id); err != nil {
		return err
	}
	return t.Tx.Delete(ctx, id)
}

func TestEveryCallOfAStoreKnowsItsRequest(t *testing.T) {
	t.Parallel()
	people := []spec.Programmer{{Nickname: "of7", UserID: 7}, {Nickname: "of8", UserID: 8}}
	for name, config := range map[string]resource.Config{
		"directly": {}, "through the router": {Middleware: []func(http.Handler) http.Handler{asUser(8)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, config, resource.Of[spec.Programmer]{Store: owned{memory.New(people...), t}})
			if config.Middleware == nil {
				c.Handler = asUser(8)(c.Handler)
			}
			const mine = `{"nickname":"of8","avatarNumber":0,"tagLine":"","userId":8}`
			c.Send("GET /api/programmers/of8", "").Is(200, mine)
			c.Send("GET /api/programmers/of7", "").IsProblem(404)
			c.Send("GET /api/programmers", "").Is(200, "["+mine+"]")
			if got := c.Send("GET /api/programmers.ndjson", "").HasStatus(200).Body; got != mine+"\n" {
				t.Errorf("the stream is %s", got)
			}
			c.Send("DELETE /api/programmers/of7", "").IsProblem(404)
			c.Send("PATCH /api/programmers/of7", `{"tagLine":"x"}`).IsProblem(404)
			c.Send("PUT /api/programmers/of8", `{"tagLine":"x"}`).HasStatus(200)
			c.Send("POST /api/programmers", `{"nickname":"new"}`).HasStatus(201)
			c.Send("DELETE /api/programmers/of8", "").HasStatus(204)
		})
	}
}

func TestEveryBatchOfAStreamKnowsItsRequest(t *testing.T) {
	t.Parallel()
	people := make([]spec.Programmer, 600)
	for i := range people {
		people[i] = spec.Programmer{Nickname: string(rune('a'+i/26)) + string(rune('a'+i%26)), UserID: 8}
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{Store: owned{memory.New(people...), t}})
	c.Handler = asUser(8)(c.Handler)
	c.Send("GET /api/programmers.ndjson", "").HasStatus(200)
}

type mail struct {
	ID      int64  `json:"id"`
	Address string `json:"address" api:"unique"`
}

type job struct {
	ID      int64  `json:"id"`
	Address string `json:"address"`
}

func TestAProcessorMayReadWhyItsWriteFailed(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, mails store.Store[mail], jobs store.Store[job]) {
		t.Helper()
		process := func(ctx context.Context, _ *operation.Request, j *job, save operation.Save[job]) error {
			err := store.Insert(ctx, mails, &mail{Address: j.Address})
			if errors.Is(err, store.ErrConflict) {
				there, err := store.Find(ctx, mails, "address", j.Address)
				if err != nil {
					return err
				}
				return operation.Error{Status: 409, Detail: fmt.Sprintf("Mail %d has this address.", there.ID)}
			}
			return errors.Join(err, save(ctx, j))
		}
		c := spec.NewClient(t, resource.Config{}, resource.Of[job]{ShortName: "Job", Store: jobs, Processor: operation.Process(process)},
			resource.Of[mail]{ShortName: "Mail", Store: mails})
		c.Send("POST /api/jobs", `{"address":"a"}`).HasStatus(201)
		c.Send("POST /api/jobs", `{"address":"a"}`).IsProblem(409).Mentions("Mail 1 has this address.")
		c.Send("GET /api/jobs", "").HasIDs(`[{"id":1}]`)
	}
	t.Run("memory", func(t *testing.T) { check(t, memory.New[mail](), memory.New[job]()) })
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			mails, jobs := sqlstore.Table[mail](db), sqlstore.Table[job](db)
			if err := db.Create(t.Context(), mails, jobs); err != nil {
				t.Fatal(err)
			}
			check(t, mails, jobs)
		})
	}
}
