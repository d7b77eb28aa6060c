package routes_test

import (
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestHEADForEveryGET(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{Store: memory.New(spec.DragonTreasure{Name: "Cup"})})
	for _, path := range []string{"/api", "/api/dragon_treasures", "/api/dragon_treasures/1", "/api/dragon_treasures/1.json"} {
		got := c.Send("GET "+path, "").HasStatus(200)
		c.Send("HEAD "+path, "").Is(200, "").
			Has("Content-Length", got.Header.Get("Content-Length")).Has("Content-Type", "application/json")
	}
	c.Send("HEAD /api/dragon_treasures/9", "").Is(404, "").Has("Content-Type", "application/problem+json")
}

func TestOPTIONS(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
	c.Send("OPTIONS /api/dragon_treasures", "").Is(204, "").
		Has("Allow", "GET, HEAD, POST, OPTIONS").Has("Accept-Post", "application/json").Has("Accept-Patch", "")
	c.Send("OPTIONS /api/dragon_treasures/1", "").Is(204, "").
		Has("Allow", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS").
		Has("Accept-Patch", "application/merge-patch+json, application/json").Has("Accept-Post", "")
	c.Send("OPTIONS /api", "").Is(204, "").Has("Allow", "GET, HEAD, OPTIONS")
	c.Send("OPTIONS /nowhere", "").IsProblem(404)
}

func TestRemovedOperations(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Operations: []operation.Operation{operation.GetCollection{}, operation.Post{}},
	})
	c.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(201).Has("Location", "")
	c.Send("PUT /api/dragon_treasures", "{}").IsProblem(405).Has("Allow", "GET, HEAD, POST, OPTIONS")
	c.Send("GET /api/dragon_treasures/1", "").IsProblem(404)
	c.Send("DELETE /api/dragon_treasures/1", "").IsProblem(404)

	c = spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{Operations: []operation.Operation{}})
	c.Send("GET /api/dragon_treasures", "").IsProblem(404)
	c.Send("GET /api", "").Is(200, `{}`)
}

func TestTheIndexListsTheCollections(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{},
		resource.Of[spec.Programmer]{},
		resource.Of[spec.DragonTreasure]{ShortName: "Treasure"},
		resource.Of[spec.Vessel]{Operations: []operation.Operation{operation.Get{}}})
	got := c.Send("GET /api", "", "Accept", "text/html, */*;q=0.1").HasStatus(200).Has("Vary", "Accept")
	if want := `{"Programmer":"/api/programmers","Treasure":"/api/treasures"}`; got.Body != want {
		t.Errorf("the index is %s, want %s", got.Body, want)
	}
	c.Send("GET /api", "", "Accept", "image/png").IsProblem(406)
}
