package execute_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
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
	owner := access.Equal("value", func(m *minter) int { return len(m.name) })
	api, err := resource.New(resource.Config{},
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
	want := map[string]string{
		"getCoin":      "read",
		"listCoins":    "read",
		"createCoin":   "preconditions deserialize validate write",
		"updateCoin":   "read preconditions deserialize validate write",
		"patchCoin":    "read preconditions deserialize validate write",
		"deleteCoin":   "read preconditions write",
		"getChest":     "read expand",
		"listChests":   "read expand",
		"createChest":  "preconditions deserialize members prepare validate authorize " + "authorize before preconditions resume write",
		"patchChest":   "read authorize preconditions references deserialize created members prepare validate authorize before read authorize preconditions resume write",
		"deleteChest":  "read authorize preconditions write",
		"addChestCoin": "read authorize preconditions write",
		"shakeChest":   "read authorize preconditions write",
		"fillChest":    "preconditions deserialize members validate authorize elements write",
	}
	for _, r := range compiled.Of(api).Resources {
		for _, op := range r.Operations {
			if steps, listed := want[op.ID]; listed && strings.Join(execute.OperationOf(op).Steps(), " ") != steps {
				t.Errorf("%s has the steps\n%s\nwant\n%s", op.ID, strings.Join(execute.OperationOf(op).Steps(), " "), steps)
			}
			delete(want, op.ID)
		}
	}
	for id := range want {
		t.Errorf("there is no operation %s", id)
	}
}
