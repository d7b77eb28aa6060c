package postgres_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

type dock struct {
	Name string `json:"name" api:"id" validate:"max=20"`
}

type pallet struct {
	Name    string     `json:"name" api:"id"`
	Deleted *time.Time `json:"deleted" api:"deleted"`
}

type wax struct {
	ID     int64  `json:"id"`
	Secret string `json:"secret"`
}

type ship struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name" validate:"max=10" api:"unique"`
	From   *string  `json:"from" api:"ref=Dock"`
	To     *string  `json:"to" api:"ref=Dock"`
	Pallet *string  `json:"pallet" api:"ref=Pallet"`
	Wax    *int64   `json:"wax" api:"ref=Wax"`
	Docks  []string `json:"docks" validate:"max=5" api:"ref=Dock"`
	Price  int      `json:"price"`
}

// ships returns an API whose ships refer to docks, pallets with a trash, and hidden waxes. With drops, the tables have no
// foreign keys, so that each reference is looked up.
func ships(t *testing.T, drops bool) service {
	t.Helper()
	dsn := schema(t)
	db := open(t, dsn)
	docks, pallets := sqlstore.Table[dock](db), sqlstore.Table[pallet](db)
	waxes, fleet := sqlstore.Table[wax](db), sqlstore.Table[ship](db)
	if err := db.Create(t.Context(), docks, pallets, waxes, fleet); err != nil {
		t.Fatal(err)
	}
	administer(t, dsn, "ALTER TABLE ships ADD CHECK (price < 100)", "INSERT INTO docks VALUES ('A'), ('B')",
		"INSERT INTO pallets VALUES ('new', NULL), ('old', now())", "INSERT INTO waxes (secret) VALUES ('s')")
	if drops {
		administer(t, dsn, "ALTER TABLE ships DROP CONSTRAINT ships_from_fkey, DROP CONSTRAINT ships_to_fkey")
	}
	public := access.Rules{Create: access.Public, Read: access.Public, Update: access.Public, Delete: access.Public}
	hidden, cheap := public, public
	hidden.Read = access.Where("secret", "other")
	cheap.Create = access.Not(access.Where("price", 66))
	api, err := resource.New(resource.Config{}, resource.Of[dock]{Store: docks, Access: public}, resource.Of[pallet]{Store: pallets, Access: public},
		resource.Of[wax]{Store: waxes, Access: hidden}, resource.Of[ship]{Store: fleet, Access: cheap, Operations: operation.Standard()})
	if err != nil {
		t.Fatal(err)
	}
	return service{t, api}
}

func TestReferencesThatTheDatabaseChecksAreReportedLikeThoseThatAreLookedUp(t *testing.T) {
	t.Parallel()
	kept, looked := ships(t, false), ships(t, true)
	docks := func(names ...string) string {
		var fields []string
		for i, name := range names {
			if name != "" {
				fields = append(fields, fmt.Sprintf(`"%s":"/api/docks/%s"`, []string{"from", "to"}[i], name))
			}
		}
		return strings.Join(fields, ",")
	}
	for _, each := range [][2]string{
		{"POST /api/ships", `{"name":"one",` + docks("A", "B") + `}`},
		{"POST /api/ships", `{"name":"two",` + docks("X") + `}`},
		{"POST /api/ships", `{"name":"two",` + docks("X", "Y") + `}`},
		{"POST /api/ships", `{"name":"two",` + docks("", "%00") + `}`},
		{"POST /api/ships", `{"name":"one",` + docks("X", "B") + `}`},
		{"POST /api/ships", `{"name":"one",` + docks("A", "B") + `}`},
		{"POST /api/ships", `{"name":"far too long",` + docks("X", "Y") + `}`},
		{"POST /api/ships", `{"name":"two","price":66,` + docks("A", "Y") + `}`},
		{"POST /api/ships", `{"name":"two","price":66,` + docks("A", "B") + `}`},
		{"POST /api/ships", `{"name":"two","price":100,` + docks("A", "Y") + `}`},
		{"POST /api/ships", `{"name":"two","price":100,` + docks("A", "B") + `}`},
		{"POST /api/ships", `{"name":"two","pallet":"/api/pallets/old",` + docks("X") + `}`},
		{"POST /api/ships", `{"name":"two","pallet":"/api/pallets/old",` + docks("A") + `}`},
		{"POST /api/ships", `{"name":"two","pallet":"/api/pallets/new",` + docks("X") + `}`},
		{"POST /api/ships", `{"name":"two","wax":"/api/waxes/1"}`},
		{"POST /api/ships", `{"name":"two","docks":["/api/docks/A","/api/docks/X"],` + docks("Y") + `}`},
		{"POST /api/ships", `{"name":"two","docks":["/api/docks/A"],` + docks("Y") + `}`},
		{"PATCH /api/ships/1", `{` + docks("X", "Y") + `}`},
		{"PATCH /api/ships/1", `{` + docks("B", "A") + `}`},
		{"PUT /api/ships/1", `{"name":"one","price":100,` + docks("X", "A") + `}`},
		{"PUT /api/ships/1", `{"name":"one",` + docks("A", "A") + `}`},
		{"GET /api/ships", ""},
	} {
		status, got := kept.send(each[0], each[1])
		wantStatus, want := looked.send(each[0], each[1])
		if status != wantStatus || got != want {
			t.Errorf("%s %s returns %d %s, want %d %s", each[0], each[1], status, got, wantStatus, want)
		}
	}
}
