package hooks_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

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
