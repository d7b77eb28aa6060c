package history_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// clerk is a caller, whose token is the name.
type clerk struct{ name string }

func (c *clerk) String() string { return c.name }

// item is what bookings refer to.
type item struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
}

// booking is a record whose note and owner only the boss may read.
type booking struct {
	ID      int64             `json:"id"`
	Item    *int64            `json:"item" api:"ref=Item,ondelete=cascade"`
	Status  string            `json:"status" default:"requested"`
	Note    string            `json:"note,omitempty"`
	PIN     string            `json:"pin" api:"writeonly"`
	Secret  string            `json:"secret" api:"hidden"`
	Tags    map[string]string `json:"tags"`
	Open    bool              `json:"open" default:"true"`
	Version int               `json:"version" api:"version"`
}

// world is the two resources in one store or database.
type world struct {
	bookings store.Store[booking]
	items    store.Store[item]
}

// sorts returns functions that make an empty world in memory, in SQLite and, where there is a server, in PostgreSQL.
func sorts(t *testing.T) map[string]func(t *testing.T) world {
	t.Helper()
	all := map[string]func(t *testing.T) world{"memory": func(*testing.T) world { return world{memory.New[booking](), memory.New[item]()} }}
	for name, open := range spec.Databases(t) {
		all[name] = func(t *testing.T) world {
			t.Helper()
			db := open(t)
			bookings, items := sqlstore.Table[booking](db), sqlstore.Table[item](db)
			if err := db.Create(t.Context(), bookings, items); err != nil {
				t.Fatal(err)
			}
			return world{bookings, items}
		}
	}
	return all
}

// inEachStore runs a test on each sort of world.
func inEachStore(t *testing.T, run func(t *testing.T, w world)) {
	t.Helper()
	for name, empty := range sorts(t) {
		t.Run(name, func(t *testing.T) { t.Parallel(); run(t, empty(t)) })
	}
}

// client returns a client of an API in which clerks see open bookings, and the boss sees everything.
func (w world) client(t *testing.T) spec.Client {
	t.Helper()
	boss := access.If("boss", func(c *clerk) bool { return c.name == "boss" })
	rules := access.Only(access.Authenticated)
	rules.Read = access.Any(boss, access.Where("open", true))
	rules.Fields = map[string]access.Field{"note": {Read: boss}}
	scheme := access.Bearer("token", func(_ context.Context, token string) (*clerk, access.Scopes, error) { return &clerk{token}, nil, nil })
	return spec.NewClient(t, resource.Config{Authentication: []access.Scheme{scheme}},
		resource.Of[item]{ShortName: "Item", Store: w.items, Access: access.Only(access.Authenticated)},
		resource.Of[booking]{
			ShortName: "Booking", Store: w.bookings, Access: rules, History: true,
			Operations: append(operation.Standard(), operation.Post{
				Name: "approve", URITemplate: "/bookings/{id}/approve", Handler: operation.Set("status", "approved"),
			}),
		})
}

// logOf returns the log of a store.
func logOf(s store.Store[booking]) store.Store[store.LogEntry] {
	log, _ := s.(store.LogKeeper).Log()
	return log
}

var at = regexp.MustCompile(`"at":"[^"]+",?`)

// history returns the response to a request, without the times of entries.
func history(c spec.Client, request, token string) spec.Response {
	c.T.Helper()
	r := c.Send(request, "", "Authorization", "Bearer "+token)
	r.Body = at.ReplaceAllString(r.Body, "")
	return r
}

func TestTheHistoryOfARecordHasEachChangeNewestFirst(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, w world) {
		t.Helper()
		c := w.client(t)
		as := func(name string) []string { return []string{"Authorization", "Bearer " + name} }
		c.Send("POST /api/items", `{"name": "drill"}`, as("ann")...).HasStatus(http.StatusCreated)
		c.Send("POST /api/bookings", `{"item": "/api/items/1", "pin": "1234"}`, as("ann")...).HasStatus(http.StatusCreated)
		c.Send("PATCH /api/bookings/1", `{"pin": "4321"}`, as("ann")...).HasStatus(http.StatusOK)
		c.Send("PATCH /api/bookings/1", `{"note": "late", "status": "requested"}`, as("boss")...).HasStatus(http.StatusOK)
		c.Send("POST /api/bookings/1/approve", ``, as("bob")...).HasStatus(http.StatusOK)
		if err := store.Update(t.Context(), w.bookings, int64(1), func(b *booking) error {
			b.Status, b.Tags = "lent", map[string]string{"from": "job"}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		job := `{"by": null, "operation": null, "changes": {"status": {"from": "approved", "to": "lent"}, "tags": {"from": {}, "to": {"from": "job"}}}}`
		approved := `{"by": "bob", "operation": "approveBooking", "changes": {"status": {"from": "requested", "to": "approved"}}}`
		noted := `{"by": "boss", "operation": "patchBooking", "changes": {"note": {"from": null, "to": "late"}}}`
		created := `{"by": "ann", "operation": "createBooking", "changes": {
			"id": {"from": null, "to": 1}, "item": {"from": null, "to": "/api/items/1"}, "status": {"from": null, "to": "requested"},
			"tags": {"from": null, "to": {}}, "open": {"from": null, "to": true}}}`
		history(c, "GET /api/bookings/1/history", "ann").Is(http.StatusOK, "["+job+","+approved+","+created+"]").Has("X-Total-Count", "3")
		history(c, "GET /api/bookings/1/history", "boss").Is(http.StatusOK, "["+job+","+approved+","+noted+","+created+"]").Has("X-Total-Count", "4")
		history(c, "GET /api/bookings/1/history?itemsPerPage=1&page=2", "ann").Is(http.StatusOK, "["+approved+"]").Has("X-Total-Count", "3")
		c.Send("PATCH /api/bookings/1", `{"open": false}`, as("boss")...).HasStatus(http.StatusOK)
		history(c, "GET /api/bookings/1/history", "ann").IsProblem(http.StatusNotFound)
		c.Send("GET /api/bookings/1/history", "").IsProblem(http.StatusNotFound)
		history(c, "GET /api/bookings/2/history", "ann").IsProblem(http.StatusNotFound)
		history(c, "GET /api/bookings/1/history?id=1", "ann").IsProblem(http.StatusBadRequest)
	})
}

func TestNothingIsLoggedOfAChangeThatIsNotSaved(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, w world) {
		t.Helper()
		c := w.client(t)
		fails := errors.New("the job fails")
		err := w.bookings.Transact(t.Context(), func(ctx context.Context, tx store.Tx[booking]) error {
			return errors.Join(tx.Insert(ctx, &booking{Status: "new", Open: true}), fails)
		})
		if !errors.Is(err, fails) {
			t.Fatal(err)
		}
		log := logOf(w.bookings)
		if n, err := store.Count(t.Context(), log); n != 0 || err != nil {
			t.Errorf("the log has %d entries (%v)", n, err)
		}
		made := &booking{Status: "new", Open: true}
		if err := store.Insert(t.Context(), w.bookings, made); err != nil {
			t.Fatal(err)
		}
		// Only the PIN, which the log never has, differs.
		c.Send(fmt.Sprint("PATCH /api/bookings/", made.ID), `{"pin": "1"}`, "Authorization", "Bearer ann").HasStatus(http.StatusOK)
		if n, err := store.Count(t.Context(), log); n != 1 || err != nil {
			t.Errorf("the log has %d entries (%v)", n, err)
		}
	})
}

func TestACascadeHasTheCallerAndOperationOfItsCause(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, w world) {
		t.Helper()
		c := w.client(t)
		drill := &item{Name: "drill"}
		err := errors.Join(store.Insert(t.Context(), w.items, drill),
			store.Insert(t.Context(), w.bookings, &booking{Item: &drill.ID, Open: true}, &booking{Item: &drill.ID, Open: true}))
		if err != nil {
			t.Fatal(err)
		}
		c.Send("DELETE /api/items/1", "", "Authorization", "Bearer ann").HasStatus(http.StatusNoContent)
		entries, err := store.List(t.Context(), logOf(w.bookings), store.Eq("kind", "delete"))
		if err != nil || len(entries) != 2 {
			t.Fatalf("%d records are logged as deleted (%v)", len(entries), err)
		}
		for _, e := range entries {
			if e.By == nil || *e.By != "ann" || e.Operation == nil || *e.Operation != "deleteItem" || string(e.Changes["id"].To) != "null" {
				t.Errorf("the entry is %+v", e)
			}
		}
	})
}

// TestARecordHasNoHistoryOfAnEarlierOneWithItsIdentifier deletes a record and makes another one with its identifier.
func TestARecordHasNoHistoryOfAnEarlierOneWithItsIdentifier(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, w world) {
		t.Helper()
		c := w.client(t)
		err := errors.Join(store.Insert(t.Context(), w.bookings, &booking{ID: 7, Status: "private", Open: true}), store.Delete(t.Context(), w.bookings, any(int64(7))),
			store.Insert(t.Context(), w.bookings, &booking{ID: 7, Status: "other", Open: true}))
		if err != nil {
			t.Fatal(err)
		}
		history(c, "GET /api/bookings/7/history", "ann").Has("X-Total-Count", "1").Mentions(`"to":"other"`)
		// Without the insert, as if another program had made the record.
		log := logOf(w.bookings)
		if err := store.Delete(t.Context(), log, any(int64(3))); err != nil {
			t.Fatal(err)
		}
		history(c, "GET /api/bookings/7/history", "ann").Is(http.StatusOK, "[]")
	})
}

// TestConcurrentChangesAreLoggedInTheirOrder counts in the status with several writers: each entry goes on where the one before
// it ended.
func TestConcurrentChangesAreLoggedInTheirOrder(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, w world) {
		t.Helper()
		w.client(t)
		if err := store.Insert(t.Context(), w.bookings, &booking{Status: "0", Open: true}); err != nil {
			t.Fatal(err)
		}
		var writers sync.WaitGroup
		for range 8 {
			writers.Go(func() {
				for range 4 {
					if err := store.Update(t.Context(), w.bookings, int64(1), func(b *booking) error {
						n, err := strconv.Atoi(b.Status)
						b.Status = strconv.Itoa(n + 1)
						return err
					}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		writers.Wait()
		entries, err := store.List(t.Context(), logOf(w.bookings), store.Eq("kind", "update"))
		if err != nil || len(entries) != 32 {
			t.Fatalf("%d changes are logged, want 32 (%v)", len(entries), err)
		}
		for i, e := range entries {
			if got := e.Changes["status"]; string(got.From) != fmt.Sprintf("%q", strconv.Itoa(i)) || string(got.To) != fmt.Sprintf("%q", strconv.Itoa(i+1)) {
				t.Errorf("entry %d is from %s to %s", i, got.From, got.To)
			}
		}
	})
}

// TestPagesOfAHistory walks with cursors and as a stream, and finds each visible entry once.
func TestPagesOfAHistory(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, w world) {
		t.Helper()
		c := w.client(t)
		if err := store.Insert(t.Context(), w.bookings, &booking{Status: "0", Open: true}); err != nil {
			t.Fatal(err)
		}
		for i := range 12 {
			if err := store.Update(t.Context(), w.bookings, int64(1), func(b *booking) error {
				if b.Note = fmt.Sprint(i); i%3 == 0 {
					b.Status = fmt.Sprint(i + 1)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		status := regexp.MustCompile(`"to":"(\d+)"`)
		for token, want := range map[string]int{"ann": 5, "boss": 13} {
			var walked []string
			for next := "/api/bookings/1/history?itemsPerPage=2&cursor="; next != ""; {
				r := history(c, "GET "+next, token).HasStatus(http.StatusOK)
				var page []jsontext.Value
				if err := json.Unmarshal([]byte(r.Body), &page); err != nil {
					t.Fatal(err)
				}
				for _, entry := range page {
					walked = append(walked, string(entry))
				}
				next = ""
				if found := regexp.MustCompile(`<([^>]+)>; rel="next"`).FindStringSubmatch(r.Header.Get("Link")); found != nil {
					next = found[1]
				}
			}
			lines := strings.Split(strings.TrimSpace(history(c, "GET /api/bookings/1/history.ndjson", token).HasStatus(http.StatusOK).Body), "\n")
			if !slices.Equal(walked, lines) || len(walked) != want || !status.MatchString(walked[0]) {
				t.Errorf("%s finds %d entries by cursors and %d as a stream, want %d:\n%s", token, len(walked), len(lines), want, strings.Join(walked, "\n"))
			}
		}
	})
}

// visit is a record whose identifier is longer as text than stores index.
type visit struct {
	Guest  string `json:"guest" api:"id" validate:"max=255"`
	Place  string `json:"place" api:"id" validate:"max=255"`
	Status string `json:"status"`
}

func TestALongIdentifierHasItsHistory(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[visit]{History: true}, func(c spec.Client) {
		long := strings.Repeat("é ", 127)
		for _, place := range []string{long + "a", long + "b", "c"} {
			body := fmt.Sprintf(`{"guest": %q, "place": %q, "status": %q}`, long, place, place[len(place)-1:])
			path := c.Send("POST /api/things", body).HasStatus(http.StatusCreated).Header.Get("Location")
			c.Send("PATCH "+path, `{"status": "changed"}`).HasStatus(http.StatusOK)
			c.Send("GET "+path+"/history", "").HasStatus(http.StatusOK).Has("X-Total-Count", "2").
				Mentions(`{"from":"` + place[len(place)-1:] + `","to":"changed"}`)
		}
	})
}

// TestOnlyAServiceWithTheKeyReadsTheCursorOfAHistory sends a cursor of one instance to another one with the same declarations.
func TestOnlyAServiceWithTheKeyReadsTheCursorOfAHistory(t *testing.T) {
	t.Parallel()
	shared := []byte("a key that all instances share")
	for name, test := range map[string]struct {
		first, second []byte
		status        int
	}{
		"without a key":       {nil, nil, http.StatusBadRequest},
		"with one key":        {shared, shared, http.StatusOK},
		"with different keys": {shared, []byte("the key of another service"), http.StatusBadRequest},
	} {
		items := resource.Of[item]{ShortName: "Item", Store: memory.New[item](), History: true}
		instances := [2]spec.Client{spec.NewClient(t, resource.Config{CursorKey: test.first}, items), spec.NewClient(t, resource.Config{CursorKey: test.second}, items)}
		instances[0].Send("POST /api/items", `{"name": "a"}`).HasStatus(http.StatusCreated)
		instances[0].Send("PATCH /api/items/1", `{"name": "b"}`).HasStatus(http.StatusOK)
		link := instances[0].Send("GET /api/items/1/history?itemsPerPage=1&cursor=", "").HasStatus(http.StatusOK).Header.Get("Link")
		next := regexp.MustCompile(`<([^>]+)>; rel="next"`).FindStringSubmatch(link)[1]
		for i, status := range []int{http.StatusOK, test.status} {
			if r := instances[i].Send("GET "+next, ""); r.Status != status {
				t.Errorf("%s, the status of instance %d is %d, want %d", name, i, r.Status, status)
			}
		}
	}
}

func TestTheHistoryKeepsToItsDocument(t *testing.T) {
	t.Parallel()
	config := resource.Config{Formats: slices.Concat(format.Standard(), []format.Format{csv.Format, jsonld.Format, jsonapi.Format})}
	api, err := resource.New(config, resource.Of[item]{ShortName: "Item"}, resource.Of[booking]{ShortName: "Booking", History: true})
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(60))
	document, err := openapi.Document(api, openapi.Config{Title: "Bookings", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	op := document.Paths.Find("/api/bookings/{id}/history").Get
	var types []string
	for mediaType := range op.Responses.Status(http.StatusOK).Value.Content {
		types = append(types, mediaType)
	}
	slices.Sort(types)
	if want := []string{"application/json", "application/x-ndjson", "text/csv"}; op.OperationID != "listBookingHistory" || !slices.Equal(types, want) {
		t.Errorf("the operation %s has the types %q, want %q", op.OperationID, types, want)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("POST /api/bookings", `{"status": "a, b"}`).HasStatus(http.StatusCreated)
	t.Log(c.Send("GET /api/bookings/1/history.csv", "").HasStatus(http.StatusOK).Body)
}

func TestAPrincipalWithoutATextIsAWarning(t *testing.T) {
	t.Parallel()
	for want, scheme := range map[bool]access.Scheme{
		true:  access.Bearer("token", func(context.Context, string) (*tag, access.Scopes, error) { return nil, nil, access.ErrCredentials }),
		false: access.Bearer("token", func(context.Context, string) (*clerk, access.Scopes, error) { return nil, nil, access.ErrCredentials }),
	} {
		var log bytes.Buffer
		config := resource.Config{Authentication: []access.Scheme{scheme}, Logger: slog.New(slog.NewTextHandler(&log, nil))}
		if _, err := resource.New(config, resource.Of[item]{ShortName: "Item", Access: access.Only(access.Public), History: true}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(log.String(), "the history names no callers") != want {
			t.Errorf("the log is %q", log.String())
		}
	}
}

// tag is a record without a Get.
type tag struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// line has an identifier of two fields, one of which is a reference.
type line struct {
	Item   int64  `json:"item" api:"id,ref=Item"`
	Number int    `json:"number" api:"id"`
	Text   string `json:"text"`
	Hidden string `json:"hidden"`
}

// TestPathsOfHistories has records below others, of which a View omits a field, a wrapped store, and a resource without a Get.
func TestPathsOfHistories(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Prefix: "/"},
		resource.Of[item]{ShortName: "Item", History: true, Store: wrapped{memory.New[item]()}},
		resource.Of[tag]{ShortName: "Tag", History: true, Operations: []operation.Operation{operation.Post{}, operation.GetCollection{}}},
		resource.Of[line]{ShortName: "Line", History: true, Path: "/items/{item}/lines", View: &operation.View{Name: "LineShown", Fields: []string{"item", "number", "text"}}})
	c.Send("POST /items", `{"name": "drill"}`).HasStatus(http.StatusCreated)
	c.Send("POST /items/1/lines", `{"number": 2, "text": "a/b", "hidden": "x"}`).HasStatus(http.StatusCreated)
	c.Send("PATCH /items/1/lines/2", `{"hidden": "y"}`).HasStatus(http.StatusOK)
	history(c, "GET /items/1/history", "").Is(http.StatusOK, `[{"by": null, "operation": "createItem", "changes": {"id": {"from": null, "to": 1}, "name": {"from": null, "to": "drill"}}}]`)
	history(c, "GET /items/1/lines/2/history", "").Is(http.StatusOK, `[{"by": null, "operation": "createItemLine", "changes": {
		"item": {"from": null, "to": "/items/1"}, "number": {"from": null, "to": 2}, "text": {"from": null, "to": "a/b"}}}]`)
	c.Send("POST /tags", `{"name": "new"}`).HasStatus(http.StatusCreated)
	history(c, "GET /tags/1/history", "").Is(http.StatusOK, `[{"by": null, "operation": "createTag", "changes": {"id": {"from": null, "to": 1}, "name": {"from": null, "to": "new"}}}]`)
	history(c, "GET /items/1/lines/3/history", "").IsProblem(http.StatusNotFound)
	history(c, "GET /items/3/history", "").IsProblem(http.StatusNotFound)
}

// wrapped is a store that wraps another one.
type wrapped struct{ store.Store[item] }

func (w wrapped) Unwrap() any { return w.Store }

// reporting is a store that keeps no log.
type reporting struct{ inner store.Store[item] }

func (s reporting) Get(ctx context.Context, id any) (*item, error) { return s.inner.Get(ctx, id) }
func (s reporting) List(ctx context.Context, q store.Query) (store.Page[item], error) {
	return s.inner.List(ctx, q)
}

func (s reporting) Transact(ctx context.Context, fn func(context.Context, store.Tx[item]) error) error {
	return s.inner.Transact(ctx, fn)
}

// shown is what an Output returns.
type shown struct {
	Name string `json:"name"`
}

func TestAHistoryThatCannotBeKeptIsAnErrorOfNew(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "old.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	old := sqlstore.Table[item](db)
	if err := db.Create(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(t.Context(), "DROP TABLE trove_log"); err != nil {
		t.Fatal(err)
	}
	output := operation.Output(func(_ context.Context, i *item) (shown, error) { return shown{i.Name}, nil })
	for name, test := range map[string]struct {
		declared resource.Of[item]
		want     string
	}{
		"a store without a log":   {resource.Of[item]{Store: reporting{memory.New[item]()}}, "Item: History: the store (history_test.reporting) keeps no log of changes; use one that implements store.LogKeeper, such as those of store/memory and store/sqlstore"},
		"a table that is missing": {resource.Of[item]{Store: old}, "Item: History: store: sqlstore: the table trove_log does not exist: create it with db.Create, or with a migration from sqlstore.DDL"},
		"an Output":               {resource.Of[item]{Output: output}, "Item: History: the changes have fields of the record, which Output converts for responses; remove one of the two"},
	} {
		test.declared.ShortName, test.declared.History = "Item", true
		if _, err := resource.New(resource.Config{}, test.declared); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v\nwant %s", name, err, test.want)
		}
	}
}
