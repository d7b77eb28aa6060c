package bulk_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// updated is the response to a bulk update.
type updated struct {
	Count   int      `json:"count"`
	Members []string `json:"members"`
	From    int      `json:"from"`
}

// changing declares goods with a bulk update, an update of one, and one of the record that the path names.
func changing(goods store.Store[Good]) resource.Of[Good] {
	save := func(ctx context.Context, list ...operation.PatchOf[Good]) (updated, error) {
		out := updated{Count: len(list)}
		for _, each := range list {
			out.Members, out.From = append(out.Members, each.Fields...), each.Previous.Count
			if each.Has("made") {
				each.Record.Made = "by a client"
			}
			if _, err := each.Save(ctx); err != nil {
				return out, err
			}
			if each.Record.Name == "bad" {
				return out, validation.Fail("[1].name", "is bad")
			}
		}
		return out, nil
	}
	return resource.Of[Good]{Store: goods, Operations: append(operation.Standard(),
		operation.Patch{Name: "change", URITemplate: "/goods", Handler: operation.Handle(
			func(ctx context.Context, _ *Good, in []operation.PatchOf[Good]) (updated, error) {
				return save(ctx, in...)
			})},
		operation.Post{Name: "changeOne", URITemplate: "/goods/change", Handler: operation.Handle(
			func(ctx context.Context, _ *Good, in operation.PatchOf[Good]) (updated, error) { return save(ctx, in) })},
		operation.Post{Name: "adjust", URITemplate: "/goods/{id}/adjust", Handler: operation.Handle(
			func(ctx context.Context, g *Good, in operation.PatchOf[Good]) (*Good, error) {
				if _, err := in.Save(ctx); err != nil {
					return nil, err
				}
				return g, nil
			})},
	)}
}

// onChanging runs a test on two goods in each store.
func onChanging(t *testing.T, config resource.Config, change func(*resource.Of[Good]), check func(c spec.Client)) {
	t.Helper()
	for name, goods := range spec.Stores[Good](t) {
		t.Run(name, func(t *testing.T) {
			good := changing(goods)
			if name == "memory" { // references within one database only
				good.Store = nil
			}
			good.Access = spec.Open()
			change(&good)
			c := spec.NewClient(t, config, good, resource.Of[Berth]{Access: spec.Open()})
			c.As("root", "POST /api/berths", `{}`).HasStatus(201)
			c.As("root", "POST /api/goods", `{"name":"a","code":"x","berth":"/api/berths/1"}`).HasStatus(201)
			c.As("root", "POST /api/goods", `{"name":"b","count":4,"tags":["t"]}`).HasStatus(201)
			check(c)
		})
	}
}

func asIs(*resource.Of[Good]) {}

func TestAHandlerTakesAListOfPatches(t *testing.T) {
	t.Parallel()
	onChanging(t, resource.Config{}, asIs, func(c spec.Client) {
		c.Send("PATCH /api/goods", `[{"id":2,"count":9,"berth":"/api/berths/1"},{"name":"c","id":1,"berth":null,"made":"m"}]`).
			Is(200, `{"count":2,"members":["id","count","berth","name","id","berth","made"],"from":7}`)
		c.Send("GET /api/goods", "").Is(200, `[
			{"id":1,"name":"c","code":"x","count":7,"least":0,"cost":0,"made":"by a client","tags":[],"berth":null},
			{"id":2,"name":"b","code":"","count":9,"least":0,"cost":0,"made":"","tags":["t"],"berth":"/api/berths/1"}]`)
		c.Send("PATCH /api/goods", `[]`).Is(200, `{"count":0,"members":[],"from":0}`)
		c.Send("POST /api/goods/change", `{"id":2,"tags":[]}`).Is(200, `{"count":1,"members":["id","tags"],"from":9}`)
		c.Send("GET /api/goods/2", "").Mentions(`"tags":[]`)
	})
}

func TestAPatchOfTheRecordInThePathNeedsNoIdentifier(t *testing.T) {
	t.Parallel()
	onChanging(t, resource.Config{}, asIs, func(c spec.Client) {
		got := c.Send("POST /api/goods/2/adjust", `{"count":5}`)
		got.Is(200, `{"id":2,"name":"b","code":"","count":5,"least":0,"cost":0,"made":"","tags":["t"],"berth":null}`)
		c.Send("GET /api/goods/2", "").Is(200, got.Body).Has("ETag", got.Header.Get("ETag"))
		c.Send("POST /api/goods/2/adjust", `{"count":1}`).IsInvalid("count", "count must be at least 3")
		c.Send("POST /api/goods/2/adjust", `{"count":6}`, "If-Match", `"other"`).IsProblem(412)
		c.Send("POST /api/goods/9/adjust", `{"count":6}`).IsProblem(404)
		c.Send("GET /api/goods/2", "").Is(200, got.Body)
	})
}

func TestErrorsInAListOfPatchesNameTheirPlaces(t *testing.T) {
	t.Parallel()
	const body = `[{"id":1,"name":" ","count":"x","colour":1},{"id":2,"tags":["long"],"count":0},5,{"id":9,"name":"z"},{"name":"b"},{"id":1,"name":"z"},
		{"id":"x"},{"id":null},{"id":3}]`
	onChanging(t, resource.Config{}, asIs, func(c spec.Client) {
		c.Send("POST /api/goods", `{"name":"c","count":4}`).HasStatus(201)
		c.Send("PATCH /api/goods", body).IsInvalid(
			"[0].count", "count must be an integer", "[0].colour", `Unknown field "colour"; allowed: id, name, code, count, least, cost, tags, berth`,
			"[0].name", "name must not be blank", "[1].count", "count must be at least 3", "[1].tags[0]", "tags[0] must be at most 3 characters long",
			"[2]", "[2] must be an object", "[3].id", "id must be the identifier of an existing Good", "[4].id", "id is required",
			"[5].id", "id is a duplicate", "[6].id", "id must be an integer", "[7].id", "id is required")
		c.Send("PATCH /api/goods", `[{"id":1,"least":5,"count":4},{"id":2,"berth":"/api/berths/9","code":"y"}]`).IsInvalid(
			"[0].least", "least must be less than or equal to count",
			"[1].code", "code cannot be changed after creation",
			"[1].berth", "berth must be the path of an existing Berth, such as /api/berths/{id} or null")
		for _, body := range []string{`{"id":1}`, ``, `[{"id":1},]`, `[{"id":1}] 1`, `[{"id":1,"id":1}]`, `[`} {
			c.Send("PATCH /api/goods", body).IsProblem(400)
		}
		c.Send("POST /api/goods/change", `[{"id":1}]`).IsProblem(400)
		c.Send("POST /api/goods/change", `{}`).IsInvalid("id", "id is required")
		c.Send("POST /api/goods/change", `{"id":9}`).IsInvalid("id", "id must be the identifier of an existing Good")
		c.Send("PATCH /api/goods", `[`+strings.Repeat(`{"id":1},`, 500)+`{"id":1}]`).HasStatus(400)
	})
}

func TestAllPatchesOfAListAreSavedOrNone(t *testing.T) {
	t.Parallel()
	onChanging(t, resource.Config{}, asIs, func(c spec.Client) {
		before := c.Send("GET /api/goods", "").HasStatus(200)
		c.Send("PATCH /api/goods", `[{"id":1,"count":9},{"id":2,"name":"a"}]`).IsProblem(409).Mentions(`"field":"[1].name"`)
		c.Send("PATCH /api/goods", `[{"id":1,"count":9},{"id":2,"name":"bad"}]`).IsInvalid("[1].name", "is bad")
		c.Send("GET /api/goods", "").Is(200, before.Body)
	})
}

func TestSaveDoesWhatAPatchDoes(t *testing.T) {
	t.Parallel()
	var kinds []operation.Kind
	var processed []string
	onChanging(t, resource.Config{}, func(g *resource.Of[Good]) {
		g.Prepare = func(_ context.Context, req *operation.Request, good *Good) error {
			kinds = append(kinds, req.Kind)
			if good.Cost = good.Count * 2; good.Cost > 50 {
				return validation.Fail("cost", "cost is too high")
			}
			if before, _ := req.Previous.(*Good); req.Kind == operation.KindPatch && before == nil {
				t.Error("Prepare is not told what was there")
			}
			return nil
		}
		g.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, good *Good, save operation.Save[Good]) error {
			processed = append(processed, good.Name)
			return save(ctx, good)
		})
	}, func(c spec.Client) {
		kinds, processed = nil, nil
		c.Send("PATCH /api/goods", `[{"id":1,"count":9},{"id":2,"count":8}]`).HasStatus(200)
		c.Send("GET /api/goods/2", "").Mentions(`"cost":16`)
		c.Send("PATCH /api/goods", `[{"id":1,"count":9},{"id":2,"count":99}]`).IsInvalid("[1].cost", "cost is too high")
		c.Send("GET /api/goods/1", "").Mentions(`"cost":18`)
		if !slices.Equal(kinds, []operation.Kind{operation.KindPatch, operation.KindPatch, operation.KindPatch, operation.KindPatch}) {
			t.Errorf("Prepare ran for %v", kinds)
		}
		if !slices.Equal(processed, []string{"a", "b", "a"}) {
			t.Errorf("the Processor ran for %v", processed)
		}
	})
}

// ruled gives goods rules: a captain may see those that cost less than 100, and change what costs 0.
func ruled(g *resource.Of[Good]) {
	cheap := access.Check("cheap", func(_ context.Context, g *Good) (bool, error) { return g.Cost == 0, nil })
	g.Access = access.Rules{
		Read: access.Any(spec.IsAdmin, access.Where("cost", 0, 7)), Create: access.Any(spec.IsAdmin, access.Where("cost", 0)),
		Update: access.Any(spec.IsAdmin, cheap), Delete: spec.IsAdmin,
		Fields: map[string]access.Field{"code": {Write: spec.IsAdmin}, "tags": {Write: spec.IsAdmin}},
	}
	for i, o := range g.Operations {
		if p, ok := o.(operation.Patch); ok && p.Name != "" {
			p.Access = access.Authenticated
			g.Operations[i] = p
		}
		if p, ok := o.(operation.Post); ok && p.Name != "" && p.Name != "adjust" {
			p.Access = access.Authenticated
			g.Operations[i] = p
		}
	}
}

func TestAListOfPatchesChecksTheRulesOfEachRecord(t *testing.T) {
	t.Parallel()
	config := resource.Config{Authentication: []access.Scheme{spec.Bearer()}}
	onChanging(t, config, ruled, func(c spec.Client) {
		c.As("root", "PATCH /api/goods/2", `{"cost":7}`).HasStatus(200)
		c.As("root", "POST /api/goods", `{"name":"c","cost":100}`).HasStatus(201)
		before := c.As("root", "GET /api/goods", "").HasStatus(200)
		c.Send("PATCH /api/goods", `[{"id":1,"count":9}]`).IsProblem(401)
		c.As("ann", "PATCH /api/goods", `[{"id":1,"count":9},{"id":3,"count":9}]`).IsInvalid("[1].id", "id must be the identifier of an existing Good")
		c.As("ann", "PATCH /api/goods", `[{"id":1,"count":9},{"id":2,"count":"x"}]`).IsProblem(403).Mentions(`"field":"[1]"`)
		c.As("ann", "PATCH /api/goods", `[{"id":1,"count":9,"cost":1}]`).IsProblem(403).Mentions(`"field":"[0]"`) // the new state
		c.As("ann", "PATCH /api/goods", `[{"id":1,"tags":["u"]}]`).IsProblem(403).Mentions(`"field":"[0].tags"`)
		c.As("ann", "POST /api/goods/change", `{"id":2,"count":9}`).IsProblem(403)
		c.As("ann", "POST /api/goods/2/adjust", `{"count":9}`).IsProblem(403)
		c.As("ann", "POST /api/goods/3/adjust", `{"count":9}`).IsProblem(404)
		c.As("ann", "POST /api/goods/1/adjust", `{"cost":9}`).IsProblem(403)
		c.As("root", "GET /api/goods", "").Is(200, before.Body)
		c.As("ann", "PATCH /api/goods", `[{"id":1,"count":9,"tags":[]}]`).HasStatus(200)
		c.As("root", "PATCH /api/goods", `[{"id":3,"cost":0,"tags":["u"]},{"id":2,"count":8}]`).HasStatus(200)
	})
}

func TestPatchesInAListAreReadInCSV(t *testing.T) {
	t.Parallel()
	onChanging(t, resource.Config{Formats: append(format.Standard(), csv.Format)}, asIs, func(c spec.Client) {
		c.Send("PATCH /api/goods", "id,count\r\n1,8\r\n2,9\r\n", "Content-Type", "text/csv").Is(200, `{"count":2,"members":["id","count","id","count"],"from":4}`)
		c.Send("GET /api/goods/2", "").Mentions(`"name":"b"`, `"count":9`)
	})
}

// Slot is named by what its clients say.
type Slot struct {
	Row  string `json:"row" api:"id"`
	Seat int64  `json:"seat" api:"id"`
	Held string `json:"held" validate:"max=5"`
}

func TestPatchesNameRecordsByAllPartsOfTheirIdentifier(t *testing.T) {
	t.Parallel()
	for name, slots := range spec.Stores[Slot](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[Slot]{Store: slots, Operations: append(operation.Standard(),
				operation.Patch{Name: "hold", URITemplate: "/slots", Handler: operation.Handle(
					func(ctx context.Context, _ *Slot, in []operation.PatchOf[Slot]) ([]*Slot, error) {
						var list []*Slot
						for _, each := range in {
							saved, err := each.Save(ctx)
							if err != nil {
								return nil, err
							}
							list = append(list, saved)
						}
						return list, nil
					})})})
			c.Send("POST /api/slots", `{"row":"a","seat":1}`).HasStatus(201)
			c.Send("PATCH /api/slots", `[{"row":"a","seat":1,"held":"ann"}]`).Is(200, `[{"row":"a","seat":1,"held":"ann"}]`)
			c.Send("PATCH /api/slots", `[{"row":"a","seat":2,"held":"ann"},{"row":"a"}]`).
				IsInvalid("[0].row", "row with seat must be the identifier of an existing Slot", "[1].seat", "seat is required")
			c.Send("GET /api/slots/a;1", "").Is(200, `{"row":"a","seat":1,"held":"ann"}`)
		})
	}
}

func TestABulkUpdateIsDocumentedByTheSchemasOfTheResource(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, changing(spec.Stores[Good](t)["memory"]), resource.Of[Berth]{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{Title: "Goods", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	const schemas = "#/components/schemas/"
	list := doc.Paths.Value("/api/goods").Patch.RequestBody.Value.Content["application/merge-patch+json"]
	if of := list.Schema.Value; !of.Type.Is("array") || of.Items.Ref != schemas+"GoodPatchByID" {
		t.Errorf("the body is of %+v", of)
	}
	if one := doc.Paths.Value("/api/goods/change").Post.RequestBody.Value.Content["application/json"].Schema.Ref; one != schemas+"GoodPatchByID" {
		t.Errorf("the body of one is of %s", one)
	}
	if named := doc.Paths.Value("/api/goods/{id}/adjust").Post.RequestBody.Value.Content["application/json"].Schema.Ref; named != schemas+"GoodPatch" {
		t.Errorf("the body of one that the path names is of %s", named)
	}
	of := doc.Components.Schemas["GoodPatchByID"].Value
	if !slices.Equal(of.Required, []string{"id"}) || of.Properties["id"].Value.ReadOnly {
		t.Errorf("it requires %v, and the identifier is %+v", of.Required, of.Properties["id"].Value)
	}
	if got := doc.Components.Schemas["GoodPatch"].Value.Properties["id"].Value; !got.ReadOnly {
		t.Error("the body of a Patch has an identifier")
	}
}

func TestMistakesInHandlersThatPatch(t *testing.T) {
	t.Parallel()
	type within struct {
		Items []operation.PatchOf[Berth] `json:"items"`
	}
	for i, h := range []operation.Handler{
		operation.Handle(func(context.Context, *Berth, []operation.PatchOf[Good]) (struct{}, error) { return struct{}{}, nil }),
		operation.Handle(func(context.Context, *Berth, within) (struct{}, error) { return struct{}{}, nil }),
	} {
		want := []string{"In ([]operation.PatchOf[github.com/trove-api/trove/internal/spec/bulk_test.Good]): changes records of bulk_test.Good, which is not a resource; allowed: Berth", "In (bulk_test.within): operation.PatchOf cannot be nested in another type; use it as In, or a slice of it"}[i]
		_, err := resource.New(resource.Config{}, resource.Of[Berth]{Operations: []operation.Operation{
			operation.Get{}, operation.Post{Name: "move" + strconv.Itoa(i), URITemplate: "/move", Handler: h},
		}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one that says %q", err, want)
		}
	}
	rules := access.Rules{Read: access.Public, Create: access.Public, Delete: access.Public}
	_, err := resource.New(resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Berth]{Access: rules, Operations: []operation.Operation{
		operation.Get{}, operation.Post{Name: "move", URITemplate: "/move", Handler: operation.Handle(
			func(context.Context, *Berth, []operation.PatchOf[Berth]) (struct{}, error) { return struct{}{}, nil })},
	}})
	if err == nil || !strings.Contains(err.Error(), "operation.PatchOf needs an access rule to change records of Berth") {
		t.Errorf("without a rule the error is %v", err)
	}
}
