package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// The client reloads the record after the error, and must see what has caused it.
func TestARejectedWriteHasAPosition(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))})
	n.write("taken")
	path, _ := n.mark(first)
	w := n.send("POST /api/notes", `{"text":"taken"}`)
	if w.Code != http.StatusConflict {
		t.Fatalf("a second note returns %d: %s", w.Code, w.Body)
	}
	if got := n.readsFrom(path, "Trove-Position", w.Header().Get("Trove-Position")); got != "primary" {
		t.Errorf("a read after the conflict comes from %s", got)
	}
}

func TestAGetThatWritesReadsItFromThePrimary(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	var n notes
	n = notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))}, func(_ *resource.Config, of *resource.Of[note]) {
		of.Operations = []operation.Operation{operation.Get{}, operation.Post{}}
		for name, write := range map[string]func(context.Context, string) error{
			"store": func(ctx context.Context, text string) error {
				return store.Insert(ctx, n.table, &note{Text: text, Server: "primary"})
			},
			"exec": func(ctx context.Context, text string) error {
				_, err := n.db.Exec(ctx, "INSERT INTO notes (text, server) VALUES ($1, 'primary')", text)
				return err
			},
		} {
			of.Operations = append(of.Operations, operation.Get{
				Name: name, URITemplate: "/" + name, Handler: operation.Handle(func(ctx context.Context, _ *note, _ struct{}) (note, error) {
					if err := write(ctx, name); err != nil {
						return note{}, err
					}
					found, err := store.Find(ctx, n.table, "text", name)
					if err != nil {
						return note{}, err
					}
					return *found, nil
				}),
			})
		}
	})
	n.mark(first)
	for _, name := range []string{"store", "exec"} {
		w := n.send("GET /api/"+name, "")
		var found note
		if err := json.Unmarshal(w.Body.Bytes(), &found); err != nil || found.Text != name {
			t.Errorf("a Get that writes with the %s returns %d: %s", name, w.Code, w.Body)
		}
		path, position := fmt.Sprintf("/api/notes/%d", found.ID), w.Header().Get("Trove-Position")
		if got := n.readsFrom(path, "Trove-Position", position); got != "primary" {
			t.Errorf("the next read comes from %q", got)
		}
	}
}

// A hook before the transaction reads without one. The client reloads the record after the error.
func TestAWriteThatIsRejectedBeforeItsTransactionHasAPosition(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))}, func(_ *resource.Config, of *resource.Of[note]) {
		of.BeforeTransaction = func(context.Context, *operation.Request, *note) error { return nil }
	})
	path, _ := n.mark(first)
	old := n.send("GET "+path, "").Header().Get("ETag")
	for _, test := range []struct {
		path string
		code int
	}{{path, http.StatusPreconditionFailed}, {"/api/notes/99", http.StatusNotFound}} {
		w := n.send("PATCH "+test.path, `{"text":"new"}`, "If-Match", old)
		if w.Code != test.code {
			t.Fatalf("PATCH %s returns %d: %s", test.path, w.Code, w.Body)
		}
		if got := n.readsFrom(path, "Trove-Position", w.Header().Get("Trove-Position")); got != "primary" {
			t.Errorf("a read after a %d comes from %s", test.code, got)
		}
	}
	if w := n.send("POST /api/notes", `{"text":1}`); w.Code != http.StatusBadRequest || w.Header().Get("Trove-Position") != "" {
		t.Errorf("an invalid note returns %d with the position %q", w.Code, w.Header().Get("Trove-Position"))
	}
}

func TestAWriteByAQueryOfTheProgramHasAPosition(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	var n notes
	n = notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))}, func(_ *resource.Config, of *resource.Of[note]) {
		of.Operations = []operation.Operation{operation.Get{}, operation.Post{}, operation.Post{
			Name: "query", URITemplate: "/query", Handler: operation.Handle(func(ctx context.Context, _ *note, _ struct{}) (note, error) {
				rows, err := n.db.Query(ctx, "UPDATE notes SET text = 'changed' RETURNING id")
				if err != nil {
					return note{}, err
				}
				return note{}, rows.Close()
			}),
		}}
	})
	path, _ := n.mark(first)
	w := n.send("POST /api/query", "{}")
	if w.Code >= http.StatusMultipleChoices {
		t.Fatalf("the query returns %d: %s", w.Code, w.Body)
	}
	if got := n.readsFrom(path, "Trove-Position", w.Header().Get("Trove-Position")); got != "primary" {
		t.Errorf("the next read comes from %s", got)
	}
}

func TestAHandlerOfAnotherDatabaseThatWritesSendsThePosition(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))})
	var err error
	other := resource.Of[coin]{Store: table[coin](t, open(t, schema(t))), Operations: []operation.Operation{
		operation.Get{Name: "touch", URITemplate: "/touch", Handler: operation.Handle(func(ctx context.Context, _ *coin, _ struct{}) (coin, error) {
			return coin{}, store.Insert(ctx, n.table, &note{Text: "touched"})
		})},
	}}
	if n.API, err = resource.New(resource.Config{}, resource.Of[note]{Store: n.table}, other); err != nil {
		t.Fatal(err)
	}
	if w := n.send("GET /api/touch", ""); w.Code != http.StatusOK || w.Header().Get("Trove-Position") == "" {
		t.Errorf("the handler returns %d with the position %q: %s", w.Code, w.Header().Get("Trove-Position"), w.Body)
	}
}
