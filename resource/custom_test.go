package resource_test

import (
	"context"
	"sync"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

type Discount struct {
	Percent int `json:"percent" validate:"gte=1,lte=90"`
}

type Receipt struct {
	Saved int     `json:"saved"`
	Note  *string `json:"note"`
}

func discount(_ context.Context, t *DragonTreasure, in Discount) (Receipt, error) {
	saved := t.Value * in.Percent / 100
	t.Value -= saved
	return Receipt{Saved: saved}, nil
}

// custom serves standard operations and o over one treasure worth 100.
func custom(t *testing.T, o ...operation.Operation) client {
	t.Helper()
	return newClient(t, resource.Config{}, resource.Of[DragonTreasure]{
		Operations: append(operation.Standard(), o...),
		Store:      memory.New(DragonTreasure{Name: "Cup", Value: 100}),
	})
}

func TestAHandlerChangesAndSavesItsRecord(t *testing.T) {
	t.Parallel()
	c := custom(t, discountTreasure())
	c.send("POST /api/treasures/1/discount", `{"percent":20}`).is(200, `{"saved":20,"note":null}`)
	c.send("GET /api/dragon_treasures/1", "").mentions(`"value":80`)
	c.send("POST /api/treasures/1/discount", `{"percent":0}`).isInvalid("percent", "percent must be at least 1")
	c.send("POST /api/treasures/1/discount", `{}`).isInvalid("percent", "percent is required")
	c.send("POST /api/treasures/1/discount", `{"percent":"x","per":1}`).hasStatus(400).mentions(`"percent":`, `"per":`)
	c.send("POST /api/treasures/9/discount", `{"percent":20}`).isProblem(404)
	c.send("GET /api/treasures/1/discount", "").isProblem(405).has("Allow", "POST, OPTIONS")
	c.send("GET /api/dragon_treasures/1", "").mentions(`"value":80`)
}

func TestAHandlerIsAtomic(t *testing.T) {
	t.Parallel()
	c := custom(t, operation.Post{
		Name: "spend", URITemplate: "/treasures/{id}/spend",
		Handler: operation.Handle(func(_ context.Context, t *DragonTreasure, _ struct{}) (struct{}, error) {
			t.Value--
			return struct{}{}, nil
		}),
	})
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() { c.send("POST /api/treasures/1/spend", "").is(204, "") })
	}
	group.Wait()
	c.send("GET /api/dragon_treasures/1", "").mentions(`"value":50`)
}

func TestAHandlersRecordIsValidatedAndRolledBack(t *testing.T) {
	t.Parallel()
	change := func(name string, result error) operation.Operation {
		return operation.Post{
			Name: name, URITemplate: "/treasures/{id}/" + name,
			Handler: operation.Handle(func(_ context.Context, t *DragonTreasure, _ struct{}) (*DragonTreasure, error) {
				t.Value = -5
				return t, result
			}),
		}
	}
	c := custom(t, change("spoil", nil), change("refuse", operation.Error{Status: 402, Detail: "Pay first."}),
		change("fail", validation.Fail("value", "value is frozen")))
	c.send("POST /api/treasures/1/spoil", "").isProblem(500) // which no client could mend
	c.send("POST /api/treasures/1/refuse", "").isProblem(402).mentions("Pay first.", "Payment Required")
	c.send("POST /api/treasures/1/fail", "").isInvalid("value", "value is frozen")
	c.send("GET /api/dragon_treasures/1", "").mentions(`"value":100`)
}

func TestHandlersOfEveryKind(t *testing.T) {
	t.Parallel()
	double := func(_ context.Context, t *DragonTreasure, _ struct{}) (*DragonTreasure, error) {
		t.Value *= 2
		return t, nil
	}
	count := func(_ context.Context, t *DragonTreasure, _ struct{}) ([]int, error) { return []int{t.Value, 7}, nil }
	set := func(_ context.Context, t *DragonTreasure, in Discount) (DragonTreasure, error) {
		t.Value = in.Percent
		return *t, nil
	}
	c := custom(t,
		operation.Get{Name: "doubled", URITemplate: "/t/{id}/doubled", Handler: operation.Handle(double)},
		operation.GetCollection{Name: "count", URITemplate: "/t/count", Handler: operation.Handle(count)},
		operation.Put{Name: "set", URITemplate: "/t/{id}/set", Handler: operation.Handle(set)},
		operation.Patch{Name: "adjust", URITemplate: "/t/{id}/adjust", Handler: operation.Handle(set), Status: 202},
		operation.Delete{Name: "reset", URITemplate: "/t/{id}/value", Handler: operation.Handle(
			func(_ context.Context, t *DragonTreasure, _ struct{}) (struct{}, error) {
				t.Value = 0
				return struct{}{}, nil
			})},
		operation.Post{Name: "free", URITemplate: "/t/{year}/free", Handler: operation.Handle(
			func(ctx context.Context, _ *DragonTreasure, _ struct{}) (map[string]string, error) {
				req, _ := operation.RequestFrom(ctx)
				return req.Variables(), nil
			})},
	)
	c.send("GET /api/t/1/doubled", "").hasStatus(200).mentions(`"value":200`)
	c.send("GET /api/dragon_treasures/1", "").mentions(`"value":100`)
	c.send("GET /api/t/count", "").is(200, `[0,7]`)
	c.send("PUT /api/t/1/set", `{"percent":30}`).hasStatus(200).mentions(`"value":30`)
	c.send("PATCH /api/t/1/adjust", `{"percent":31}`, "Content-Type", "application/merge-patch+json").hasStatus(202)
	c.send("GET /api/dragon_treasures/1", "").mentions(`"value":31`)
	c.send("DELETE /api/t/1/value", "").is(204, "")
	c.send("GET /api/dragon_treasures/1", "").mentions(`"value":0`)
	c.send("POST /api/t/a%2Fb/free", "").is(200, `{"year":"a/b"}`)
}
