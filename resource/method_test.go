package resource_test

import (
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestHEADForEveryGET(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[DragonTreasure]{Store: memory.New(DragonTreasure{Name: "Cup"})})
	for _, path := range []string{"/api", "/api/dragon_treasures", "/api/dragon_treasures/1", "/api/dragon_treasures/1.json"} {
		got := c.send("GET "+path, "").hasStatus(200)
		c.send("HEAD "+path, "").is(200, "").
			has("Content-Length", got.header.Get("Content-Length")).has("Content-Type", "application/json")
	}
	c.send("HEAD /api/dragon_treasures/9", "").is(404, "").has("Content-Type", "application/problem+json")
}

func TestOPTIONS(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[DragonTreasure]{})
	c.send("OPTIONS /api/dragon_treasures", "").is(204, "").
		has("Allow", "GET, HEAD, POST, OPTIONS").has("Accept-Post", "application/json").has("Accept-Patch", "")
	c.send("OPTIONS /api/dragon_treasures/1", "").is(204, "").
		has("Allow", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS").
		has("Accept-Patch", "application/merge-patch+json, application/json").has("Accept-Post", "")
	c.send("OPTIONS /api", "").is(204, "").has("Allow", "GET, HEAD, OPTIONS")
	c.send("OPTIONS /nowhere", "").isProblem(404)
}

func TestRemovedOperations(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[DragonTreasure]{
		Operations: []operation.Operation{operation.GetCollection{}, operation.Post{}},
	})
	c.send("POST /api/dragon_treasures", slinky).hasStatus(201).has("Location", "")
	c.send("PUT /api/dragon_treasures", "{}").isProblem(405).has("Allow", "GET, HEAD, POST, OPTIONS")
	c.send("GET /api/dragon_treasures/1", "").isProblem(404)
	c.send("DELETE /api/dragon_treasures/1", "").isProblem(404)

	c = newClient(t, resource.Config{}, resource.Of[DragonTreasure]{Operations: []operation.Operation{}})
	c.send("GET /api/dragon_treasures", "").isProblem(404)
	c.send("GET /api", "").is(200, `{}`)
}

func TestTheIndexListsTheCollections(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{},
		resource.Of[Programmer]{},
		resource.Of[DragonTreasure]{ShortName: "Treasure"},
		resource.Of[Vessel]{Operations: []operation.Operation{operation.Get{}}})
	got := c.send("GET /api", "", "Accept", "text/html, */*;q=0.1").hasStatus(200).has("Vary", "Accept")
	if want := `{"Programmer":"/api/programmers","Treasure":"/api/treasures"}`; got.body != want {
		t.Errorf("the index is %s, want %s", got.body, want)
	}
	c.send("GET /api", "", "Accept", "image/png").isProblem(406)
}
