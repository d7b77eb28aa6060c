package composite_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
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
func onTrestles(t *testing.T, config resource.Config, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	run := func(t *testing.T, skeins resource.Of[Skein], trestles resource.Of[Trestle], marks resource.Of[Sticker], scans resource.Of[Winding]) {
		t.Helper()
		trestles.Access = access.Rules{Read: access.Where("name", "first", "second"), Create: access.Public, Update: access.Public, Delete: access.Public}
		skeins.Access = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
		marks.Access, scans.Access = skeins.Access, skeins.Access
		c := spec.NewClient(t, config, skeins, trestles, marks, scans)
		for _, name := range []string{"first", "second", "secret"} {
			c.Send("POST /api/trestles", `{"name":"`+name+`"}`)
		}
		c.Send("POST /api/stickers", `{"text":"fragile"}`).HasStatus(http.StatusCreated)
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, skeins, resource.Of[Trestle]{}, resource.Of[Sticker]{}, resource.Of[Winding]{})
	})
	for name, open := range spec.Databases(t) {
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

func TestARecordBelowAPartOfItsIdentifierHasOnePath(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/trestles/1/skeins", `{"number":7,"ware":"tea"}`).Is(http.StatusCreated, skeinOfTea).
			Has("Location", "/api/trestles/1/skeins/7")
		c.Send("POST /api/trestles/1/skeins", `{"number":7,"ware":"rum"}`).HasStatus(http.StatusConflict)
		c.Send("POST /api/trestles/1/skeins", `{"trestle":"/api/trestles/2","number":8,"ware":"rum"}`).HasStatus(http.StatusBadRequest)
		c.Send("GET /api/trestles/1/skeins/7", "").Is(http.StatusOK, skeinOfTea)
		c.Send("GET /api/trestles/2/skeins/7", "").HasStatus(http.StatusNotFound)
		c.Send("GET /api/trestles/1/skeins", "").Is(http.StatusOK, "["+skeinOfTea+"]")
		c.Send("GET /api/trestles/2/skeins", "").Is(http.StatusOK, "[]")
		c.Send("GET /api/trestles/1/skeins?number=8", "").Is(http.StatusOK, "[]")
		c.Send("PUT /api/trestles/2/skeins/7", `{"ware":"rum"}`).HasStatus(http.StatusCreated).Has("Location", "/api/trestles/2/skeins/7")
		c.Send("PATCH /api/trestles/2/skeins/7", `{"ware":"gin"}`).HasStatus(http.StatusOK).
			Has("Content-Location", "/api/trestles/2/skeins/7").Mentions(`"gin"`)
		c.Send("PATCH /api/trestles/2/skeins/7", `{"trestle":"/api/trestles/1"}`).HasStatus(http.StatusBadRequest)
		c.Send("PUT /api/trestles/1/skeins/7/marks/1", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/trestles/1/skeins/7?expand=trestle", "").Mentions(`"/api/stickers/1"`, `"first"`)
		c.Send("DELETE /api/trestles/1/skeins/7/marks/1", "").HasStatus(http.StatusNoContent)
		c.Send("DELETE /api/trestles/2/skeins/7", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/trestles/2/skeins/7", "").HasStatus(http.StatusNotFound)
	})
}

func TestAReferenceToARecordBelowAPartOfItsIdentifierIsItsPath(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/trestles/1/skeins", `{"number":7,"ware":"tea"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/windings", `{"skein":"/api/trestles/1/skeins/7"}`).
			Is(http.StatusCreated, `{"id":1,"skein":"/api/trestles/1/skeins/7"}`)
		c.Send("POST /api/windings", `{"skein":"/api/trestles/1/skeins/8"}`).HasStatus(http.StatusBadRequest)
		c.Send("GET /api/windings/1?expand=skein", "").Mentions(`"tea"`)
		c.Send("GET /api/windings?skein=/api/trestles/1/skeins/7", "").Mentions(`"id":1`)
		c.Send("DELETE /api/trestles/1/skeins/7", "").HasStatus(http.StatusConflict)
	})
}

func TestARecordBelowAHiddenPartOfItsIdentifierIsNotThere(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		for _, request := range []string{"GET ", "PATCH ", "PUT ", "DELETE "} {
			body := ""
			if request[0] == 'P' {
				body = `{"ware":"tea"}`
			}
			c.Send(request+"/api/trestles/3/skeins/7", body).HasStatus(http.StatusNotFound)
			c.Send(request+"/api/trestles/9/skeins/7", body).HasStatus(http.StatusNotFound)
		}
		c.Send("GET /api/trestles/3/skeins", "").HasStatus(http.StatusNotFound)
		c.Send("POST /api/trestles/3/skeins", `{"number":7,"ware":"tea"}`).HasStatus(http.StatusNotFound)
		c.Send("PUT /api/trestles/3/skeins/7/marks/1", "").HasStatus(http.StatusNotFound)
	})
}
