package relations_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestAResourceHasAPathOfItsOwn(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Path: "/dragon-plunder",
		Operations: append(operation.Standard(), operation.Get{Name: "peek", URITemplate: "/peek/{id}"}, operation.Post{
			Name: "count", URITemplate: "/count", Handler: operation.Handle(
				func(context.Context, *spec.DragonTreasure, struct{}) (struct{}, error) { return struct{}{}, nil }),
		}),
	})
	c.Send("POST /api/dragon-plunder", `{"name":"Cup"}`).HasStatus(201).Has("Location", "/api/dragon-plunder/1")
	c.Send("GET /api/dragon-plunder.json", "").HasStatus(200).Has("X-Total-Count", "1")
	c.Send("PATCH /api/dragon-plunder/1", `{"value":7}`).HasStatus(200).Mentions(`"value":7`)
	c.Send("GET /api/peek/1", "").HasStatus(200)
	c.Send("POST /api/count", "").Is(204, "")
	c.Send("DELETE /api/dragon-plunder/1.json", "").Is(204, "")
	c.Send("GET /api/dragon_treasures", "").IsProblem(404)
	c.Send("GET /api", "").Is(200, `{"DragonTreasure":"/api/dragon-plunder"}`)
}

func TestAResourceIsBelowAnotherOneAsAWhole(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Yawl]{Path: "/coves/{cove}/yawls"}, resource.Of[Cove]{})
	c.Send("POST /api/coves", `{"name":"Bree"}`).HasStatus(201)
	c.Send("POST /api/coves", `{"name":"Cair"}`).HasStatus(201)
	c.Send("POST /api/coves/Bree/yawls", `{"name":"Argo"}`).HasStatus(201).Mentions(`"cove":"/api/coves/Bree"`)
	c.Send("POST /api/coves/Camelot/yawls", `{"name":"Argo"}`).IsProblem(404)
	c.Send("GET /api/coves/Bree/yawls.json", "").HasStatus(200).Has("X-Total-Count", "1")
	c.Send("GET /api/coves/Cair/yawls", "").Is(200, "[]")
	c.Send("PUT /api/coves/Bree/yawls/1", `{"name":"Argos"}`).HasStatus(200)
	c.Send("GET /api/coves/Bree/yawls/1", "").HasStatus(200).Mentions("Argos")
	c.Send("GET /api/coves/Cair/yawls/1", "").IsProblem(404)
	c.Send("DELETE /api/coves/Cair/yawls/1", "").IsProblem(404)
	c.Send("DELETE /api/coves/Bree/yawls/1", "").Is(204, "")
	c.Send("GET /api/yawls", "").IsProblem(404)
}

func TestMistakesInThePathOfAResource(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"coves":            `Path "coves" must begin with a slash`,
		"/":                "use the path of the collection without a trailing slash",
		"/coves/":          `Path "/coves/" has an empty segment; remove the double or trailing slash`,
		"/coves{._format}": `remove {._format}`,
		"/coves/{name}":    `remove the identifier`,
		"/coves/{harbour}": "Path has the variable {harbour}",
	} {
		_, err := resource.New(resource.Config{}, resource.Of[Cove]{Path: path})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
