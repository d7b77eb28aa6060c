package collections_test

import (
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
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
	for name, pennants := range spec.Stores[spec.Pennant](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Pennant]{Store: pennants})
			for _, color := range []string{"red", "blue", "green"} {
				c.Send("POST /api/pennants", `{"color":"`+color+`"}`).HasStatus(201)
			}
			c.Send("GET /api/pennants?id=1&id=3&id=9", "").Is(200, `[{"id":1,"color":"red"},{"id":3,"color":"green"}]`)
			c.Send("GET /api/pennants?id=9", "").Is(200, `[]`)
			c.Send("GET /api/pennants?id=x", "").HasStatus(400)
		})
	}
}

func TestEachFieldOfACompositeIdentifierIsAnExactFilter(t *testing.T) {
	t.Parallel()
	for name, berths := range spec.Stores[Berthing](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[Berthing]{Store: berths})
			for _, body := range []string{`{"pier":"a","slot":1,"ship":"x"}`, `{"pier":"a","slot":2,"ship":"y"}`, `{"pier":"b","slot":2,"ship":"z"}`} {
				c.Send("POST /api/berthings", body).HasStatus(201)
			}
			c.Send("GET /api/berthings?slot=2&pier=b", "").Is(200, `[{"pier":"b","slot":2,"ship":"z"}]`)
			c.Send("GET /api/berthings?pier=a&pier=b&slot=1", "").Is(200, `[{"pier":"a","slot":1,"ship":"x"}]`)
		})
	}
}

func TestTheIdentifierFilterFindsOnlyReadableRecords(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Hoard]{Access: access.Rules{
		Read: spec.Published, Create: access.Public, Update: access.Public, Delete: access.Public,
	}})
	c.Send("POST /api/hoards", `{"name":"a","published":true,"owner":1}`).HasStatus(201)
	c.Send("POST /api/hoards", `{"name":"b","published":false,"owner":1}`).HasStatus(201)
	got := c.Send("GET /api/hoards?id=2", "")
	if got.Status != 200 || got.Body != "[]" || got.Header.Get("X-Total-Count") != "0" {
		t.Errorf("a hidden record: %d %s, total %s", got.Status, got.Body, got.Header.Get("X-Total-Count"))
	}
}

func TestAViewWithoutTheIdentifierHasNoFilterByIt(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Pennant]{Operations: []operation.Operation{
		operation.GetCollection{View: &operation.View{Name: "Color", Fields: []string{"color"}}},
	}})
	c.Send("GET /api/pennants?id=1", "").HasStatus(400)
}

func TestAnOwnParameterTakesPrecedenceOverTheIdentifierFilter(t *testing.T) {
	t.Parallel()
	type own struct {
		ID int64 `json:"id"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Pennant]{Operations: []operation.Operation{operation.GetCollection{Parameters: operation.Parameters[own]{}}}})
	c.Send("GET /api/pennants?id=1", "").HasStatus(200)
}
