package hooks_test

import (
	"context"
	"fmt"
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

// thirdParty is a store that another project made, which does not stamp: a version that it
// is handed it keeps. It wraps a store of records without the words of the api tag.
type thirdParty struct{ plain *memory.Store[unstamped] }

// unstamped is a Scroll whose tags say nothing of changes.
type unstamped struct {
	ID        int64     `json:"id"`
	Title     string    `json:"title"`
	Lines     []string  `json:"lines"`
	Version   int64     `json:"version"`
	ChangedAt time.Time `json:"changedAt"`
}

func (s thirdParty) Get(ctx context.Context, id any) (*spec.Scroll, error) {
	record, err := s.plain.Get(ctx, id)
	return (*spec.Scroll)(record), err
}

func (s thirdParty) List(ctx context.Context, query store.Query) (store.Page[spec.Scroll], error) {
	page, err := s.plain.List(ctx, query)
	made := store.Page[spec.Scroll]{Total: page.Total}
	for _, record := range page.Items {
		made.Items = append(made.Items, (*spec.Scroll)(record))
	}
	return made, err
}

func (s thirdParty) Transact(ctx context.Context, fn func(context.Context, store.Tx[spec.Scroll]) error) error {
	return s.plain.Transact(ctx, func(ctx context.Context, tx store.Tx[unstamped]) error { return fn(ctx, thirdPartyTx{tx}) })
}

type thirdPartyTx struct{ store.Tx[unstamped] }

func (t thirdPartyTx) Get(ctx context.Context, id any) (*spec.Scroll, error) {
	record, err := t.Tx.Get(ctx, id)
	return (*spec.Scroll)(record), err
}

func (t thirdPartyTx) Insert(ctx context.Context, record *spec.Scroll) error {
	return t.Tx.Insert(ctx, (*unstamped)(record))
}

func (t thirdPartyTx) Update(ctx context.Context, id any, record *spec.Scroll) error {
	return t.Tx.Update(ctx, id, (*unstamped)(record))
}

// wrapped is a store without the optional interfaces.
type wrapped struct{ store.Store[spec.Scroll] }

// scrollStores opens an empty store of each sort.
func scrollStores() map[string]func(t *testing.T) store.Store[spec.Scroll] {
	return map[string]func(t *testing.T) store.Store[spec.Scroll]{
		"memory":                      func(*testing.T) store.Store[spec.Scroll] { return memory.New[spec.Scroll]() },
		"a wrapper that says nothing": func(*testing.T) store.Store[spec.Scroll] { return wrapped{memory.New[spec.Scroll]()} },
		"another's":                   func(*testing.T) store.Store[spec.Scroll] { return thirdParty{memory.New[unstamped]()} },
		"SQLite": func(t *testing.T) store.Store[spec.Scroll] {
			t.Helper()
			db, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			table := sqlstore.Table[spec.Scroll](db)
			if err := db.Create(t.Context(), table); err != nil {
				t.Fatal(err)
			}
			return table
		},
	}
}

func TestAStaleIfMatchIsRejected(t *testing.T) {
	t.Parallel()
	for name, open := range scrollStores() {
		if name == "another's" { // whose other writers are not counted, as package store says
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scrolls := open(t)
			retitle := func(ctx context.Context, title string, behind func(*spec.Scroll)) error {
				return scrolls.Transact(ctx, func(ctx context.Context, tx store.Tx[spec.Scroll]) error {
					s, err := tx.Get(ctx, int64(1))
					if err != nil {
						return err
					}
					s.Title = title
					behind(s)
					return tx.Update(ctx, s.ID, s)
				})
			}
			handler := operation.Handle(func(ctx context.Context, _ *spec.Goblet, _ struct{}) (struct{}, error) {
				return struct{}{}, retitle(ctx, "by the handler of another resource", func(*spec.Scroll) {})
			})
			hook := func(ctx context.Context, _ *operation.Request, _ *spec.Goblet) error {
				return retitle(ctx, "by a hook of another resource", func(*spec.Scroll) {})
			}
			c := spec.NewClient(
				t, resource.Config{},
				resource.Of[spec.Scroll]{Store: scrolls},
				resource.Of[spec.Goblet]{Prepare: hook, Operations: append(operation.Standard(), operation.Post{Name: "act", URITemplate: "/act", Handler: handler})},
			)
			c.Send("POST /api/scrolls", `{"title":"first"}`).HasStatus(201).Mentions(`"version":1`)
			for i, write := range []func() error{
				func() error { return retitle(t.Context(), "by a job", func(*spec.Scroll) {}) },
				func() error {
					return retitle(t.Context(), "with the version of the tag", func(s *spec.Scroll) { s.Version-- })
				},
				func() error { return retitle(t.Context(), "with no version", func(s *spec.Scroll) { s.Version = 0 }) },
				func() error {
					return scrolls.Transact(t.Context(), func(ctx context.Context, tx store.Tx[spec.Scroll]) error {
						return tx.Update(ctx, int64(1), &spec.Scroll{ID: 1, Title: "without a look", Version: 1})
					})
				},
				func() error { c.Send("POST /api/act", "").HasStatus(204); return nil },
				func() error { c.Send("POST /api/goblets", `{"title":"x"}`).HasStatus(201); return nil },
				func() error { c.Send("PUT /api/scrolls/1", `{"title":"by a client"}`).HasStatus(200); return nil },
			} {
				seen := c.Send("GET /api/scrolls/1", "").HasStatus(200)
				if err := write(); err != nil {
					t.Fatal(err)
				}
				now := c.Send("GET /api/scrolls/1", "").HasStatus(200).Mentions(fmt.Sprintf(`"version":%d`, i+2))
				if now.Header.Get("Last-Modified") == "" || now.Body == seen.Body {
					t.Errorf("after write %d comes %s", i, now.Body)
				}
				for _, request := range []string{"PATCH", "PUT", "DELETE"} {
					body := `{"title":"lost update"}`
					if request == "DELETE" {
						body = ""
					}
					c.Send(request+" /api/scrolls/1", body, "If-Match", seen.Header.Get("ETag")).IsProblem(412)
				}
				c.Send("GET /api/scrolls/1", "", "If-None-Match", seen.Header.Get("ETag")).Is(200, now.Body)
			}
		})
	}
}

// Even if no client counts versions: the tag covers the state, not the version alone.
func TestATagCoversMoreThanTheVersion(t *testing.T) {
	t.Parallel()
	plain := memory.New(unstamped{Title: "a", Version: 7})
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Scroll]{Store: thirdParty{plain}})
	seen := c.Send("GET /api/scrolls/1", "").HasStatus(200)
	err := plain.Transact(t.Context(), func(ctx context.Context, tx store.Tx[unstamped]) error {
		return tx.Update(ctx, int64(1), &unstamped{ID: 1, Title: "b", Version: 7})
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Send("GET /api/scrolls/1", "", "If-None-Match", seen.Header.Get("ETag")).HasStatus(200)
	c.Send("PATCH /api/scrolls/1", `{"title":"c"}`, "If-Match", seen.Header.Get("ETag")).IsProblem(412)
}

func TestEveryStoreCountsWhatOperationsWrite(t *testing.T) {
	t.Parallel()
	for name, open := range scrollStores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			twice := operation.Process(func(ctx context.Context, _ *operation.Request, s *spec.Scroll, save operation.Save[spec.Scroll]) error {
				s.Version = 70
				if err := save(ctx, s); err != nil || s.Title != "twice" {
					return err
				}
				return save(ctx, s)
			})
			c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Scroll]{
				Store: open(t), Processor: twice,
				Operations: append(operation.Standard(), operation.Post{
					Name: "note", URITemplate: "/scrolls/{id}/note",
					Handler: operation.Handle(func(_ context.Context, s *spec.Scroll, _ struct{}) (*spec.Scroll, error) {
						s.Title, s.Version = "noted", 99
						return s, nil
					}),
				}),
			})
			for _, step := range []struct {
				request, body string
				version       int
			}{
				{"POST /api/scrolls", `{"title":"a","version":50}`, 1},
				{"PATCH /api/scrolls/1", `{"title":"b","version":50}`, 2},
				{"PATCH /api/scrolls/1", `{}`, 3},
				{"PUT /api/scrolls/1", `{"title":"c"}`, 4},
				{"PUT /api/scrolls/1", `{"title":"twice"}`, 6}, // each save is a change
				{"POST /api/scrolls/1/note", "", 7},
			} {
				began := time.Now().Truncate(time.Second)
				a := c.Send(step.request, step.body).Mentions(fmt.Sprintf(`"version":%d,`, step.version))
				now := c.Send("GET /api/scrolls/1", "").Is(200, a.Body)
				if now.Header.Get("ETag") != a.Header.Get("ETag") || strings.Contains(a.Body, "0001-01-01") {
					t.Errorf("%s: the answer has %v %s, the next one %v", step.request, a.Header, a.Body, now.Header)
				}
				if at, err := time.Parse(time.RFC1123, a.Header.Get("Last-Modified")); err != nil || at.Before(began) {
					t.Errorf("%s: Last-Modified is %q", step.request, a.Header.Get("Last-Modified"))
				}
			}
		})
	}
}
