package resource_test

import (
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Berthing is identified by two fields.
type Berthing struct {
	Pier string `json:"pier" api:"id"`
	Slot int64  `json:"slot" api:"id"`
	Ship string `json:"ship"`
}

func TestTheIdentifierIsAlwaysAnExactFilter(t *testing.T) {
	t.Parallel()
	for name, pennants := range stores[Pennant](t) {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, resource.Config{}, resource.Of[Pennant]{Store: pennants})
			for _, color := range []string{"red", "blue", "green"} {
				c.send("POST /api/pennants", `{"color":"`+color+`"}`).hasStatus(201)
			}
			c.send("GET /api/pennants?id=1&id=3&id=9", "").is(200, `[{"id":1,"color":"red"},{"id":3,"color":"green"}]`)
			c.send("GET /api/pennants?id=9", "").is(200, `[]`)
			c.send("GET /api/pennants?id=x", "").hasStatus(400)
		})
	}
}

func TestEachFieldOfACompositeIdentifierIsAnExactFilter(t *testing.T) {
	t.Parallel()
	for name, berths := range stores[Berthing](t) {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, resource.Config{}, resource.Of[Berthing]{Store: berths})
			for _, body := range []string{`{"pier":"a","slot":1,"ship":"x"}`, `{"pier":"a","slot":2,"ship":"y"}`, `{"pier":"b","slot":2,"ship":"z"}`} {
				c.send("POST /api/berthings", body).hasStatus(201)
			}
			c.send("GET /api/berthings?slot=2&pier=b", "").is(200, `[{"pier":"b","slot":2,"ship":"z"}]`)
			c.send("GET /api/berthings?pier=a&pier=b&slot=1", "").is(200, `[{"pier":"a","slot":1,"ship":"x"}]`)
		})
	}
}

func TestTheIdentifierFilterFindsOnlyReadableRecords(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Hoard]{Access: access.Rules{
		Read: published, Create: access.Public, Update: access.Public, Delete: access.Public,
	}})
	c.send("POST /api/hoards", `{"name":"a","published":true,"owner":1}`).hasStatus(201)
	c.send("POST /api/hoards", `{"name":"b","published":false,"owner":1}`).hasStatus(201)
	got := c.send("GET /api/hoards?id=2", "")
	if got.status != 200 || got.body != "[]" || got.header.Get("X-Total-Count") != "0" {
		t.Errorf("a hidden record: %d %s, total %s", got.status, got.body, got.header.Get("X-Total-Count"))
	}
}

func TestAViewWithoutTheIdentifierHasNoFilterByIt(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Pennant]{Operations: []operation.Operation{
		operation.GetCollection{View: &operation.View{Name: "Color", Members: []string{"color"}}},
	}})
	c.send("GET /api/pennants?id=1", "").hasStatus(400)
}

func TestAnOwnParameterTakesPrecedenceOverTheIdentifierFilter(t *testing.T) {
	t.Parallel()
	type own struct {
		ID int64 `json:"id"`
	}
	c := newClient(t, resource.Config{}, resource.Of[Pennant]{Operations: []operation.Operation{operation.GetCollection{Parameters: operation.Parameters[own]{}}}})
	c.send("GET /api/pennants?id=1", "").hasStatus(200)
}
