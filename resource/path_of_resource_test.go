package resource_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestAResourceHasAPathOfItsOwn(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[DragonTreasure]{
		Path: "/dragon-plunder",
		Operations: append(operation.Standard(), operation.Get{Name: "peek", URITemplate: "/peek/{id}"}, operation.Post{
			Name: "count", URITemplate: "/count", Handler: operation.Handle(
				func(context.Context, *DragonTreasure, struct{}) (struct{}, error) { return struct{}{}, nil }),
		}),
	})
	c.send("POST /api/dragon-plunder", `{"name":"Cup"}`).hasStatus(201).has("Location", "/api/dragon-plunder/1")
	c.send("GET /api/dragon-plunder.json", "").hasStatus(200).has("X-Total-Count", "1")
	c.send("PATCH /api/dragon-plunder/1", `{"value":7}`).hasStatus(200).mentions(`"value":7`)
	c.send("GET /api/peek/1", "").hasStatus(200)
	c.send("POST /api/count", "").is(204, "")
	c.send("DELETE /api/dragon-plunder/1.json", "").is(204, "")
	c.send("GET /api/dragon_treasures", "").isProblem(404)
	c.send("GET /api", "").is(200, `{"DragonTreasure":"/api/dragon-plunder"}`)
}

func TestAResourceIsBelowAnotherOneAsAWhole(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Yawl]{Path: "/coves/{cove}/yawls"}, resource.Of[Cove]{})
	c.send("POST /api/coves", `{"name":"Bree"}`).hasStatus(201)
	c.send("POST /api/coves", `{"name":"Cair"}`).hasStatus(201)
	c.send("POST /api/coves/Bree/yawls", `{"name":"Argo"}`).hasStatus(201).mentions(`"cove":"/api/coves/Bree"`)
	c.send("POST /api/coves/Camelot/yawls", `{"name":"Argo"}`).isProblem(404)
	c.send("GET /api/coves/Bree/yawls.json", "").hasStatus(200).has("X-Total-Count", "1")
	c.send("GET /api/coves/Cair/yawls", "").is(200, "[]")
	c.send("PUT /api/coves/Bree/yawls/1", `{"name":"Argos"}`).hasStatus(200)
	c.send("GET /api/coves/Bree/yawls/1", "").hasStatus(200).mentions("Argos")
	c.send("GET /api/coves/Cair/yawls/1", "").isProblem(404)
	c.send("DELETE /api/coves/Cair/yawls/1", "").isProblem(404)
	c.send("DELETE /api/coves/Bree/yawls/1", "").is(204, "")
	c.send("GET /api/yawls", "").isProblem(404)
}

func TestMistakesInThePathOfAResource(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"coves":            `Path "coves" must begin with a slash`,
		"/":                "allowed: the path of a collection, without a slash at its end",
		"/coves/":          "without a double or trailing slash",
		"/coves{._format}": "leave {._format} out",
		"/coves/{name}":    "which has the identifier",
		"/coves/{harbour}": "Path has the variable {harbour}",
	} {
		_, err := resource.New(resource.Config{}, resource.Of[Cove]{Path: path})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
