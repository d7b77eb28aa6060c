package relations_test

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

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

// failing saves the record and then fails, if a request has X-Fail.
var failing = operation.Process(func(ctx context.Context, req *operation.Request, guest *Guest, save operation.Save[Guest]) error {
	if err := save(ctx, guest); err != nil || req.HTTP().Header.Get("X-Fail") == "" {
		return err
	}
	return operation.Error{Status: http.StatusTeapot}
})

// hostels returns an API of inns on each sort of store.
func hostels(t *testing.T, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, spec.NewClient(t, resource.Config{}, resource.Of[Claim]{}, resource.Of[Tip]{}, resource.Of[Bill]{}, resource.Of[Guest]{Processor: failing}, resource.Of[Room]{}, resource.Of[spec.Inn]{}))
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			tips, bills, guests := sqlstore.Table[Tip](db), sqlstore.Table[Bill](db), sqlstore.Table[Guest](db)
			rooms, inns, claims := sqlstore.Table[Room](db), sqlstore.Table[spec.Inn](db), sqlstore.Table[Claim](db)
			if err := db.Create(t.Context(), claims, tips, bills, guests, rooms, inns); err != nil {
				t.Fatal(err)
			}
			test(t, spec.NewClient(t, resource.Config{}, resource.Of[Claim]{Store: claims}, resource.Of[Tip]{Store: tips}, resource.Of[Bill]{Store: bills},
				resource.Of[Guest]{Store: guests, Processor: failing}, resource.Of[Room]{Store: rooms}, resource.Of[spec.Inn]{Store: inns}))
		})
	}
}

func TestARecordThatIsReferredToIsNotDeleted(t *testing.T) {
	t.Parallel()
	hostels(t, func(_ *testing.T, c spec.Client) {
		c.Send("POST /api/inns", `{"name":"Anchor"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/rooms", `{"inn":"/api/inns/1"}`).HasStatus(http.StatusCreated)
		c.Send("DELETE /api/inns/1", "").IsProblem(http.StatusConflict).Mentions("Room.inn references it")
		c.Send("GET /api/inns/1", "").HasStatus(http.StatusOK)
		c.Send("DELETE /api/rooms/1", "").HasStatus(http.StatusNoContent)
		c.Send("DELETE /api/inns/1", "").HasStatus(http.StatusNoContent)
	})
}

func TestWhatRefersToADeletedRecordIsDeletedOrForgetsIt(t *testing.T) {
	t.Parallel()
	hostels(t, func(_ *testing.T, c spec.Client) {
		c.Send("POST /api/inns", `{"name":"Anchor"}`)
		c.Send("POST /api/rooms", `{"inn":"/api/inns/1"}`)
		c.Send("POST /api/guests", `{"room":"/api/rooms/1"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/guests", `{"boss":"/api/guests/1"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/bills", `{"guest":"/api/guests/2"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/tips", `{"bill":"/api/bills/1"}`).HasStatus(http.StatusCreated)
		c.Send("DELETE /api/rooms/1", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/guests/1", "").Is(http.StatusOK, `{"id":1,"room":null,"boss":null}`)
		c.Send("DELETE /api/guests/1", "").IsProblem(http.StatusConflict).Mentions("Guest.boss references it")
		c.Send("DELETE /api/guests/2", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/bills", "").Is(http.StatusOK, `[]`)
		c.Send("GET /api/tips", "").Is(http.StatusOK, `[]`)
		c.Send("DELETE /api/guests/1", "").HasStatus(http.StatusNoContent)
	})
}

func TestARecordIsNotDeletedWithOneThatIsReferredTo(t *testing.T) {
	t.Parallel()
	hostels(t, func(_ *testing.T, c spec.Client) {
		for range 2 {
			c.Send("POST /api/guests", `{}`).HasStatus(http.StatusCreated)
		}
		c.Send("POST /api/bills", `{"guest":"/api/guests/1"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/bills", `{"guest":"/api/guests/2"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/tips", `{"bill":"/api/bills/1"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/claims", `{"tip":"/api/tips/1"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/claims", `{"bills":["/api/bills/2"]}`).HasStatus(http.StatusCreated)
		const with = " references a record that would be deleted with it."
		c.Send("DELETE /api/guests/1", "").IsProblem(http.StatusConflict).Mentions("The record cannot be deleted because Claim.tip" + with)
		c.Send("DELETE /api/bills/1", "").IsProblem(http.StatusConflict).Mentions("Claim.tip" + with)
		c.Send("DELETE /api/tips/1", "").IsProblem(http.StatusConflict).Mentions("Claim.tip references it.")
		c.Send("DELETE /api/guests/2", "").IsProblem(http.StatusConflict).Mentions("Claim.bills" + with)
		c.Send("PATCH /api/claims/1", `{"tip":null}`).HasStatus(http.StatusOK)
		c.Send("DELETE /api/guests/1", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/tips", "").Is(http.StatusOK, `[]`)
	})
}

func TestAFailedDeleteDeletesNoOtherRecords(t *testing.T) {
	t.Parallel()
	hostels(t, func(_ *testing.T, c spec.Client) {
		c.Send("POST /api/guests", `{}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/bills", `{"guest":"/api/guests/1"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/tips", `{"bill":"/api/bills/1"}`).HasStatus(http.StatusCreated)
		c.Send("DELETE /api/guests/1", "", "X-Fail", "yes").HasStatus(http.StatusTeapot)
		for _, path := range []string{"guests", "bills", "tips"} {
			c.Send("GET /api/"+path+"/1", "").HasStatus(http.StatusOK)
		}
		c.Send("DELETE /api/guests/1", "").HasStatus(http.StatusNoContent)
		for _, path := range []string{"guests", "bills", "tips"} {
			c.Send("GET /api/"+path+"/1", "").HasStatus(http.StatusNotFound)
		}
	})
}

func TestARecordIsReferredToOrDeletedButNotBoth(t *testing.T) {
	t.Parallel()
	hostels(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		const rounds = 20
		for i := range rounds {
			id := strconv.Itoa(i + 1)
			c.Send("POST /api/inns", `{"name":"Anchor"}`).HasStatus(http.StatusCreated)
			var made, gone int
			var both sync.WaitGroup
			both.Go(func() { made = c.Send("POST /api/rooms", `{"inn":"/api/inns/`+id+`"}`).Status })
			both.Go(func() { gone = c.Send("DELETE /api/inns/"+id, "").Status })
			both.Wait()
			won := made == http.StatusCreated && gone == http.StatusConflict || made == http.StatusBadRequest && gone == http.StatusNoContent
			if !won {
				t.Errorf("the Post of the room returns %d, the delete %d; want 201 and 409, or 400 and 204", made, gone)
			}
		}
	})
}

// vanishing is a store whose records are deleted between the check of a reference and the save.
type vanishing struct{ store.Store[spec.Inn] }

func (v vanishing) GetMany(ctx context.Context, ids []any) ([]*spec.Inn, error) {
	found := make([]*spec.Inn, len(ids))
	for i, id := range ids {
		found[i] = &spec.Inn{ID: id.(int64)}
	}
	return found, ctx.Err()
}

func TestAReferenceDeletedBeforeTheSaveIsAMissingOne(t *testing.T) {
	t.Parallel()
	stores := map[string]func(t *testing.T) (store.Store[Room], store.Store[spec.Inn]){
		"memory": func(*testing.T) (store.Store[Room], store.Store[spec.Inn]) {
			return memory.New[Room](), memory.New[spec.Inn]()
		},
	}
	for name, open := range spec.Databases(t) {
		stores[name] = func(t *testing.T) (store.Store[Room], store.Store[spec.Inn]) {
			t.Helper()
			db := open(t)
			rooms, inns := sqlstore.Table[Room](db), sqlstore.Table[spec.Inn](db)
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
			plain := spec.NewClient(t, resource.Config{}, resource.Of[Room]{Store: rooms}, resource.Of[spec.Inn]{Store: inns})
			late := spec.NewClient(t, resource.Config{}, resource.Of[Room]{Store: rooms}, resource.Of[spec.Inn]{Store: vanishing{inns}})
			want := plain.Send("POST /api/rooms", `{"inn":"/api/inns/7"}`)
			want.HasStatus(http.StatusBadRequest).Mentions(`"inn"`)
			late.Send("POST /api/rooms", `{"inn":"/api/inns/7"}`).Is(http.StatusBadRequest, want.Body)
			plain.Send("POST /api/inns", `{"name":"Anchor"}`).HasStatus(http.StatusCreated)
			made := plain.Send("POST /api/rooms", `{"inn":"/api/inns/1"}`).HasStatus(http.StatusCreated)
			room := made.Header.Get("Location")
			late.Send("PATCH "+room, `{"inn":"/api/inns/8"}`).HasStatus(http.StatusBadRequest).Mentions(`"inn"`)
			plain.Send("GET "+room, "").Is(http.StatusOK, made.Body)
		})
	}
}

// A transaction that checked references on a second connection could deadlock on the pool, because it holds the first
// one.
func TestReferencesAreCheckedOnTheConnectionOfTheirTransaction(t *testing.T) {
	t.Parallel()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("needs a server: .ci/postgres")
	}
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	opened, _ := spec.OpenSchema(t, dsn+separator+"pool_max_conns=1", 1)
	db := opened[0]
	rooms, inns := sqlstore.Table[Room](db), sqlstore.Table[spec.Inn](db)
	if err := db.Create(t.Context(), rooms, inns); err != nil {
		t.Fatal(err)
	}
	c := spec.NewClient(t, resource.Config{Timeout: 10 * time.Second}, resource.Of[Room]{Store: rooms}, resource.Of[spec.Inn]{Store: inns})
	c.Send("POST /api/inns", `{"name":"Anchor"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/rooms", `{"inn":"/api/inns/1"}`).HasStatus(http.StatusCreated)
	c.Send("PATCH /api/rooms/1", `{"inn":"/api/inns/9"}`).HasStatus(http.StatusBadRequest)
	c.Send("POST /api/inns", `{"name":"Bell"}`).HasStatus(http.StatusCreated)
	c.Send("PATCH /api/rooms/1", `{"inn":"/api/inns/2"}`).HasStatus(http.StatusOK)
}

// Knot refers to others of its kind in four ways.
type Knot struct {
	ID      int64   `json:"id"`
	A       *int64  `json:"a" api:"ref=Knot,ondelete=null"`
	B       *int64  `json:"b" api:"ref=Knot,ondelete=null"`
	C       []int64 `json:"c" validate:"max=5" api:"ref=Knot,ondelete=null"`
	D       []int64 `json:"d" validate:"max=5" api:"ref=Knot,ondelete=null"`
	Version int64   `json:"version" api:"version"`
}

func TestARecordThatLosesSeveralReferencesAtOnceIsChangedOnce(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Knot]{}, func(c spec.Client) {
		c.Send("POST /api/things", `{}`).HasStatus(http.StatusCreated)
		for _, body := range []string{`{"a":"/api/things/1"}`, `{"a":"/api/things/1","b":"/api/things/1"}`, `{"a":"/api/things/1","c":["/api/things/1"],"d":["/api/things/1"]}`} {
			c.Send("POST /api/things", body).HasStatus(http.StatusCreated)
		}
		c.Send("DELETE /api/things/1", "").HasStatus(http.StatusNoContent)
		for _, id := range []string{"2", "3", "4"} {
			c.Send("GET /api/things/"+id, "").Is(http.StatusOK, `{"id":`+id+`,"a":null,"b":null,"c":[],"d":[],"version":2}`)
		}
	})
}
