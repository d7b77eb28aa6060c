package tables_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// Crate is a record whose columns can be narrowed while the program runs.
type Crate struct {
	Code   string  `json:"code" api:"id"`
	Number int64   `json:"number" api:"filter=exact|range,sort"`
	Label  *string `json:"label" api:"filter=exact"`
	Price  float64 `json:"price" api:"filter=range"`
}

// Pallet references a crate.
type Pallet struct {
	ID    int64   `json:"id"`
	Crate *string `json:"crate" api:"ref=Crate,filter=exact,through=number"`
}

const crates = `CREATE TABLE crates (code varchar(40) PRIMARY KEY, number bigint NOT NULL, label text, price double precision NOT NULL)`

// narrowing are the statements that narrow the columns of crates.
var narrowing = []string{
	`ALTER TABLE crates ALTER number TYPE integer`, `ALTER TABLE crates ALTER label TYPE varchar(5)`,
	`ALTER TABLE crates ALTER price TYPE numeric(6,2)`, `ALTER TABLE crates ALTER code TYPE varchar(8)`,
}

// crate returns the body of a crate with one other value.
func crate(field, value string) string {
	fields := map[string]string{"code": `"a"`, "number": "1", "label": "null", "price": "1"}
	fields[field] = value
	return fmt.Sprintf(`{"code":%s,"number":%s,"label":%s,"price":%s}`, fields["code"], fields["number"], fields["label"], fields["price"])
}

// narrowed returns a client of crates that have been written and listed before their columns were narrowed.
func narrowed(t *testing.T, db *sqlstore.DB, used bool) spec.Client {
	t.Helper()
	records := sqlstore.Table[Crate](db, sqlstore.Existing())
	all := func(ctx context.Context, _ *Crate, list []operation.CreateOf[Crate]) (struct{}, error) {
		return struct{}{}, records.Transact(ctx, func(ctx context.Context, tx store.Tx[Crate]) error {
			for _, each := range list {
				if err := tx.Insert(ctx, each.Record); err != nil {
					return err
				}
			}
			return nil
		})
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Crate]{Store: records, Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Post{},
		operation.Put{AllowCreate: true},
		operation.Patch{},
		operation.Delete{},
		operation.Post{Name: "all", URITemplate: "/crates/all", Handler: operation.Handle(all)},
	}})
	c.Send("POST /api/crates", crate("code", `"first"`)).HasStatus(201)
	if used {
		c.Send("PUT /api/crates/second", crate("code", `"second"`)).HasStatus(201)
		c.Send("PATCH /api/crates/second", `{"number":3000000000}`).HasStatus(200)
		c.Send("PATCH /api/crates/second", `{"number":2}`).HasStatus(200)
		c.Send("GET /api/crates/second", "").HasStatus(200)
		c.Send("GET /api/crates?number=7&label=a", "").HasStatus(200)
		c.Send("DELETE /api/crates/second", "").HasStatus(204)
	}
	execute(t, db, narrowing...)
	return c
}

func TestAValueThatDoesNotFitAColumnNarrowedLaterIsAnErrorOfTheBody(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ field, exceeds, message string }{
		{"number", "3000000000", "number must be at most 2147483647"},
		{"number", "-3000000000", "number must be at least -2147483648"},
		{"label", `"éééééé"`, "label must be at most 5 characters long"},
		{"price", "10000", "price must be at most 9999.99"},
	} {
		want := fmt.Sprintf(`{"type":"validation_error","title":"There was a validation error","errors":{%q:%q}}`, test.field, test.message)
		patch := fmt.Sprintf(`{%q:%s}`, test.field, test.exceeds)
		for _, request := range [][2]string{
			{"POST /api/crates", crate(test.field, test.exceeds)},
			{"PUT /api/crates/a", crate(test.field, test.exceeds)},
			{"PUT /api/crates/first", strings.Replace(crate(test.field, test.exceeds), `"a"`, `"first"`, 1)},
			{"PATCH /api/crates/first", patch},
			{"POST /api/crates/all", "[" + crate("code", `"b"`) + "," + crate(test.field, test.exceeds) + "]"},
		} {
			for _, used := range []bool{false, true} { // with and without prepared statements
				t.Run(fmt.Sprint(request, used), func(t *testing.T) {
					t.Parallel()
					inTables(t, map[string][]string{"PostgreSQL": {crates}}, func(t *testing.T, db *sqlstore.DB) {
						t.Helper()
						c := narrowed(t, db, used)
						c.Send(request[0], request[1]).Is(400, want)
						c.Send(request[0], request[1]).Is(400, want)
						c.Send("GET /api/crates/first", "").HasStatus(200)
						execute(t, db, `ALTER TABLE crates ALTER number TYPE bigint`, `ALTER TABLE crates ALTER label TYPE text`,
							`ALTER TABLE crates ALTER price TYPE double precision`)
						if status := c.Send(request[0], request[1]).Status; status >= 300 {
							t.Errorf("with the column as before: %d", status)
						}
					})
				})
			}
		}
	}
}

func TestAFilterBeyondAColumnNarrowedLaterMatchesWhatItSays(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"number=3000000000": "0", "number[lt]=3000000000": "1", "number=1&number=3000000000": "1", "number[gte]=-3000000000": "1",
		"label=" + strings.Repeat("a", 50): "0", "price[lt]=1e300": "1",
	} {
		for _, used := range []bool{false, true} {
			t.Run(fmt.Sprint(query, used), func(t *testing.T) {
				t.Parallel()
				inTables(t, map[string][]string{"PostgreSQL": {crates}}, func(t *testing.T, db *sqlstore.DB) {
					t.Helper()
					c := narrowed(t, db, used)
					for range 2 {
						if found := c.Send("GET /api/crates?"+query, ""); found.Status != 200 || found.Header.Get("X-Total-Count") != want {
							t.Errorf("%d, %s records, want %s", found.Status, found.Header.Get("X-Total-Count"), want)
						}
					}
					c.Send("GET /api/crates/"+strings.Repeat("a", 50), "").IsProblem(404)
				})
			})
		}
	}
}

func TestAFilterThroughAReferenceBeyondAColumnNarrowedLaterMatchesNothing(t *testing.T) {
	t.Parallel()
	inTables(t, map[string][]string{"PostgreSQL": {}}, func(t *testing.T, db *sqlstore.DB) {
		t.Helper()
		crates, pallets := sqlstore.Table[Crate](db), sqlstore.Table[Pallet](db)
		if err := db.Create(t.Context(), crates, pallets); err != nil {
			t.Fatal(err)
		}
		c := spec.NewClient(t, resource.Config{}, resource.Of[Crate]{Store: crates}, resource.Of[Pallet]{Store: pallets})
		c.Send("POST /api/crates", crate("number", "7")).HasStatus(201)
		c.Send("POST /api/pallets", `{"crate":"/api/crates/a"}`).HasStatus(201)
		execute(t, db, narrowing[0], `ALTER TABLE pallets ALTER id TYPE integer`)
		for query, want := range map[string]string{"crate.number=3000000000": "0", "crate.number=7&crate.number=3000000000": "1"} {
			if found := c.Send("GET /api/pallets?"+query, ""); found.Status != 200 || found.Header.Get("X-Total-Count") != want {
				t.Errorf("%s: %d, %s records, want %s", query, found.Status, found.Header.Get("X-Total-Count"), want)
			}
		}
		for _, request := range []string{"GET", "PATCH", "DELETE"} {
			c.Send(request+" /api/pallets/3000000000", `{}`).IsProblem(404)
		}
		c.Send("PATCH /api/crates/a", `{"number":3000000000}`).
			Is(400, `{"type":"validation_error","title":"There was a validation error","errors":{"number":"number must be at most 2147483647"}}`)
	})
}
