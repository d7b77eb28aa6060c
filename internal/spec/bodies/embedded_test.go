package bodies_test

import (
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
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

func TestFieldsOfEmbeddedStructsAreFields(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ship]{})
	const ship = `{"id":1,"updatedAt":"0001-01-01T00:00:00Z","name":"Argo"}`
	c.Send("POST /api/ships", `{"name":"Argo","updatedAt":"2026-01-01T00:00:00Z"}`).Is(201, ship).Has("Location", "/api/ships/1")
	c.Send("GET /api/ships/1", "").Is(200, ship)
	c.Send("PATCH /api/ships/1", `{"name":" "}`).IsInvalid("name", "name must not be blank")
	c.Send("PATCH /api/ships/1", `{"Base":{}}`).HasStatus(400).Mentions(`"Base":`)
}
