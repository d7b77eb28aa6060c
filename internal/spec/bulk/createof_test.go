package bulk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// creating declares goods with a bulk import that saves as a Post does.
func creating(goods store.Store[Good]) resource.Of[Good] {
	return resource.Of[Good]{Store: goods, Operations: append(operation.Standard(),
		operation.Post{Name: "import", URITemplate: "/goods/import", Handler: operation.Handle(
			func(ctx context.Context, _ *Good, in []operation.CreateOf[Good]) ([]*Good, error) {
				all := []*Good{}
				for _, each := range in {
					good, err := each.Save(ctx)
					if err != nil {
						return nil, err
					}
					all = append(all, good)
				}
				return all, nil
			})},
		operation.Post{Name: "keep", URITemplate: "/goods/keep", Handler: operation.Handle(
			func(ctx context.Context, _ *Good, in operation.CreateOf[Good]) (*Good, error) { return in.Save(ctx) })},
	)}
}

// onCreating runs a test on goods in each store.
func onCreating(t *testing.T, config resource.Config, change func(*resource.Of[Good]), check func(c spec.Client)) {
	t.Helper()
	for name, goods := range spec.Stores[Good](t) {
		t.Run(name, func(t *testing.T) {
			good := creating(goods)
			if name == "memory" { // references within one database only
				good.Store = nil
			}
			change(&good)
			berths := resource.Of[Berth]{}
			if config.Authentication != nil || good.Access.Read != nil {
				berths.Access = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
			}
			check(spec.NewClient(t, config, good, berths))
		})
	}
}

func TestSaveCreatesWhatAPostDoes(t *testing.T) {
	t.Parallel()
	var kinds []operation.Kind
	var processed []string
	onCreating(t, resource.Config{}, func(g *resource.Of[Good]) {
		g.Prepare = func(_ context.Context, req *operation.Request, good *Good) error {
			kinds = append(kinds, req.Kind)
			if good.Made = "here"; good.Name == "bad" {
				return validation.Fail("name", "name is bad")
			}
			if good.Name == "worse" {
				good.Name = "far too long a name"
			}
			return nil
		}
		g.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, good *Good, save operation.Save[Good]) error {
			processed = append(processed, good.Name)
			return save(ctx, good)
		})
	}, func(c spec.Client) {
		kinds, processed = nil, nil
		c.Send("POST /api/goods/import", `[{"name":"a"},{"name":"b"}]`).Is(200, `[
			{"id":1,"name":"a","code":"","count":7,"least":0,"cost":0,"made":"here","tags":[],"berth":null},
			{"id":2,"name":"b","code":"","count":7,"least":0,"cost":0,"made":"here","tags":[],"berth":null}]`)
		c.Send("POST /api/goods/keep", `{"name":"c"}`).Mentions(`"id":3`, `"made":"here"`)
		c.Send("POST /api/goods/import", `[{"name":"d"},{"name":"bad"}]`).IsInvalid("[1].name", "name is bad")
		c.Send("POST /api/goods/import", `[{"name":"d"},{"name":"worse"}]`).IsInvalid("[1].name", "name must be at most 9 characters long")
		c.Send("POST /api/goods/import", `[{"name":"d"},{"name":"e"},{"name":"a"}]`).IsProblem(409).Mentions(`"field":"[2].name"`)
		c.Send("POST /api/goods/keep", `{"name":"c"}`).IsProblem(409).Mentions(`"field":"name"`)
		c.Send("GET /api/goods", "").Has("X-Total-Count", "3")
		if slices.ContainsFunc(kinds, func(k operation.Kind) bool { return k != operation.KindPost }) {
			t.Errorf("Prepare ran for %v", kinds)
		}
		if !slices.Equal(processed, []string{"a", "b", "c", "d", "d", "d", "e", "a", "c"}) {
			t.Errorf("the Processor ran for %v", processed)
		}
	})
}

func TestSaveChecksTheCreateRuleOfEachRecord(t *testing.T) {
	t.Parallel()
	config := resource.Config{Authentication: []access.Scheme{spec.Bearer()}}
	onCreating(t, config, func(g *resource.Of[Good]) {
		cheap := access.Check("cheap", func(_ context.Context, g *Good) (bool, error) { return g.Cost == 0, nil })
		g.Access = access.Rules{
			Read: access.Public, Create: access.Any(spec.IsAdmin, cheap), Update: spec.IsAdmin, Delete: spec.IsAdmin,
			Fields: map[string]access.Field{"code": {Write: access.Any(spec.IsAdmin, access.Where("count", 7))}},
		}
		for i, o := range g.Operations {
			if p, ok := o.(operation.Post); ok && p.Name != "" {
				p.Access = access.Authenticated
				g.Operations[i] = p
			}
		}
	}, func(c spec.Client) {
		c.As("ann", "POST /api/goods/import", `[{"name":"a"},{"name":"b","cost":1}]`).IsProblem(403).Mentions(`"field":"[1]"`, "You do not have permission to create the good at [1].")
		c.As("ann", "POST /api/goods/keep", `{"name":"b","cost":1}`).IsProblem(403).Mentions("You do not have permission to create goods.")
		c.As("ann", "POST /api/goods/import", `[{"name":"a"},{"name":"b","code":"x","count":8}]`).IsProblem(403).Mentions(`"field":"[1].code"`)
		c.Send("POST /api/goods/import", `[{"name":"a"}]`).IsProblem(401)
		c.As("root", "GET /api/goods", "").Has("X-Total-Count", "0")
		c.As("ann", "POST /api/goods/import", `[{"name":"a"},{"name":"b","code":"x"}]`).HasStatus(200)
		c.As("root", "POST /api/goods/import", `[{"name":"c","cost":1,"code":"y","count":8}]`).HasStatus(200)
	})
}

func TestSaveWithoutACreateRuleFails(t *testing.T) {
	t.Parallel()
	config := resource.Config{Authentication: []access.Scheme{spec.Bearer()}}
	onCreating(t, config, func(g *resource.Of[Good]) {
		g.Access = access.Rules{Read: access.Public}
		g.Operations = []operation.Operation{operation.Get{}, operation.Post{
			Name: "keep", URITemplate: "/goods/keep", Access: access.Authenticated,
			Handler: g.Operations[len(g.Operations)-1].Metadata().Handler,
		}}
	}, func(c spec.Client) { c.As("ann", "POST /api/goods/keep", `{"name":"b"}`).IsProblem(500) })
}

func TestSaveIsOfARequest(t *testing.T) {
	t.Parallel()
	var kept operation.CreateOf[Good]
	c := spec.NewClient(t, resource.Config{}, resource.Of[Good]{Operations: append(operation.Standard(),
		operation.Post{Name: "keep", URITemplate: "/goods/keep", Handler: operation.Handle(
			func(_ context.Context, _ *Good, in operation.CreateOf[Good]) (struct{}, error) {
				kept = in
				return struct{}{}, nil
			})})},
		resource.Of[Berth]{})
	c.Send("POST /api/goods/keep", `{"name":"b"}`).HasStatus(204)
	for _, late := range []operation.CreateOf[Good]{kept, {Record: &Good{Name: "c"}}} {
		if saved, err := late.Save(t.Context()); err == nil {
			t.Errorf("%+v is saved", saved)
		}
	}
	if _, err := (operation.PatchOf[Good]{}).Save(t.Context()); err == nil {
		t.Error("nothing is saved, without an error")
	}
	c.Send("GET /api/goods", "").Is(200, `[]`)
}

func TestAnImportWithAKeyIsDoneOnce(t *testing.T) {
	t.Parallel()
	goods := creating(nil)
	goods.Idempotency = time.Hour
	c := spec.NewClient(t, resource.Config{}, goods, resource.Of[Berth]{})
	first := c.Send("POST /api/goods/import", `[{"name":"a"},{"name":"b"}]`, "Idempotency-Key", "k").HasStatus(200)
	c.Send("POST /api/goods/import", `[{"name":"a"},{"name":"b"}]`, "Idempotency-Key", "k").Is(200, first.Body).Has("Idempotent-Replayed", "true")
	c.Send("POST /api/goods/import", `[{"name":"c"}]`, "Idempotency-Key", "k").IsProblem(422)
	c.Send("POST /api/goods/import", `[{"name":"d"},{"name":"a"}]`, "Idempotency-Key", "l").IsProblem(409)
	c.Send("POST /api/goods/import", `[{"name":"d"}]`, "Idempotency-Key", "l").HasStatus(200)
	c.Send("GET /api/goods", "").Has("X-Total-Count", "3")
}

func TestOperationsWithoutNamesDifferByTheirOutputAndInput(t *testing.T) {
	t.Parallel()
	rename := operation.InputOf(func(f *Fee) tariff { return tariff{f.Name, f.Cents / 100} },
		func(_ context.Context, in tariff, f *Fee) error { f.Name = in.Name; return nil })
	api, err := resource.New(resource.Config{}, resource.Of[Fee]{Operations: append(operation.Standard(),
		operation.GetCollection{URITemplate: "/cards", View: &operation.View{Name: "FeeCard", Fields: []string{"id", "name"}}},
		operation.Get{URITemplate: "/fees/{id}/label", Output: operation.Output(func(_ context.Context, f *Fee) (tariff, error) { return tariff{f.Name, 0}, nil })},
		operation.Patch{URITemplate: "/fees/{id}/rename", Input: rename},
	)})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for path, id := range map[string]string{"/api/cards": "listFeeCards", "/api/fees/{id}/label": "getFeeTariff", "/api/fees": "listFees"} {
		if got := doc.Paths.Value(path).Get.OperationID; got != id {
			t.Errorf("%s is %s, want %s", path, got, id)
		}
	}
	if got := doc.Paths.Value("/api/fees/{id}/rename").Patch.OperationID; got != "patchFeeTariff" {
		t.Errorf("rename is %s", got)
	}
}

// Fee is kept in cents, and known to clients in euros.
type Fee struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Cents int    `json:"cents" validate:"gte=0"`
	Code  string `json:"code" api:"createonly"`
}

// tariff is a fee as clients know it.
type tariff struct {
	Name  string `json:"name" validate:"max=5"`
	Euros int    `json:"euros" validate:"lte=100"`
}

func TestBodiesOfRecordsAreOfTheTypeThatClientsKnow(t *testing.T) {
	t.Parallel()
	fees := resource.Of[Fee]{
		Output: operation.Output(func(_ context.Context, f *Fee) (tariff, error) { return tariff{f.Name, f.Cents / 100}, nil }),
		Input: operation.InputOf(func(f *Fee) tariff { return tariff{f.Name, f.Cents / 100} }, func(_ context.Context, in tariff, f *Fee) error {
			if f.Name, f.Cents = in.Name, in.Euros*100; in.Name == "no" {
				return validation.Fail("name", "name is no name")
			}
			return nil
		}),
		Operations: append(operation.Standard(),
			operation.Post{Name: "import", URITemplate: "/fees/import", Handler: operation.Handle(
				func(ctx context.Context, _ *Fee, in []operation.CreateOf[Fee]) ([]*Fee, error) {
					all := []*Fee{}
					for _, each := range in {
						fee, err := each.Save(ctx)
						if err != nil {
							return nil, err
						}
						all = append(all, fee)
					}
					return all, nil
				})},
			operation.Post{Name: "raise", URITemplate: "/fees/{id}/raise", Handler: operation.Handle(
				func(ctx context.Context, _ *Fee, in operation.PatchOf[Fee]) (*Fee, error) { return in.Save(ctx) })},
		),
	}
	c := spec.NewClient(t, resource.Config{}, fees)
	c.Send("POST /api/fees/import", `[{"name":"a","euros":1},{"name":"b","euros":2}]`).Is(200, `[{"name":"a","euros":1},{"name":"b","euros":2}]`)
	c.Send("POST /api/fees/2/raise", `{"euros":3}`).Is(200, `{"name":"b","euros":3}`)
	c.Send("GET /api/fees/2", "").Is(200, `{"name":"b","euros":3}`)
	c.Send("POST /api/fees/import", `[{"name":"a","cents":1},{"name":"far too long","euros":101},5,{"name":"no"},{"name":" ","euros":"x"},{"name":" ","euros":-1}]`).IsInvalid(
		"[0].cents", `Unknown field "cents"; allowed: name, euros`, "[1].name", "name must be at most 5 characters long", "[1].euros", "euros must be at most 100",
		"[2]", "[2] must be an object", "[3].name", "name is no name", "[4].euros", "euros must be an integer",
		"[5].name", "name must not be blank", "[5].cents", "cents must be at least 0")
	c.Send("GET /api/fees", "").Has("X-Total-Count", "2")

	fees.Operations = append(operation.Standard(), operation.Patch{Name: "change", URITemplate: "/fees", Handler: operation.Handle(
		func(context.Context, *Fee, []operation.PatchOf[Fee]) (struct{}, error) { return struct{}{}, nil })})
	if _, err := resource.New(resource.Config{}, fees); err == nil || !strings.Contains(err.Error(), "the Input of Fee does not identify a record") {
		t.Errorf("the error is %v", err)
	}
}

func TestAHandlerOfOneResourceSavesRecordsOfAnother(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Good]{}, resource.Of[Berth]{Operations: append(operation.Standard(),
		operation.Post{Name: "load", URITemplate: "/berths/{id}/load", Handler: operation.Handle(
			func(ctx context.Context, b *Berth, in []operation.CreateOf[Good]) (imported, error) {
				for _, each := range in {
					each.Record.Berth = &b.ID
					if _, err := each.Save(ctx); err != nil {
						return imported{}, err
					}
				}
				return imported{Count: len(in)}, nil
			})},
		operation.Patch{Name: "recount", URITemplate: "/berths/goods", Handler: operation.Handle(
			func(ctx context.Context, _ *Berth, in []operation.PatchOf[Good]) (struct{}, error) {
				for _, each := range in {
					if _, err := each.Save(ctx); err != nil {
						return struct{}{}, err
					}
				}
				return struct{}{}, nil
			})},
	)})
	c.Send("POST /api/berths", `{}`).HasStatus(201)
	c.Send("POST /api/berths/1/load", `[{"name":"a"},{"name":"b"}]`).Is(200, `{"count":2,"first":""}`)
	c.Send("POST /api/berths/1/load", `[{"name":"c"},{"name":"b"}]`).IsProblem(409).Mentions(`"field":"[1].name"`)
	c.Send("PATCH /api/berths/goods", `[{"id":1,"count":9},{"id":2,"count":8}]`).HasStatus(204)
	c.Send("PATCH /api/berths/goods", `[{"id":1,"count":5},{"id":2,"name":"a"}]`).IsProblem(409)
	c.Send("GET /api/goods", "").Is(200, `[
		{"id":1,"name":"a","code":"","count":9,"least":0,"cost":0,"made":"","tags":[],"berth":"/api/berths/1"},
		{"id":2,"name":"b","code":"","count":8,"least":0,"cost":0,"made":"","tags":[],"berth":"/api/berths/1"}]`)
}

// Moored is a boat whose berth clients may leave out.
type Moored struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Berth int64  `json:"berth" validate:"omitempty" api:"ref=Berth"`
}

func TestPrepareSetsAReferenceThatANewElementLeavesOut(t *testing.T) {
	t.Parallel()
	load := func(ctx context.Context, _ *Moored, in []operation.CreateOf[Moored]) ([]*Moored, error) {
		all := []*Moored{}
		for _, each := range in {
			boat, err := each.Save(ctx)
			if err != nil {
				return nil, err
			}
			all = append(all, boat)
		}
		return all, nil
	}
	boats := resource.Of[Moored]{
		Operations: append(operation.Standard(), operation.Post{Name: "load", URITemplate: "/mooreds/load", Handler: operation.Handle(load)}),
		Prepare: func(_ context.Context, _ *operation.Request, boat *Moored) error {
			if boat.Name != "adrift" {
				boat.Berth = max(boat.Berth, 1)
			}
			return nil
		},
	}
	c := spec.NewClient(t, resource.Config{}, boats, resource.Of[Berth]{})
	c.Send("POST /api/berths", `{}`).HasStatus(201)
	c.Send("POST /api/mooreds/load", `[{"name":"a"},{"name":"b","berth":"/api/berths/1"}]`).
		Is(200, `[{"id":1,"name":"a","berth":"/api/berths/1"},{"id":2,"name":"b","berth":"/api/berths/1"}]`)
	c.Send("POST /api/mooreds/load", `[{"name":"c"},{"name":"adrift"}]`).IsInvalid("[1].berth", "berth is required")
	c.Send("GET /api/mooreds", "").Has("X-Total-Count", "2")
}
