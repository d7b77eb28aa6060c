package hooks_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

// invoice has fields that the service sets, in whole or in part.
type invoice struct {
	ID    int64         `json:"id"`
	Title string        `json:"title" validate:"notblank"`
	From  int           `json:"from"`
	Owner string        `json:"owner" api:"readonly" validate:"required"`
	Until int           `json:"until" api:"readonly" validate:"gtefield=From"`
	Lines []invoiceLine `json:"lines" validate:"dive"`
	Codes []string      `json:"codes" api:"readonly" validate:"dive,max=3"`
}

type invoiceLine struct {
	Count int `json:"count" validate:"gte=0"`
	Total int `json:"total" api:"readonly" validate:"gte=0"`
}

func TestViolationsThatClientsCannotFixAreFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, request, body string
		set                 func(*invoice)
		cause               string   // of the 500; "" if the client gets the error
		told                []string // names of fields and their messages
	}{
		{"a read-only member that Prepare forgot", "POST /api/invoices", `{"title":"a"}`, nil, "owner is required", nil},
		{"in a Put", "PUT /api/invoices/1", `{"title":"a"}`, func(i *invoice) { i.Owner = "" }, "owner is required", nil},
		{"in a Patch", "PATCH /api/invoices/1", `{"from":0}`, func(i *invoice) { i.Owner = "" }, "owner is required", nil},
		{"in a part of the record", "POST /api/invoices", `{"title":"a","lines":[{"count":1},{"count":2}]}`, func(i *invoice) { i.Owner, i.Lines[1].Total = "me", -1 }, "lines[1].total", nil},
		{"in an element", "POST /api/invoices", `{"title":"a"}`, func(i *invoice) { i.Owner, i.Codes = "me", []string{"a", "long"} }, "codes[1]", nil},
		{
			"but the client hears of what it can mend, and of nothing else", "POST /api/invoices", `{"title":" "}`, nil, "",
			[]string{"title", "title must not be blank"},
		},
		{
			"and of a rule that compares with a member of the body", "POST /api/invoices", `{"title":"a","from":9}`, func(i *invoice) { i.Owner = "me" }, "",
			[]string{"until", "until must be greater than or equal to from"},
		},
		{
			"and of a writable member beside a read-only one", "POST /api/invoices", `{"title":"a","lines":[{"count":-1}]}`, func(i *invoice) { i.Owner = "me" }, "",
			[]string{"lines[0].count", "count must be at least 0"},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			log := &spec.Journal{}
			c := spec.NewClient(t, logged(log), resource.Of[invoice]{
				ShortName: "Invoice", Store: memory.New(invoice{Title: "old", Owner: "me"}),
				Prepare: func(_ context.Context, _ *operation.Request, i *invoice) error {
					if test.set != nil {
						test.set(i)
					}
					return nil
				},
			})
			a := c.Send(test.request, test.body)
			if test.cause == "" {
				a.IsInvalid(test.told...)
				if log.String() != "" {
					t.Errorf("what the client can mend is logged: %s", log)
				}
				return
			}
			a.Is(500, `{"type":"about:blank","title":"Internal Server Error","status":500}`)
			if !strings.Contains(log.String(), test.cause) || !strings.Contains(log.String(), `"incident"`) {
				t.Errorf("the log is %s", log)
			}
			c.Send("GET /api/invoices", "").Is(200, `[{"id":1,"title":"old","from":0,"owner":"me","until":0,"lines":[],"codes":[]}]`)
		})
	}
}

func TestErrorsOfPrepareReachTheClient(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[invoice]{
		ShortName: "Invoice",
		Prepare: func(context.Context, *operation.Request, *invoice) error {
			return validation.Fail("owner", "Nobody may own this.")
		},
	})
	c.Send("POST /api/invoices", `{"title":"a"}`).IsInvalid("owner", "Nobody may own this.")
}

func TestARecordThatAHandlerBreaksByItselfIsAFault(t *testing.T) {
	t.Parallel()
	type amount struct {
		By int `json:"by"`
	}
	spoil := func(_ context.Context, d *spec.DragonTreasure, _ struct{}) (struct{}, error) {
		d.Value = -5
		return struct{}{}, nil
	}
	reduce := func(_ context.Context, d *spec.DragonTreasure, in amount) (struct{}, error) {
		d.Value -= in.By
		return struct{}{}, nil
	}
	lower := func(ctx context.Context, d *spec.DragonTreasure, _ struct{}) (struct{}, error) {
		req, _ := operation.RequestFrom(ctx)
		d.Value -= operation.Parameters[amount]{}.Of(req).By
		return struct{}{}, nil
	}
	log := &spec.Journal{}
	c := spec.NewClient(t, logged(log), resource.Of[spec.DragonTreasure]{
		Store: memory.New(spec.DragonTreasure{Name: "Cup", Value: 1}),
		Operations: []operation.Operation{
			operation.Get{},
			operation.Post{Name: "spoil", URITemplate: "/t/{id}/spoil", Handler: operation.Handle(spoil)},
			operation.Delete{Name: "ruin", URITemplate: "/t/{id}/ruin", Handler: operation.Handle(spoil)},
			operation.Post{Name: "reduce", URITemplate: "/t/{id}/reduce", Handler: operation.Handle(reduce)},
			operation.Post{Name: "lower", URITemplate: "/t/{id}/lower", Handler: operation.Handle(lower), Parameters: operation.Parameters[amount]{}},
		},
	})
	c.Send("POST /api/t/1/reduce", `{"by":9}`).IsInvalid("value", "value must be at least 0")
	c.Send("POST /api/t/1/lower?by=9", "").IsInvalid("value", "value must be at least 0")
	if log.String() != "" {
		t.Errorf("what the client can mend is logged: %s", log)
	}
	c.Send("POST /api/t/1/spoil", "").Is(500, `{"type":"about:blank","title":"Internal Server Error","status":500}`)
	c.Send("DELETE /api/t/1/ruin", "").IsProblem(500)
	if n := strings.Count(log.String(), "value must be at least 0"); n != 2 {
		t.Errorf("the log is %s", log)
	}
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":1,`)
}

func TestAStoredIdentifierThatBreaksItsRuleIsAFault(t *testing.T) {
	t.Parallel()
	log := &spec.Journal{}
	c := spec.NewClient(t, logged(log), resource.Of[slot]{ShortName: "Slot", Store: memory.New(slot{Name: "too long"}), Operations: []operation.Operation{
		operation.Put{AllowCreate: true}, operation.Patch{},
	}})
	c.Send("PATCH /api/slots/too%20long", `{"note":"x"}`).IsProblem(500)
	c.Send("PATCH /api/slots/too%20long", `{"name":"longer than that"}`).IsInvalid("name", "name must be at most 3 characters long")
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("the log is %s", log)
	}
	c.Send("PUT /api/slots/another", `{"note":"x"}`).IsInvalid("name", "name must be at most 3 characters long")
}

type slot struct {
	Name string `json:"name" api:"id" validate:"max=3"`
	Note string `json:"note"`
}

func TestAProcessorThatSavesNothing(t *testing.T) {
	t.Parallel()
	idle := func(context.Context, *operation.Request, *spec.Goblet, operation.Save[spec.Goblet]) error { return nil }
	goblets := memory.New(spec.Goblet{Title: "first"})
	byHand := func(ctx context.Context, _ *operation.Request, g *spec.Goblet, _ operation.Save[spec.Goblet]) error {
		return goblets.Transact(ctx, func(ctx context.Context, tx store.Tx[spec.Goblet]) error { return tx.Insert(ctx, g) })
	}
	swallows := func(ctx context.Context, _ *operation.Request, g *spec.Goblet, save operation.Save[spec.Goblet]) error {
		g.ID = 1
		_ = save(ctx, g) // taken
		g.ID = 77
		return nil
	}
	log := &spec.Journal{}
	c := spec.NewClient(
		t, logged(log),
		resource.Of[spec.Goblet]{Store: goblets, Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{Processor: operation.Process(idle)},
			operation.Post{Name: "swallow", URITemplate: "/swallow", Processor: operation.Process(swallows)},
			operation.Post{Name: "hand", URITemplate: "/by_hand", Processor: operation.Process(byHand)},
			operation.Post{Name: "queue", URITemplate: "/queue", Status: 202, Processor: operation.Process(idle)},
			operation.Post{Name: "drop", URITemplate: "/drop", Status: 204, Processor: operation.Process(idle)},
			operation.Patch{Processor: operation.Process(idle)},
			operation.Delete{Processor: operation.Process(idle)},
		}},
		resource.Of[spec.Keeper]{Operations: []operation.Operation{operation.Get{}, operation.Put{
			AllowCreate: true,
			Processor:   operation.Process(func(context.Context, *operation.Request, *spec.Keeper, operation.Save[spec.Keeper]) error { return nil }),
		}}},
	)
	const body = `{"title":"x"}`
	for i, request := range []string{"POST /api/goblets", "POST /api/swallow", "PUT /api/keepers/x"} {
		c.Send(request, body).IsProblem(500).Has("Location", "").Has("ETag", "")
		if n := strings.Count(log.String(), "without saving the record"); n != i+1 {
			t.Errorf("%s: the log is %s", request, log)
		}
	}
	c.Send("POST /api/by_hand", body).HasStatus(201).Mentions(`"id":2`).Has("Location", "/api/goblets/2")
	c.Send("POST /api/queue", body).Is(202, `{"id":0,"title":"x","lines":[]}`).Has("Location", "").Has("ETag", "")
	c.Send("POST /api/drop", body).Is(204, "").Has("Location", "")
	c.Send("PATCH /api/goblets/1", body).Is(200, `{"id":1,"title":"x","lines":[]}`).Has("ETag", "") // as the Processor leaves it
	c.Send("DELETE /api/goblets/1", "").Is(204, "")
	c.Send("GET /api/goblets", "").Is(200, `[{"id":1,"title":"first","lines":[]},{"id":2,"title":"x","lines":[]}]`)
}
