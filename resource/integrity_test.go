package resource_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Inn, Room and the others refer to one another in each way that a delete can go.
type Inn struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type Room struct {
	ID    int64 `json:"id"`
	InnID int64 `json:"inn" api:"ref=Inn,filter"`
}

type Guest struct {
	ID     int64  `json:"id"`
	RoomID *int64 `json:"room" api:"ref=Room,ondelete=null"`
	Boss   *int64 `json:"boss" api:"ref=Guest"`
}

type Bill struct {
	ID      int64 `json:"id"`
	GuestID int64 `json:"guest" api:"ref=Guest,ondelete=cascade"`
}

type Tip struct {
	ID     int64 `json:"id"`
	BillID int64 `json:"bill" api:"ref=Bill,ondelete=cascade"`
}

type Claim struct {
	ID    int64   `json:"id"`
	TipID *int64  `json:"tip" api:"ref=Tip"`
	Bills []int64 `json:"bills" validate:"max=9" api:"ref=Bill"`
}

// failing refuses what it has saved already, where a request asks it to.
var failing = operation.Process(func(ctx context.Context, req *operation.Request, guest *Guest, save operation.Save[Guest]) error {
	if err := save(ctx, guest); err != nil || req.HTTP().Header.Get("X-Fail") == "" {
		return err
	}
	return operation.Error{Status: http.StatusTeapot}
})

// hostels returns an API of inns on each sort of store.
func hostels(t *testing.T, test func(t *testing.T, c client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, newClient(t, resource.Config{}, resource.Of[Claim]{}, resource.Of[Tip]{}, resource.Of[Bill]{}, resource.Of[Guest]{Processor: failing}, resource.Of[Room]{}, resource.Of[Inn]{}))
	})
	for name, open := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			tips, bills, guests := sqlstore.Table[Tip](db), sqlstore.Table[Bill](db), sqlstore.Table[Guest](db)
			rooms, inns, claims := sqlstore.Table[Room](db), sqlstore.Table[Inn](db), sqlstore.Table[Claim](db)
			if err := db.Create(t.Context(), claims, tips, bills, guests, rooms, inns); err != nil {
				t.Fatal(err)
			}
			test(t, newClient(t, resource.Config{}, resource.Of[Claim]{Store: claims}, resource.Of[Tip]{Store: tips}, resource.Of[Bill]{Store: bills},
				resource.Of[Guest]{Store: guests, Processor: failing}, resource.Of[Room]{Store: rooms}, resource.Of[Inn]{Store: inns}))
		})
	}
}

// databases opens a new database of each sort, that of PostgreSQL where there is a server.
func databases(t *testing.T) map[string]func(t *testing.T) *sqlstore.DB {
	t.Helper()
	all := map[string]func(t *testing.T) *sqlstore.DB{"SQLite": func(t *testing.T) *sqlstore.DB {
		t.Helper()
		db, err := sqlite.Open(filepath.Join(t.TempDir(), "hostels.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}}
	if dsn := os.Getenv("TROVE_TEST_POSTGRES"); dsn != "" {
		all["PostgreSQL"] = func(t *testing.T) *sqlstore.DB {
			t.Helper()
			return openSchema(t, dsn)
		}
	}
	return all
}

// openSchema opens a database in a new schema, which is dropped with the test.
func openSchema(t *testing.T, dsn string) *sqlstore.DB {
	t.Helper()
	schema := "hostels_" + strings.ToLower(rand.Text())
	first, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Exec(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	db, err := postgres.Open(t.Context(), dsn+separator+"search_path="+schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := first.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		if err := errors.Join(err, db.Close(), first.Close()); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestARecordThatIsReferredToIsNotDeleted(t *testing.T) {
	t.Parallel()
	hostels(t, func(_ *testing.T, c client) {
		c.send("POST /api/inns", `{"name":"Anchor"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/rooms", `{"inn":"/api/inns/1"}`).hasStatus(http.StatusCreated)
		c.send("DELETE /api/inns/1", "").isProblem(http.StatusConflict).mentions("Room.inn refers to it")
		c.send("GET /api/inns/1", "").hasStatus(http.StatusOK)
		c.send("DELETE /api/rooms/1", "").hasStatus(http.StatusNoContent)
		c.send("DELETE /api/inns/1", "").hasStatus(http.StatusNoContent)
	})
}

func TestWhatRefersToADeletedRecordIsDeletedOrForgetsIt(t *testing.T) {
	t.Parallel()
	hostels(t, func(_ *testing.T, c client) {
		c.send("POST /api/inns", `{"name":"Anchor"}`)
		c.send("POST /api/rooms", `{"inn":"/api/inns/1"}`)
		c.send("POST /api/guests", `{"room":"/api/rooms/1"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/guests", `{"boss":"/api/guests/1"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/bills", `{"guest":"/api/guests/2"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/tips", `{"bill":"/api/bills/1"}`).hasStatus(http.StatusCreated)
		c.send("DELETE /api/rooms/1", "").hasStatus(http.StatusNoContent)
		c.send("GET /api/guests/1", "").is(http.StatusOK, `{"id":1,"room":null,"boss":null}`)
		c.send("DELETE /api/guests/1", "").isProblem(http.StatusConflict).mentions("Guest.boss refers to it")
		c.send("DELETE /api/guests/2", "").hasStatus(http.StatusNoContent)
		c.send("GET /api/bills", "").is(http.StatusOK, `[]`)
		c.send("GET /api/tips", "").is(http.StatusOK, `[]`)
		c.send("DELETE /api/guests/1", "").hasStatus(http.StatusNoContent)
	})
}

func TestARecordIsNotDeletedWithOneThatIsReferredTo(t *testing.T) {
	t.Parallel()
	hostels(t, func(_ *testing.T, c client) {
		for range 2 {
			c.send("POST /api/guests", `{}`).hasStatus(http.StatusCreated)
		}
		c.send("POST /api/bills", `{"guest":"/api/guests/1"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/bills", `{"guest":"/api/guests/2"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/tips", `{"bill":"/api/bills/1"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/claims", `{"tip":"/api/tips/1"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/claims", `{"bills":["/api/bills/2"]}`).hasStatus(http.StatusCreated)
		const with = " refers to a record that would be deleted with it."
		c.send("DELETE /api/guests/1", "").isProblem(http.StatusConflict).mentions("The record cannot be deleted: Claim.tip" + with)
		c.send("DELETE /api/bills/1", "").isProblem(http.StatusConflict).mentions("Claim.tip" + with)
		c.send("DELETE /api/tips/1", "").isProblem(http.StatusConflict).mentions("Claim.tip refers to it.")
		c.send("DELETE /api/guests/2", "").isProblem(http.StatusConflict).mentions("Claim.bills" + with)
		c.send("PATCH /api/claims/1", `{"tip":null}`).hasStatus(http.StatusOK)
		c.send("DELETE /api/guests/1", "").hasStatus(http.StatusNoContent)
		c.send("GET /api/tips", "").is(http.StatusOK, `[]`)
	})
}

func TestADeleteThatFailsLeavesAllThatWouldHaveGoneWithIt(t *testing.T) {
	t.Parallel()
	hostels(t, func(_ *testing.T, c client) {
		c.send("POST /api/guests", `{}`).hasStatus(http.StatusCreated)
		c.send("POST /api/bills", `{"guest":"/api/guests/1"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/tips", `{"bill":"/api/bills/1"}`).hasStatus(http.StatusCreated)
		c.send("DELETE /api/guests/1", "", "X-Fail", "yes").hasStatus(http.StatusTeapot)
		for _, path := range []string{"guests", "bills", "tips"} {
			c.send("GET /api/"+path+"/1", "").hasStatus(http.StatusOK)
		}
		c.send("DELETE /api/guests/1", "").hasStatus(http.StatusNoContent)
		for _, path := range []string{"guests", "bills", "tips"} {
			c.send("GET /api/"+path+"/1", "").hasStatus(http.StatusNotFound)
		}
	})
}

func TestARecordIsReferredToOrDeletedButNotBoth(t *testing.T) {
	t.Parallel()
	hostels(t, func(t *testing.T, c client) {
		t.Helper()
		const rounds = 20
		for i := range rounds {
			id := strconv.Itoa(i + 1)
			c.send("POST /api/inns", `{"name":"Anchor"}`).hasStatus(http.StatusCreated)
			var made, gone int
			var both sync.WaitGroup
			both.Go(func() { made = c.send("POST /api/rooms", `{"inn":"/api/inns/`+id+`"}`).status })
			both.Go(func() { gone = c.send("DELETE /api/inns/"+id, "").status })
			both.Wait()
			won := made == http.StatusCreated && gone == http.StatusConflict || made == http.StatusBadRequest && gone == http.StatusNoContent
			if !won {
				t.Errorf("the room is answered %d, the delete %d; want 201 and 409, or 400 and 204", made, gone)
			}
		}
	})
}

// vanishing is a store whose records are deleted between the check of a reference and the save.
type vanishing struct{ store.Store[Inn] }

func (v vanishing) GetMany(ctx context.Context, ids []any) ([]*Inn, error) {
	found := make([]*Inn, len(ids))
	for i, id := range ids {
		found[i] = &Inn{ID: id.(int64)}
	}
	return found, ctx.Err()
}

func TestAReferenceThatIsGoneWhenItIsSavedIsLikeAMissingOne(t *testing.T) {
	t.Parallel()
	stores := map[string]func(t *testing.T) (store.Store[Room], store.Store[Inn]){
		"memory": func(*testing.T) (store.Store[Room], store.Store[Inn]) { return memory.New[Room](), memory.New[Inn]() },
	}
	for name, open := range databases(t) {
		stores[name] = func(t *testing.T) (store.Store[Room], store.Store[Inn]) {
			t.Helper()
			db := open(t)
			rooms, inns := sqlstore.Table[Room](db), sqlstore.Table[Inn](db)
			if err := db.Create(t.Context(), rooms, inns); err != nil {
				t.Fatal(err)
			}
			return rooms, inns
		}
	}
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rooms, inns := open(t)
			plain := newClient(t, resource.Config{}, resource.Of[Room]{Store: rooms}, resource.Of[Inn]{Store: inns})
			late := newClient(t, resource.Config{}, resource.Of[Room]{Store: rooms}, resource.Of[Inn]{Store: vanishing{inns}})
			want := plain.send("POST /api/rooms", `{"inn":"/api/inns/7"}`)
			want.hasStatus(http.StatusBadRequest).mentions(`"inn"`)
			late.send("POST /api/rooms", `{"inn":"/api/inns/7"}`).is(http.StatusBadRequest, want.body)
			plain.send("POST /api/inns", `{"name":"Anchor"}`).hasStatus(http.StatusCreated)
			made := plain.send("POST /api/rooms", `{"inn":"/api/inns/1"}`).hasStatus(http.StatusCreated)
			room := made.header.Get("Location")
			late.send("PATCH "+room, `{"inn":"/api/inns/8"}`).hasStatus(http.StatusBadRequest).mentions(`"inn"`)
			plain.send("GET "+room, "").is(http.StatusOK, made.body)
		})
	}
}

// A transaction that looked for what its record refers to by a second connection would wait for
// its own to be given back.
func TestReferencesAreLookedForByTheConnectionOfTheirTransaction(t *testing.T) {
	t.Parallel()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("needs a server: .ci/postgres")
	}
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	db := openSchema(t, dsn+separator+"pool_max_conns=1")
	rooms, inns := sqlstore.Table[Room](db), sqlstore.Table[Inn](db)
	if err := db.Create(t.Context(), rooms, inns); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, resource.Config{Timeout: 10 * time.Second}, resource.Of[Room]{Store: rooms}, resource.Of[Inn]{Store: inns})
	c.send("POST /api/inns", `{"name":"Anchor"}`).hasStatus(http.StatusCreated)
	c.send("POST /api/rooms", `{"inn":"/api/inns/1"}`).hasStatus(http.StatusCreated)
	c.send("PATCH /api/rooms/1", `{"inn":"/api/inns/9"}`).hasStatus(http.StatusBadRequest)
	c.send("POST /api/inns", `{"name":"Bell"}`).hasStatus(http.StatusCreated)
	c.send("PATCH /api/rooms/1", `{"inn":"/api/inns/2"}`).hasStatus(http.StatusOK)
}
