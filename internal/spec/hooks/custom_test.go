package hooks_test

import (
	"context"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

// custom serves standard operations and o over one treasure worth 100.
func custom(t *testing.T, o ...operation.Operation) spec.Client {
	t.Helper()
	return spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Operations: append(operation.Standard(), o...),
		Store:      memory.New(spec.DragonTreasure{Name: "Cup", Value: 100}),
	})
}

func TestAHandlerChangesAndSavesItsRecord(t *testing.T) {
	t.Parallel()
	c := custom(t, spec.DiscountTreasure())
	c.Send("POST /api/treasures/1/discount", `{"percent":20}`).Is(200, `{"saved":20,"note":null}`)
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":80`)
	c.Send("POST /api/treasures/1/discount", `{"percent":0}`).IsInvalid("percent", "percent must be at least 1")
	c.Send("POST /api/treasures/1/discount", `{}`).IsInvalid("percent", "percent is required")
	c.Send("POST /api/treasures/1/discount", `{"percent":"x","per":1}`).HasStatus(400).Mentions(`"percent":`, `"per":`)
	c.Send("POST /api/treasures/9/discount", `{"percent":20}`).IsProblem(404)
	c.Send("GET /api/treasures/1/discount", "").IsProblem(405).Has("Allow", "POST, OPTIONS")
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":80`)
}

func TestAHandlerIsAtomic(t *testing.T) {
	t.Parallel()
	c := custom(t, operation.Post{
		Name: "spend", URITemplate: "/treasures/{id}/spend",
		Handler: operation.Handle(func(_ context.Context, t *spec.DragonTreasure, _ struct{}) (struct{}, error) {
			t.Value--
			return struct{}{}, nil
		}),
	})
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() { c.Send("POST /api/treasures/1/spend", "").Is(204, "") })
	}
	group.Wait()
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":50`)
}

func TestAHandlersRecordIsValidatedAndRolledBack(t *testing.T) {
	t.Parallel()
	change := func(name string, result error) operation.Operation {
		return operation.Post{
			Name: name, URITemplate: "/treasures/{id}/" + name,
			Handler: operation.Handle(func(_ context.Context, t *spec.DragonTreasure, _ struct{}) (*spec.DragonTreasure, error) {
				t.Value = -5
				return t, result
			}),
		}
	}
	c := custom(t, change("spoil", nil), change("refuse", operation.Error{Status: 402, Detail: "Pay first."}),
		change("fail", validation.Fail("value", "value is frozen")))
	c.Send("POST /api/treasures/1/spoil", "").IsProblem(500) // no client could fix it
	c.Send("POST /api/treasures/1/refuse", "").IsProblem(402).Mentions("Pay first.", "Payment Required")
	c.Send("POST /api/treasures/1/fail", "").IsInvalid("value", "value is frozen")
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":100`)
}

func TestHandlersOfEveryKind(t *testing.T) {
	t.Parallel()
	double := func(_ context.Context, t *spec.DragonTreasure, _ struct{}) (*spec.DragonTreasure, error) {
		t.Value *= 2
		return t, nil
	}
	count := func(_ context.Context, t *spec.DragonTreasure, _ struct{}) ([]int, error) {
		return []int{t.Value, 7}, nil
	}
	set := func(_ context.Context, t *spec.DragonTreasure, in spec.Discount) (spec.DragonTreasure, error) {
		t.Value = in.Percent
		return *t, nil
	}
	c := custom(t,
		operation.Get{Name: "doubled", URITemplate: "/t/{id}/doubled", Handler: operation.Handle(double)},
		operation.GetCollection{Name: "count", URITemplate: "/t/count", Handler: operation.Handle(count)},
		operation.Put{Name: "set", URITemplate: "/t/{id}/set", Handler: operation.Handle(set)},
		operation.Patch{Name: "adjust", URITemplate: "/t/{id}/adjust", Handler: operation.Handle(set), Status: 202},
		operation.Delete{Name: "reset", URITemplate: "/t/{id}/value", Handler: operation.Handle(
			func(_ context.Context, t *spec.DragonTreasure, _ struct{}) (struct{}, error) {
				t.Value = 0
				return struct{}{}, nil
			})},
		operation.Post{Name: "free", URITemplate: "/t/{year}/free", Handler: operation.Handle(
			func(ctx context.Context, _ *spec.DragonTreasure, _ struct{}) (map[string]string, error) {
				req, _ := operation.RequestFrom(ctx)
				return req.Variables(), nil
			})},
	)
	c.Send("GET /api/t/1/doubled", "").HasStatus(200).Mentions(`"value":200`)
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":100`)
	c.Send("GET /api/t/count", "").Is(200, `[0,7]`)
	c.Send("PUT /api/t/1/set", `{"percent":30}`).HasStatus(200).Mentions(`"value":30`)
	c.Send("PATCH /api/t/1/adjust", `{"percent":31}`, "Content-Type", "application/merge-patch+json").HasStatus(202)
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":31`)
	c.Send("DELETE /api/t/1/value", "").Is(204, "")
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":0`)
	c.Send("POST /api/t/a%2Fb/free", "").Is(200, `{"year":"a/b"}`)
}
