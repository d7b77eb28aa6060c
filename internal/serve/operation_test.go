package serve_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Chest is a record whose operations need most steps.
type Chest struct {
	ID    int64   `json:"id"`
	Coin  int64   `json:"coin" api:"ref=Coin,expand,createonly"`
	Coins []int64 `json:"coins" validate:"max=5" api:"ref=Coin"`
	Value int     `json:"value"`
}

func TestAnOperationHasTheStepsThatItsDeclarationNeedsAndNoOthers(t *testing.T) {
	t.Parallel()
	owner := access.Equal("value", func(c *collector) int { return len(c.Name) })
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}},
		resource.Of[Coin]{Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}},
		resource.Of[Chest]{
			Access:            access.Rules{Read: access.Public, Create: owner, Update: owner, Delete: owner, Fields: map[string]access.Field{"value": {Write: owner}}},
			Prepare:           func(context.Context, *operation.Request, *Chest) error { return nil },
			BeforeTransaction: func(context.Context, *operation.Request, *Chest) error { return nil },
			Operations: append(operation.Standard(),
				operation.Put{URITemplate: "/chests/{id}/coins/{coins}"},
				operation.Post{Name: "shake", URITemplate: "/chests/{id}/shake", Handler: operation.Handle(
					func(context.Context, *Chest, struct{}) (struct{}, error) { return struct{}{}, nil },
				)},
				operation.Post{Name: "fill", URITemplate: "/coins/{coin}/chests", Access: access.Public, Handler: operation.Handle(
					func(context.Context, *Chest, []operation.CreateOf[Chest]) (struct{}, error) { return struct{}{}, nil },
				)}),
		})
	if err != nil {
		t.Fatal(err)
	}
	const (
		reads   = "credentials negotiate parameters preconditions "
		writes  = "credentials negotiate parameters preconditions receive "
		ruled   = "credentials authorize negotiate parameters preconditions "
		changes = "credentials authorize negotiate parameters preconditions receive "
		shows   = " serialize validators"
	)
	want := map[string]string{
		"getCoin":      reads + "read serialize validators preconditions",
		"listCoins":    reads + "read serialize validators preconditions",
		"createCoin":   writes + "preconditions deserialize validate write" + shows,
		"updateCoin":   writes + "read preconditions deserialize validate write" + shows,
		"patchCoin":    writes + "read preconditions deserialize validate write" + shows,
		"deleteCoin":   reads + "read preconditions write",
		"getChest":     ruled + "read expand serialize validators preconditions",
		"listChests":   ruled + "read expand serialize validators preconditions",
		"createChest":  changes + "preconditions deserialize permissions prepare validate authorize " + "authorize before preconditions resume write fields" + shows,
		"patchChest":   changes + "read authorize preconditions references deserialize created permissions prepare validate authorize before read authorize preconditions resume write fields" + shows,
		"deleteChest":  ruled + "read authorize preconditions write",
		"addChestCoin": ruled + "read authorize preconditions write",
		"shakeChest":   ruled + "read authorize preconditions write fields",
		"fillChest":    changes + "preconditions deserialize validate authorize write fields",
	}
	for _, r := range compiled.Of(api).Resources {
		for _, op := range r.Operations {
			if steps, listed := want[op.ID]; listed && strings.Join(op.Server.(*serve.Operation).Steps(), " ") != steps {
				t.Errorf("%s has the steps\n%s\nwant\n%s", op.ID, strings.Join(op.Server.(*serve.Operation).Steps(), " "), steps)
			}
			delete(want, op.ID)
		}
	}
	for id := range want {
		t.Errorf("there is no operation %s", id)
	}
}
