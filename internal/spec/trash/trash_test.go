// Package trash_test has the rules of deleted records that can be restored.
package trash_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Shelf has items that go to the trash with it.
type Shelf struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name" api:"filter,sort,unique"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

// Item is referenced in each way.
type Item struct {
	ID        int64      `json:"id"`
	Shelf     *int64     `json:"shelf" api:"ref=Shelf,ondelete=cascade,expand,filter,through=name"`
	Parent    *int64     `json:"parent" api:"ref=Item,ondelete=cascade"`
	Code      string     `json:"code" api:"filter,sort,unique"`
	Place     string     `json:"place" api:"filter"`
	Owner     int64      `json:"owner" api:"filter"`
	Version   int64      `json:"version" api:"version"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted,sort"`
}

// Constraints keeps places apart.
func (Item) Constraints() []store.Constraint {
	return []store.Constraint{store.Unique("place", "owner").Message("The place is taken.")}
}

// Loan keeps its item from being deleted.
type Loan struct {
	ID        int64      `json:"id"`
	Item      int64      `json:"item" api:"ref=Item,filter"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

// Note outlives the items that it is about.
type Note struct {
	ID    int64   `json:"id"`
	Item  *int64  `json:"item" api:"ref=Item,ondelete=null,expand,filter,through=code"`
	Items []int64 `json:"items" validate:"max=20" api:"ref=Item,ondelete=null,expand,filter"`
}

// world is the four resources in one sort of store.
type world struct {
	spec.Client

	shelves store.Store[Shelf]
	items   store.Store[Item]
	loans   store.Store[Loan]
	notes   store.Store[Note]
}

// operations are the standard ones, and those of the trash.
func operations(path string) []operation.Operation {
	return append(operation.Standard(),
		operation.Post{Name: "restore", URITemplate: path + "/{id}/restore", Handler: operation.Restore()},
		operation.Delete{Name: "purge", URITemplate: path + "/{id}/trash", Handler: operation.Purge()})
}

// inEachStore runs a test on each sort of store. The rules are those of all resources.
func inEachStore(t *testing.T, config resource.Config, rules access.Rules, run func(t *testing.T, w *world)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		run(t, inMemory().start(t, config, rules))
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) { run(t, inTables(t, open(t)).start(t, config, rules)) })
	}
}

// inMemory returns a world in memory.
func inMemory() *world {
	return &world{shelves: memory.New[Shelf](), items: memory.New[Item](), loans: memory.New[Loan](), notes: memory.New[Note]()}
}

// inTables returns a world in a database, whose tables it creates unless they exist.
func inTables(t *testing.T, db *sqlstore.DB) *world {
	t.Helper()
	shelves, items, loans, notes := sqlstore.Table[Shelf](db), sqlstore.Table[Item](db), sqlstore.Table[Loan](db), sqlstore.Table[Note](db)
	if err := db.Create(t.Context(), shelves, items, loans, notes); err != nil {
		t.Fatal(err)
	}
	return &world{shelves: shelves, items: items, loans: loans, notes: notes}
}

// start makes the API of the world.
func (w *world) start(t *testing.T, config resource.Config, rules access.Rules) *world {
	t.Helper()
	w.Client = spec.NewClient(t, config,
		resource.Of[Shelf]{Access: rules, Store: w.shelves, Operations: operations("/shelves")},
		resource.Of[Item]{Access: rules, Store: w.items, SparseFields: true, Operations: operations("/items")},
		resource.Of[Loan]{Access: rules, Store: w.loans, Operations: operations("/loans")},
		resource.Of[Note]{Access: withoutTrash(rules), Store: w.notes})
	return w
}

func withoutTrash(rules access.Rules) access.Rules {
	rules.Deleted = nil
	return rules
}

// open is rules by which everyone may do everything.
func open() access.Rules {
	rules := spec.Open()
	rules.Deleted = access.Public
	return rules
}

func TestADeletedRecordIsInTheTrashAlone(t *testing.T) {
	t.Parallel()
	inEachStore(t, resource.Config{}, open(), func(t *testing.T, w *world) {
		t.Helper()
		w.Send("POST /api/items", `{"code":"a","place":"p"}`).HasStatus(201)
		w.Send("POST /api/items", `{"code":"b","place":"q"}`).HasStatus(201)
		w.Send("DELETE /api/items/1", "").HasStatus(204)
		for _, request := range []string{
			"GET /api/items/1", "DELETE /api/items/1", "PATCH /api/items/1", "PUT /api/items/1", "GET /api/items/1?deleted=only&expand=shelf",
			"POST /api/items/2/restore", "DELETE /api/items/2/trash", "GET /api/items/2?deleted=only", "GET /api/items/9?deleted=with",
		} {
			body := ""
			if request[0] == 'P' && request[1] != 'O' {
				body = `{"code":"c"}`
			}
			want := 404
			if request == "GET /api/items/1?deleted=only&expand=shelf" {
				want = 200
			}
			if got := w.Send(request, body); got.Status != want {
				t.Errorf("%s: %d, want %d: %s", request, got.Status, want, got.Body)
			}
		}
		for query, want := range map[string][2]string{
			"": {"2", "1"}, "deleted=only": {"1", "1"}, "deleted=with": {"1,2", "2"}, "deleted=with&sort=-deletedAt": {"1,2", "2"},
			"code=a": {"", "0"}, "code=a&deleted=only": {"1", "1"}, "code=a&deleted=with": {"1", "1"}, "id=1": {"", "0"}, "id=1&deleted=with": {"1", "1"},
			"deleted=with&itemsPerPage=1": {"1", "2"}, "deleted=only&itemsPerPage=0": {"", "1"},
		} {
			got := w.Send("GET /api/items?fields=id&"+query, "").HasStatus(200).Has("X-Total-Count", want[1])
			if ids := idsIn(got.Body); ids != want[0] {
				t.Errorf("%s: %s, want %s", query, ids, want[0])
			}
		}
		w.Send("QUERY /api/items", `{"deleted":"only","fields":["id"]}`).Is(200, `[{"id":1}]`)
		w.Send("GET /api/items?deleted=yes", "").IsProblem(400).Mentions("must be one of: only, with")
		restored := w.Send("POST /api/items/1/restore", "").HasStatus(200).Mentions(`"deletedAt":null`, `"version":3`)
		w.Send("GET /api/items/1", "").Is(200, restored.Body).Has("ETag", restored.Header.Get("ETag"))
		w.Send("DELETE /api/items/1", "").HasStatus(204)
		w.Send("DELETE /api/items/1/trash", "").HasStatus(204)
		w.Send("GET /api/items/1?deleted=with", "").IsProblem(404)
		w.Send("POST /api/items/1/restore", "").IsProblem(404)
	})
}

func idsIn(body string) (ids string) {
	for i := range len(body) {
		if i > 0 && body[i-1] == ':' && body[i] >= '0' && body[i] <= '9' {
			if ids != "" {
				ids += ","
			}
			ids += string(body[i])
		}
	}
	return ids
}

func TestWhatWentToTheTrashTogetherComesBackTogether(t *testing.T) {
	t.Parallel()
	inEachStore(t, resource.Config{}, open(), func(t *testing.T, w *world) {
		t.Helper()
		w.Send("POST /api/shelves", `{"name":"s"}`).HasStatus(201)
		for _, body := range []string{
			`{"code":"a","place":"a","shelf":"/api/shelves/1"}`, `{"code":"b","place":"b","shelf":"/api/shelves/1"}`,
			`{"code":"c","place":"c","parent":"/api/items/2"}`, `{"code":"d","place":"d"}`,
		} {
			w.Send("POST /api/items", body).HasStatus(201)
		}
		w.Send("POST /api/notes", `{"item":"/api/items/3","items":["/api/items/1","/api/items/4"]}`).HasStatus(201)
		w.Send("DELETE /api/items/1", "").HasStatus(204)
		w.Send("DELETE /api/shelves/1", "").HasStatus(204)
		is := func(query, want string) {
			t.Helper()
			if ids := idsIn(w.Send("GET /api/items?fields=id&"+query, "").HasStatus(200).Body); ids != want {
				t.Errorf("%s: %s, want %s", query, ids, want)
			}
		}
		is("", "4")
		w.Send("GET /api/notes/1?expand=item,items", "").HasStatus(200).
			Mentions(`"item":"/api/items/3"`, `"items":["/api/items/1","/api/items/4"]`, `"item":null`, `"items":[null,{`)
		is("deleted=only", "1,2,3")
		w.Send("POST /api/items/2/restore", "").IsProblem(409).Mentions("in the trash")
		w.Send("POST /api/shelves/1/restore", "").HasStatus(200)
		is("", "2,3,4")
		is("shelf.name=s", "2")
		w.Send("POST /api/items/1/restore", "").HasStatus(200)
		is("shelf.name=s", "1,2")
		w.Send("DELETE /api/shelves/1", "").HasStatus(204)
		w.Send("DELETE /api/shelves/1/trash", "").HasStatus(204)
		is("deleted=with", "4")
		w.Send("GET /api/notes/1", "").Is(200, `{"id":1,"item":null,"items":["/api/items/4"]}`)
	})
}

func TestLivingRecordsAloneCount(t *testing.T) {
	t.Parallel()
	inEachStore(t, resource.Config{}, open(), func(t *testing.T, w *world) {
		t.Helper()
		w.Send("POST /api/items", `{"code":"a","place":"a"}`).HasStatus(201)
		w.Send("POST /api/loans", `{"item":"/api/items/1"}`).HasStatus(201)
		w.Send("DELETE /api/items/1", "").IsProblem(409).Mentions("Loan.item")
		w.Send("DELETE /api/loans/1", "").HasStatus(204)
		w.Send("DELETE /api/items/1", "").HasStatus(204)
		w.Send("DELETE /api/items/1/trash", "").IsProblem(409).Mentions("Loan.item")
		w.Send("POST /api/loans/1/restore", "").IsProblem(409).Mentions("in the trash")
		w.Send("POST /api/loans", `{"item":"/api/items/1"}`).IsInvalid("item", "item must be the path of an existing Item, such as /api/items/{id}")
		w.Send("POST /api/notes", `{"items":["/api/items/1"]}`).HasStatus(400)
		w.Send("POST /api/items", `{"code":"a","place":"b"}`).HasStatus(201)
		w.Send("POST /api/items/1/restore", "").IsProblem(409).Mentions("code")
		w.Send("PATCH /api/items/2", `{"code":"b","place":"a"}`).HasStatus(200)
		w.Send("POST /api/items/1/restore", "").IsProblem(409).Mentions("The place is taken.")
		w.Send("DELETE /api/items/2", "").HasStatus(204)
		w.Send("POST /api/items/1/restore", "").HasStatus(200)
		w.Send("POST /api/items/2/restore", "").IsProblem(409)
		w.Send("POST /api/loans/1/restore", "").HasStatus(200)
		w.Send("DELETE /api/items/1", "").IsProblem(409)
	})
}

func TestAReferenceToTheTrashStaysAndCanBeSentBack(t *testing.T) {
	t.Parallel()
	inEachStore(t, resource.Config{}, open(), func(t *testing.T, w *world) {
		t.Helper()
		for _, code := range []string{"a", "b"} {
			w.Send("POST /api/items", `{"code":"`+code+`","place":"`+code+`"}`).HasStatus(201)
		}
		note := w.Send("POST /api/notes", `{"item":"/api/items/1","items":["/api/items/1"]}`).HasStatus(201)
		w.Send("DELETE /api/items/1", "").HasStatus(204)
		w.Send("PUT /api/notes/1", note.Body).Is(200, note.Body)
		w.Send("PATCH /api/notes/1", `{"items":["/api/items/2","/api/items/1"]}`).HasStatus(200)
		w.Send("PATCH /api/notes/1", `{"item":"/api/items/2"}`).HasStatus(200)
		w.Send("PATCH /api/notes/1", `{"item":"/api/items/1"}`).HasStatus(400)
		w.Send("GET /api/notes?item.code=a", "").Is(200, `[]`)
		insert := func(n Note) error { return store.Insert(t.Context(), w.notes, &n) }
		gone := int64(1)
		if err := insert(Note{Item: &gone}); err == nil {
			t.Error("a program can add a reference to a record in the trash")
		}
		if err := insert(Note{Items: []int64{2, 1}}); err == nil {
			t.Error("a program can add a list with a record in the trash")
		}
	})
}

func TestPurgeDeletesWhatWasDeletedBefore(t *testing.T) {
	t.Parallel()
	inEachStore(t, resource.Config{}, open(), func(t *testing.T, w *world) {
		t.Helper()
		for _, code := range []string{"a", "b", "c"} {
			w.Send("POST /api/items", `{"code":"`+code+`","place":"`+code+`"}`).HasStatus(201)
		}
		w.Send("POST /api/loans", `{"item":"/api/items/2"}`).HasStatus(201)
		w.Send("DELETE /api/loans/1", "").HasStatus(204)
		for _, id := range []any{int64(1), int64(2)} {
			if err := store.Delete(t.Context(), w.items, id); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range []struct {
			before time.Time
			loans  bool
			want   int
		}{{time.Now().Add(-time.Hour), false, 0}, {time.Now().Add(time.Hour), false, 1}, {time.Now().Add(time.Hour), true, 1}} {
			ctx := context.Background()
			if step.loans {
				if n, err := store.Purge(ctx, w.loans, step.before); n != 1 || err != nil {
					t.Errorf("%d loans are purged (%v)", n, err)
				}
			}
			if n, err := store.Purge(ctx, w.items, step.before); n != step.want || err != nil {
				t.Errorf("%d items are purged, want %d (%v)", n, step.want, err)
			}
		}
		if n, err := store.Purge(t.Context(), w.notes, time.Now()); n != 0 || err == nil {
			t.Error("a struct without a trash can be purged")
		}
		if ids := idsIn(w.Send("GET /api/items?fields=id&deleted=with", "").Body); ids != "3" {
			t.Errorf("%s are left, want 3", ids)
		}
	})
}

func TestTheTrashIsInTheDocument(t *testing.T) {
	t.Parallel()
	for name, d := range map[string][]resource.Declaration{
		"open": {
			resource.Of[Shelf]{Access: open(), Operations: operations("/shelves")}, resource.Of[Item]{Access: open(), Operations: operations("/items")},
		},
		"for no one": {resource.Of[Shelf]{}, resource.Of[Item]{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api, err := resource.New(resource.Config{}, d...)
			if err != nil {
				t.Fatal(err)
			}
			if err := openapi.Mount(api, openapi.Config{Title: "Shelves", Version: "1"}); err != nil {
				t.Fatal(err)
			}
			if name == "open" {
				c := spec.Client{T: t, Handler: api}
				c.Send("GET /api/docs.json", "").HasStatus(200).Mentions(`"summary": "Restore an item"`, `"summary": "Purge an item"`)
			}
			openapitest.Conform(t, api, openapitest.Requests(40))
		})
	}
}

func TestATableFromBeforeTheTagIsReported(t *testing.T) {
	t.Parallel()
	type Old struct {
		ID   int64  `json:"id"`
		Code string `json:"code" api:"unique"`
	}
	type New struct {
		ID        int64      `json:"id"`
		Code      string     `json:"code" api:"unique"`
		DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
	}
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			if err := db.Create(t.Context(), sqlstore.Table[Old](db, sqlstore.Named("things"))); err != nil {
				t.Fatal(err)
			}
			made := sqlstore.Table[New](db, sqlstore.Named("things"))
			if err := db.Create(t.Context(), made); err == nil {
				t.Error("a table without the column can have the indexes of the trash")
			}
			typ := map[string]string{"SQLite": "TEXT", "PostgreSQL": "TIMESTAMPTZ", "MariaDB": "DATETIME(6)"}[name]
			if _, err := db.Exec(t.Context(), "ALTER TABLE things ADD COLUMN deleted_at "+typ); err != nil {
				t.Fatal(err)
			}
			err := made.Check(t.Context())
			for _, want := range []string{"lacks things_code_living_key", "has a unique index on code for all rows, which counts deleted records: drop it"} {
				if want[0] == 'h' { // reported once the other one exists
					if err := db.Create(t.Context(), made); err != nil {
						t.Fatal(err)
					}
					err = made.Check(t.Context())
				}
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("Check does not report that the table %s: %v", want, err)
				}
			}
			drop := "DROP INDEX things_code_key"
			if name == "MariaDB" {
				drop += " ON things"
			}
			if _, err := db.Exec(t.Context(), drop); err != nil {
				t.Fatal(err)
			}
			if err := made.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// Rider has one badge.
type Rider struct {
	ID        int64      `json:"id"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

// Badge belongs to one rider alone.
type Badge struct {
	ID        int64      `json:"id"`
	Rider     int64      `json:"rider" api:"ref=Rider,unique,ondelete=cascade"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

func TestAUniqueReferenceGoesWithItsRecordAndComesBack(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, riders store.Store[Rider], badges store.Store[Badge]) {
		t.Helper()
		rules := access.Only(access.Public)
		rules.Deleted = access.Public
		c := spec.NewClient(t, resource.Config{},
			resource.Of[Rider]{Store: riders, Access: rules, Operations: operations("/riders")},
			resource.Of[Badge]{Store: badges, Access: rules, Operations: operations("/badges")})
		c.Send("POST /api/riders", `{}`).HasStatus(201)
		c.Send("POST /api/badges", `{"rider":"/api/riders/1"}`).HasStatus(201)
		c.Send("DELETE /api/riders/1", "").HasStatus(204)
		c.Send("GET /api/badges/1", "").HasStatus(404)
		c.Send("POST /api/riders/1/restore", "").HasStatus(200)
		c.Send("GET /api/badges/1", "").HasStatus(200)
		c.Send("POST /api/badges", `{"rider":"/api/riders/1"}`).HasStatus(409)
		c.Send("DELETE /api/riders/1", "").HasStatus(204)
		c.Send("DELETE /api/riders/1/trash", "").HasStatus(204)
		c.Send("GET /api/badges?deleted=with", "").Is(200, "[]")
	}
	t.Run("memory", func(t *testing.T) { run(t, memory.New[Rider](), memory.New[Badge]()) })
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			riders, badges := sqlstore.Table[Rider](db), sqlstore.Table[Badge](db)
			if err := db.Create(t.Context(), riders, badges); err != nil {
				t.Fatal(err)
			}
			run(t, riders, badges)
		})
	}
}

// A filter by the path of a record in the trash finds nothing, like that of a missing one.
func TestAFilterByARecordInTheTrashFindsNothing(t *testing.T) {
	t.Parallel()
	inEachStore(t, resource.Config{}, open(), func(t *testing.T, w *world) {
		t.Helper()
		w.Send("POST /api/items", `{"code":"a","place":"p"}`).HasStatus(201)
		w.Send("POST /api/notes", `{"item":"/api/items/1","items":["/api/items/1"]}`).HasStatus(201)
		queries := []string{"item=/api/items/1", "items=/api/items/1", `filter={"item":"/api/items/1"}`}
		for _, query := range queries {
			w.Send("GET /api/notes?"+query, "").HasStatus(200).Has("X-Total-Count", "1")
		}
		w.Send("DELETE /api/items/1", "").HasStatus(204)
		for _, query := range queries {
			w.Send("GET /api/notes?"+query, "").HasStatus(200).Has("X-Total-Count", "0")
		}
		w.Send("GET /api/notes?item[ne]=/api/items/1", "").HasStatus(200).Has("X-Total-Count", "1")
	})
}
