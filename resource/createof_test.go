package resource_test

import (
	"context"
	"slices"
	"testing"

	"github.com/trove-api/trove/access"
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
func onCreating(t *testing.T, config resource.Config, change func(*resource.Of[Good]), check func(c client)) {
	t.Helper()
	for name, goods := range stores[Good](t) {
		t.Run(name, func(t *testing.T) {
			good := creating(goods)
			if name == "memory" { // references within one database only
				good.Store = nil
			}
			change(&good)
			check(newClient(t, config, good, resource.Of[Berth]{Access: access.Rules{
				Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
			}}))
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
	}, func(c client) {
		kinds, processed = nil, nil
		c.send("POST /api/goods/import", `[{"name":"a"},{"name":"b"}]`).is(200, `[
			{"id":1,"name":"a","code":"","count":7,"least":0,"cost":0,"made":"here","tags":[],"berth":null},
			{"id":2,"name":"b","code":"","count":7,"least":0,"cost":0,"made":"here","tags":[],"berth":null}]`)
		c.send("POST /api/goods/keep", `{"name":"c"}`).mentions(`"id":3`, `"made":"here"`)
		c.send("POST /api/goods/import", `[{"name":"d"},{"name":"bad"}]`).isInvalid("[1].name", "name is bad")
		c.send("POST /api/goods/import", `[{"name":"d"},{"name":"worse"}]`).isInvalid("[1].name", "name must be at most 9 characters long")
		c.send("POST /api/goods/import", `[{"name":"d"},{"name":"e"},{"name":"a"}]`).isProblem(409).mentions(`"field":"[2].name"`)
		c.send("POST /api/goods/keep", `{"name":"c"}`).isProblem(409).mentions(`"field":"name"`)
		c.send("GET /api/goods", "").has("X-Total-Count", "3")
		if slices.ContainsFunc(kinds, func(k operation.Kind) bool { return k != operation.KindPost }) {
			t.Errorf("Prepare ran for %v", kinds)
		}
		if !slices.Equal(processed, []string{"a", "b", "c", "d", "d", "d", "e", "a", "c"}) {
			t.Errorf("the Processor ran for %v", processed)
		}
	})
}

func TestSaveAsksTheCreateRuleOfEachRecord(t *testing.T) {
	t.Parallel()
	config := resource.Config{Authentication: []access.Scheme{bearer()}}
	onCreating(t, config, func(g *resource.Of[Good]) {
		cheap := access.Check("cheap", func(_ context.Context, g *Good) (bool, error) { return g.Cost == 0, nil })
		g.Access = access.Rules{
			Read: access.Public, Create: access.Any(isAdmin, cheap), Update: isAdmin, Delete: isAdmin,
			Members: map[string]access.Member{"code": {Write: access.Any(isAdmin, access.Where("count", 7))}},
		}
		for i, o := range g.Operations {
			if p, ok := o.(operation.Post); ok && p.Name != "" {
				p.Access = access.Authenticated
				g.Operations[i] = p
			}
		}
	}, func(c client) {
		c.as("ann", "POST /api/goods/import", `[{"name":"a"},{"name":"b","cost":1}]`).isProblem(403).mentions(`"field":"[1]"`, "You may not do this with [1].")
		c.as("ann", "POST /api/goods/keep", `{"name":"b","cost":1}`).isProblem(403).mentions("You may not do this.")
		c.as("ann", "POST /api/goods/import", `[{"name":"a"},{"name":"b","code":"x","count":8}]`).isProblem(403).mentions(`"field":"[1].code"`)
		c.send("POST /api/goods/import", `[{"name":"a"}]`).isProblem(401)
		c.as("root", "GET /api/goods", "").has("X-Total-Count", "0")
		c.as("ann", "POST /api/goods/import", `[{"name":"a"},{"name":"b","code":"x"}]`).hasStatus(200)
		c.as("root", "POST /api/goods/import", `[{"name":"c","cost":1,"code":"y","count":8}]`).hasStatus(200)
	})
}

func TestSaveOfWhatNobodyIsSaidToCreateFails(t *testing.T) {
	t.Parallel()
	config := resource.Config{Authentication: []access.Scheme{bearer()}}
	onCreating(t, config, func(g *resource.Of[Good]) {
		g.Access = access.Rules{Read: access.Public}
		g.Operations = []operation.Operation{operation.Get{}, operation.Post{
			Name: "keep", URITemplate: "/goods/keep", Access: access.Authenticated,
			Handler: g.Operations[len(g.Operations)-1].Metadata().Handler,
		}}
	}, func(c client) { c.as("ann", "POST /api/goods/keep", `{"name":"b"}`).isProblem(500) })
}

func TestSaveIsOfARequest(t *testing.T) {
	t.Parallel()
	var kept operation.CreateOf[Good]
	c := newClient(t, resource.Config{}, resource.Of[Good]{Operations: append(operation.Standard(),
		operation.Post{Name: "keep", URITemplate: "/goods/keep", Handler: operation.Handle(
			func(_ context.Context, _ *Good, in operation.CreateOf[Good]) (struct{}, error) { kept = in; return struct{}{}, nil })})},
		resource.Of[Berth]{})
	c.send("POST /api/goods/keep", `{"name":"b"}`).hasStatus(204)
	for _, late := range []operation.CreateOf[Good]{kept, {Record: &Good{Name: "c"}}} {
		if saved, err := late.Save(t.Context()); err == nil {
			t.Errorf("%+v is saved", saved)
		}
	}
	if _, err := (operation.PatchOf[Good]{}).Save(t.Context()); err == nil {
		t.Error("nothing is saved, without an error")
	}
	c.send("GET /api/goods", "").is(200, `[]`)
}
