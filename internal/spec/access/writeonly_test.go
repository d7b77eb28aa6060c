package access_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type strongbox struct {
	ID   int64  `json:"id"`
	PIN  string `json:"pin" api:"writeonly"`
	Kind string `json:"kind"`
}

func TestAForbiddenWriteonlyFieldIsRejectedOnCreation(t *testing.T) {
	t.Parallel()
	vaults := memory.New[strongbox]()
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
		access.Bearer("token", func(_ context.Context, token string) (*string, access.Scopes, error) {
			return &token, access.Unlimited, nil
		}),
	}}, resource.Of[strongbox]{
		ShortName: "Vault", Store: vaults, Operations: []operation.Operation{operation.Get{}, operation.Post{}, operation.Patch{}},
		Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public,
			Fields: map[string]access.Field{"pin": {Write: access.If("root", func(name *string) bool { return *name == "root" })}},
		},
	})
	c.Send("POST /api/vaults", `{"kind":"a","pin":"1234"}`, "Authorization", "Bearer bob").IsProblem(403)
	c.Send("POST /api/vaults", `{"kind":"a","pin":""}`, "Authorization", "Bearer bob").HasStatus(201)
	c.Send("POST /api/vaults", `{"kind":"a","pin":"1234"}`, "Authorization", "Bearer root").HasStatus(201)
	if page, err := vaults.List(t.Context(), store.Query{}); err != nil || len(page.Items) != 2 || page.Items[1].PIN != "1234" {
		t.Errorf("the records are %+v, %v", page.Items, err)
	}
}
