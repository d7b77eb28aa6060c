package resource_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// Crate is a crate on a pallet: the pallet and the crate's number identify it together.
type Crate struct {
	Pallet int64   `json:"pallet" api:"id,ref=Pallet,expand,filter"`
	Number int64   `json:"number" api:"id,filter" validate:"gt=0"`
	Ware   string  `json:"ware" validate:"notblank"`
	Marks  []int64 `json:"marks" api:"ref=Sticker" validate:"max=20"`
}

type Pallet struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type Sticker struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

// CrateKey is what a Scan says of its crate.
type CrateKey struct {
	Pallet int64 `json:"pallet"`
	Number int64 `json:"number"`
}

type Scan struct {
	ID    int64    `json:"id"`
	Crate CrateKey `json:"crate" api:"ref=Crate,filter,expand"`
}

var crates = resource.Of[Crate]{
	Path: "/pallets/{pallet}/crates",
	Operations: []operation.Operation{
		operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{AllowCreate: true},
		operation.Patch{}, operation.Delete{},
		operation.Put{URITemplate: "/pallets/{pallet}/crates/{number}/marks/{marks}"},
		operation.Delete{URITemplate: "/pallets/{pallet}/crates/{number}/marks/{marks}"},
	},
}

// onPallets runs a test on an API of crates on each sort of store, with the pallets 1, 2 and 3, of which 3 is hidden.
func onPallets(t *testing.T, config resource.Config, test func(t *testing.T, c client)) {
	t.Helper()
	run := func(t *testing.T, crates resource.Of[Crate], pallets resource.Of[Pallet], marks resource.Of[Sticker], scans resource.Of[Scan]) {
		t.Helper()
		pallets.Access = access.Rules{Read: access.Where("name", "first", "second"), Create: access.Public, Update: access.Public, Delete: access.Public}
		crates.Access = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
		marks.Access, scans.Access = crates.Access, crates.Access
		c := newClient(t, config, crates, pallets, marks, scans)
		for _, name := range []string{"first", "second", "secret"} {
			c.send("POST /api/pallets", `{"name":"`+name+`"}`)
		}
		c.send("POST /api/stickers", `{"text":"fragile"}`).hasStatus(http.StatusCreated)
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, crates, resource.Of[Pallet]{}, resource.Of[Sticker]{}, resource.Of[Scan]{})
	})
	for name, open := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			pallets, marks := sqlstore.Table[Pallet](db), sqlstore.Table[Sticker](db)
			kept, scans := sqlstore.Table[Crate](db), sqlstore.Table[Scan](db)
			if err := db.Create(t.Context(), pallets, marks, kept, scans); err != nil {
				t.Fatal(err)
			}
			stored := crates
			stored.Store = kept
			run(t, stored, resource.Of[Pallet]{Store: pallets}, resource.Of[Sticker]{Store: marks}, resource.Of[Scan]{Store: scans})
		})
	}
}

const tea = `{"pallet":"/api/pallets/1","number":7,"ware":"tea","marks":[]}`

func TestARecordBelowAPartOfItsIdentifierHasOneAddress(t *testing.T) {
	t.Parallel()
	onPallets(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/pallets/1/crates", `{"number":7,"ware":"tea"}`).is(http.StatusCreated, tea).
			has("Location", "/api/pallets/1/crates/7")
		c.send("POST /api/pallets/1/crates", `{"number":7,"ware":"rum"}`).hasStatus(http.StatusConflict)
		c.send("POST /api/pallets/1/crates", `{"pallet":"/api/pallets/2","number":8,"ware":"rum"}`).hasStatus(http.StatusBadRequest)
		c.send("GET /api/pallets/1/crates/7", "").is(http.StatusOK, tea)
		c.send("GET /api/pallets/2/crates/7", "").hasStatus(http.StatusNotFound)
		c.send("GET /api/pallets/1/crates", "").is(http.StatusOK, "["+tea+"]")
		c.send("GET /api/pallets/2/crates", "").is(http.StatusOK, "[]")
		c.send("GET /api/pallets/1/crates?number=8", "").is(http.StatusOK, "[]")
		c.send("PUT /api/pallets/2/crates/7", `{"ware":"rum"}`).hasStatus(http.StatusCreated).has("Location", "/api/pallets/2/crates/7")
		c.send("PATCH /api/pallets/2/crates/7", `{"ware":"gin"}`).hasStatus(http.StatusOK).
			has("Content-Location", "/api/pallets/2/crates/7").mentions(`"gin"`)
		c.send("PATCH /api/pallets/2/crates/7", `{"pallet":"/api/pallets/1"}`).hasStatus(http.StatusBadRequest)
		c.send("PUT /api/pallets/1/crates/7/marks/1", "").hasStatus(http.StatusNoContent)
		c.send("GET /api/pallets/1/crates/7?expand=pallet", "").mentions(`"/api/stickers/1"`, `"first"`)
		c.send("DELETE /api/pallets/1/crates/7/marks/1", "").hasStatus(http.StatusNoContent)
		c.send("DELETE /api/pallets/2/crates/7", "").hasStatus(http.StatusNoContent)
		c.send("GET /api/pallets/2/crates/7", "").hasStatus(http.StatusNotFound)
	})
}

func TestAReferenceToARecordBelowAPartOfItsIdentifierIsItsAddress(t *testing.T) {
	t.Parallel()
	onPallets(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/pallets/1/crates", `{"number":7,"ware":"tea"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/scans", `{"crate":"/api/pallets/1/crates/7"}`).
			is(http.StatusCreated, `{"id":1,"crate":"/api/pallets/1/crates/7"}`)
		c.send("POST /api/scans", `{"crate":"/api/pallets/1/crates/8"}`).hasStatus(http.StatusBadRequest)
		c.send("GET /api/scans/1?expand=crate", "").mentions(`"tea"`)
		c.send("GET /api/scans?crate=/api/pallets/1/crates/7", "").mentions(`"id":1`)
		c.send("DELETE /api/pallets/1/crates/7", "").hasStatus(http.StatusConflict)
	})
}

func TestARecordBelowAHiddenPartOfItsIdentifierIsNotThere(t *testing.T) {
	t.Parallel()
	onPallets(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		for _, request := range []string{"GET ", "PATCH ", "PUT ", "DELETE "} {
			body := ""
			if request[0] == 'P' {
				body = `{"ware":"tea"}`
			}
			c.send(request+"/api/pallets/3/crates/7", body).hasStatus(http.StatusNotFound)
			c.send(request+"/api/pallets/9/crates/7", body).hasStatus(http.StatusNotFound)
		}
		c.send("GET /api/pallets/3/crates", "").hasStatus(http.StatusNotFound)
		c.send("POST /api/pallets/3/crates", `{"number":7,"ware":"tea"}`).hasStatus(http.StatusNotFound)
		c.send("PUT /api/pallets/3/crates/7/marks/1", "").hasStatus(http.StatusNotFound)
	})
}
