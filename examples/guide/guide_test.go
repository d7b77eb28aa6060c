package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type Quest struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Done bool   `json:"done"`
}

// quests declares records that a function returns, such as those of another service.
func quests(db *sqlstore.DB) resource.Declaration {
	load := func(context.Context) ([]Quest, error) { return []Quest{{ID: 1, Name: "Grail"}}, nil }
	complete := func(context.Context, *Quest) error { return nil }
	return resource.Of[Quest]{
		Store:      memory.Load(load).Updating(complete).Within(db.Transact),
		Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Patch{}},
	}
}

func open(t *testing.T) *sqlstore.DB {
	t.Helper()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestRecordsOfAFunctionAreListed(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, quests(open(t)))
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/quests", http.NoBody))
	if got, want := w.Body.String(), `[{"id":1,"name":"Grail","done":false}]`; got != want {
		t.Errorf("the quests are %s, want %s", got, want)
	}
}

// stock adds books, changes one and deletes others, all in one transaction.
func stock(ctx context.Context, db *sqlstore.DB, books store.Store[Book]) error {
	return db.Transact(ctx, func(ctx context.Context) error {
		err := store.Insert(ctx, books, &Book{Title: "Dune"}, &Book{Title: "Emma"})
		if err != nil {
			return err
		}
		if err := store.Update(ctx, books, int64(1), func(b *Book) error { b.Title = "Ubik"; return nil }); err != nil {
			return err
		}
		return store.Delete(ctx, books, int64(2), int64(9)) // IDs that do not exist are ignored
	})
}

func TestStoresAreUsedDirectly(t *testing.T) {
	t.Parallel()
	db := open(t)
	books, users := sqlstore.Table[Book](db), sqlstore.Table[User](db)
	if err := db.Create(t.Context(), books, users); err != nil {
		t.Fatal(err)
	}
	if err := stock(t.Context(), db, books); err != nil {
		t.Fatal(err)
	}
	if book, err := books.Get(t.Context(), int64(1)); err != nil || book.Title != "Ubik" {
		t.Errorf("book 1 is %v, %v", book, err)
	}
	if _, err := findUser(t.Context(), users, "eve"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("eve: %v", err)
	}
}

func TestManyRecordsAreFoundAndChangedByConditions(t *testing.T) {
	t.Parallel()
	db := open(t)
	books := sqlstore.Table[Book](db)
	if err := db.Create(t.Context(), books); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"Dune", "Emma", "Ubik"} {
		if err := store.Insert(t.Context(), books, &Book{Title: title}); err != nil {
			t.Fatal(err)
		}
	}
	if found, n, err := archive(t.Context(), books); err != nil || len(found) != 1 || n != 2 {
		t.Errorf("found %d, changed %d, %v", len(found), n, err)
	}
}

// archive changes the titles of the first two books. It returns those of the others that are named Emma or Ubik.
func archive(ctx context.Context, books store.Store[Book]) ([]*Book, int, error) {
	n, err := store.UpdateWhere(ctx, books, retitle, store.Lte("id", 2), store.Ne("title", "Odyssey"))
	if err != nil {
		return nil, 0, err
	}
	found, err := store.List(ctx, books, store.Gt("id", 1), store.In("title", "Emma", "Ubik"))
	return found, n, err
}

func retitle(b *Book) error { b.Title += " (archived)"; return nil }

func findUser(ctx context.Context, users store.Store[User], name string) (*User, error) {
	return store.Find(ctx, users, "name", name) // store.ErrNotFound if no user has it
}
