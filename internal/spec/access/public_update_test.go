package access_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Berth is a record that everyone may change, and only signed-in callers create.
type Berth struct {
	Name  string `json:"name" api:"id"`
	Depth int    `json:"depth" validate:"gte=1"`
}

func TestAPutThatMayNotCreateIsForbiddenBeforeItsBodyIsJudged(t *testing.T) {
	t.Parallel()
	token := access.Bearer("token", func(context.Context, string) (*spec.Captain, access.Scopes, error) {
		return &spec.Captain{ID: 1}, access.Unlimited, nil
	})
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{token}}, resource.Of[Berth]{
		Access: access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Public, Delete: access.Public},
		Operations: []operation.Operation{
			operation.Get{}, operation.Put{AllowCreate: true},
		},
	})
	c.Send("PUT /api/berths/north", `{"depth":0}`).IsProblem(401)
	c.Send("PUT /api/berths/north", `{"depth":7}`).IsProblem(401)
	c.Send("PUT /api/berths/north", `{"depth":0}`, "Authorization", "Bearer x").HasStatus(400)
	c.Send("PUT /api/berths/north", `{"depth":7}`, "Authorization", "Bearer x").HasStatus(201)
	c.Send("PUT /api/berths/north", `{"depth":8}`).HasStatus(200)
}
