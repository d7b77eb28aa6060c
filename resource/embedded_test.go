package resource_test

import (
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
)

// Base is what several resources have in common.
type Base struct {
	ID        int64     `json:"id"`
	UpdatedAt time.Time `json:"updatedAt" api:"readonly"`
}

type Ship struct {
	Base
	Name string `json:"name" validate:"notblank"`
}

func TestMembersOfEmbeddedStructsAreMembers(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Ship]{})
	const ship = `{"id":1,"updatedAt":"0001-01-01T00:00:00Z","name":"Argo"}`
	c.send("POST /api/ships", `{"name":"Argo","updatedAt":"2026-01-01T00:00:00Z"}`).is(201, ship).has("Location", "/api/ships/1")
	c.send("GET /api/ships/1", "").is(200, ship)
	c.send("PATCH /api/ships/1", `{"name":" "}`).isInvalid("name", "name must not be blank")
	c.send("PATCH /api/ships/1", `{"Base":{}}`).hasStatus(400).mentions(`"Base":`)
}
