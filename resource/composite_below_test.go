package resource_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// Skein is a skein on a trestle: the trestle and the skein's number identify it together.
type Skein struct {
	Trestle int64   `json:"trestle" api:"id,ref=Trestle,expand,filter"`
	Number  int64   `json:"number" api:"id,filter" validate:"gt=0"`
	Ware    string  `json:"ware" validate:"notblank"`
	Marks   []int64 `json:"marks" api:"ref=Sticker" validate:"max=20"`
}

type Trestle struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type Sticker struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

// SkeinKey is what a Winding says of its skein.
type SkeinKey struct {
	Trestle int64 `json:"trestle"`
	Number  int64 `json:"number"`
}

type Winding struct {
	ID    int64    `json:"id"`
	Skein SkeinKey `json:"skein" api:"ref=Skein,filter,expand"`
}

var skeins = resource.Of[Skein]{
	Path: "/trestles/{trestle}/skeins",
	Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Post{},
		operation.Put{AllowCreate: true},
		operation.Patch{},
		operation.Delete{},
		operation.Put{URITemplate: "/trestles/{trestle}/skeins/{number}/marks/{marks}"},
		operation.Delete{URITemplate: "/trestles/{trestle}/skeins/{number}/marks/{marks}"},
	},
}

// onTrestles runs a test on an API of skeins on each sort of store, with the trestles 1, 2 and 3, of which 3 is hidden.
func onTrestles(t *testing.T, config resource.Config, test func(t *testing.T, c client)) {
	t.Helper()
	run := func(t *testing.T, skeins resource.Of[Skein], trestles resource.Of[Trestle], marks resource.Of[Sticker], scans resource.Of[Winding]) {
		t.Helper()
		trestles.Access = access.Rules{Read: access.Where("name", "first", "second"), Create: access.Public, Update: access.Public, Delete: access.Public}
		skeins.Access = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
		marks.Access, scans.Access = skeins.Access, skeins.Access
		c := newClient(t, config, skeins, trestles, marks, scans)
		for _, name := range []string{"first", "second", "secret"} {
			c.send("POST /api/trestles", `{"name":"`+name+`"}`)
		}
		c.send("POST /api/stickers", `{"text":"fragile"}`).hasStatus(http.StatusCreated)
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, skeins, resource.Of[Trestle]{}, resource.Of[Sticker]{}, resource.Of[Winding]{})
	})
	for name, open := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			trestles, marks := sqlstore.Table[Trestle](db), sqlstore.Table[Sticker](db)
			kept, scans := sqlstore.Table[Skein](db), sqlstore.Table[Winding](db)
			if err := db.Create(t.Context(), trestles, marks, kept, scans); err != nil {
				t.Fatal(err)
			}
			stored := skeins
			stored.Store = kept
			run(t, stored, resource.Of[Trestle]{Store: trestles}, resource.Of[Sticker]{Store: marks}, resource.Of[Winding]{Store: scans})
		})
	}
}

const skeinOfTea = `{"trestle":"/api/trestles/1","number":7,"ware":"tea","marks":[]}`

func TestARecordBelowAPartOfItsIdentifierHasOneAddress(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/trestles/1/skeins", `{"number":7,"ware":"tea"}`).is(http.StatusCreated, skeinOfTea).
			has("Location", "/api/trestles/1/skeins/7")
		c.send("POST /api/trestles/1/skeins", `{"number":7,"ware":"rum"}`).hasStatus(http.StatusConflict)
		c.send("POST /api/trestles/1/skeins", `{"trestle":"/api/trestles/2","number":8,"ware":"rum"}`).hasStatus(http.StatusBadRequest)
		c.send("GET /api/trestles/1/skeins/7", "").is(http.StatusOK, skeinOfTea)
		c.send("GET /api/trestles/2/skeins/7", "").hasStatus(http.StatusNotFound)
		c.send("GET /api/trestles/1/skeins", "").is(http.StatusOK, "["+skeinOfTea+"]")
		c.send("GET /api/trestles/2/skeins", "").is(http.StatusOK, "[]")
		c.send("GET /api/trestles/1/skeins?number=8", "").is(http.StatusOK, "[]")
		c.send("PUT /api/trestles/2/skeins/7", `{"ware":"rum"}`).hasStatus(http.StatusCreated).has("Location", "/api/trestles/2/skeins/7")
		c.send("PATCH /api/trestles/2/skeins/7", `{"ware":"gin"}`).hasStatus(http.StatusOK).
			has("Content-Location", "/api/trestles/2/skeins/7").mentions(`"gin"`)
		c.send("PATCH /api/trestles/2/skeins/7", `{"trestle":"/api/trestles/1"}`).hasStatus(http.StatusBadRequest)
		c.send("PUT /api/trestles/1/skeins/7/marks/1", "").hasStatus(http.StatusNoContent)
		c.send("GET /api/trestles/1/skeins/7?expand=trestle", "").mentions(`"/api/stickers/1"`, `"first"`)
		c.send("DELETE /api/trestles/1/skeins/7/marks/1", "").hasStatus(http.StatusNoContent)
		c.send("DELETE /api/trestles/2/skeins/7", "").hasStatus(http.StatusNoContent)
		c.send("GET /api/trestles/2/skeins/7", "").hasStatus(http.StatusNotFound)
	})
}

func TestAReferenceToARecordBelowAPartOfItsIdentifierIsItsAddress(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/trestles/1/skeins", `{"number":7,"ware":"tea"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/windings", `{"skein":"/api/trestles/1/skeins/7"}`).
			is(http.StatusCreated, `{"id":1,"skein":"/api/trestles/1/skeins/7"}`)
		c.send("POST /api/windings", `{"skein":"/api/trestles/1/skeins/8"}`).hasStatus(http.StatusBadRequest)
		c.send("GET /api/windings/1?expand=skein", "").mentions(`"tea"`)
		c.send("GET /api/windings?skein=/api/trestles/1/skeins/7", "").mentions(`"id":1`)
		c.send("DELETE /api/trestles/1/skeins/7", "").hasStatus(http.StatusConflict)
	})
}

func TestARecordBelowAHiddenPartOfItsIdentifierIsNotThere(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		for _, request := range []string{"GET ", "PATCH ", "PUT ", "DELETE "} {
			body := ""
			if request[0] == 'P' {
				body = `{"ware":"tea"}`
			}
			c.send(request+"/api/trestles/3/skeins/7", body).hasStatus(http.StatusNotFound)
			c.send(request+"/api/trestles/9/skeins/7", body).hasStatus(http.StatusNotFound)
		}
		c.send("GET /api/trestles/3/skeins", "").hasStatus(http.StatusNotFound)
		c.send("POST /api/trestles/3/skeins", `{"number":7,"ware":"tea"}`).hasStatus(http.StatusNotFound)
		c.send("PUT /api/trestles/3/skeins/7/marks/1", "").hasStatus(http.StatusNotFound)
	})
}
