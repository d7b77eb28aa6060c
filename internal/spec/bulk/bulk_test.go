package bulk_test

import (
	"context"
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

type (
	// Good is what is imported.
	Good struct {
		ID    int64    `json:"id"`
		Name  string   `json:"name" validate:"notblank,max=9" api:"unique"`
		Code  string   `json:"code" api:"createonly"`
		Count int      `json:"count" validate:"omitempty,gte=3" default:"7"`
		Least int      `json:"least" validate:"omitempty,ltefield=Count"`
		Cost  int      `json:"cost"`
		Made  string   `json:"made" api:"readonly"`
		Tags  []string `json:"tags" validate:"max=2,dive,max=3"`
		Berth *int64   `json:"berth" api:"ref=Berth"`
	}
	// Berth is a place for goods.
	Berth struct {
		ID int64 `json:"id"`
	}
	// imported is the response to an import.
	imported struct {
		Count int    `json:"count"`
		First string `json:"first"`
	}
)

// importing declares goods with a bulk import and one of a single good, which keep them in a store.
func importing(goods store.Store[Good]) resource.Of[Good] {
	keep := func(ctx context.Context, list ...operation.CreateOf[Good]) (imported, error) {
		out := imported{Count: len(list)}
		err := goods.Transact(ctx, func(ctx context.Context, tx store.Tx[Good]) error {
			for _, each := range list {
				if each.Record.Name == "bad" {
					return validation.Fail("[1].name", "is bad")
				}
				if out.First = each.Record.Name; out.Count > 5 {
					return operation.Error{Status: 409, Detail: "Too many."}
				}
				each.Record.Made = "here"
				if err := tx.Insert(ctx, each.Record); err != nil {
					return err
				}
			}
			return nil
		})
		return out, err
	}
	return resource.Of[Good]{Store: goods, Operations: append(operation.Standard(),
		operation.Post{Name: "import", URITemplate: "/goods/import", Handler: operation.Handle(
			func(ctx context.Context, _ *Good, in []operation.CreateOf[Good]) (imported, error) {
				return keep(ctx, in...)
			})},
		operation.Post{Name: "keep", URITemplate: "/goods/keep", Handler: operation.Handle(
			func(ctx context.Context, _ *Good, in operation.CreateOf[Good]) (imported, error) {
				return keep(ctx, in)
			})},
	)}
}

// onGoods runs a test on goods in each store, with a berth that there is.
func onGoods(t *testing.T, config resource.Config, check func(c spec.Client)) {
	t.Helper()
	for name, goods := range spec.Stores[Good](t) {
		t.Run(name, func(t *testing.T) {
			good, berth := importing(goods), resource.Of[Berth]{}
			if name != "memory" { // references within one database only
				good.Store = goods
			}
			c := spec.NewClient(t, config, good, berth)
			c.Send("POST /api/berths", `{}`).HasStatus(201)
			check(c)
		})
	}
}

func TestAHandlerTakesAListOfNewRecords(t *testing.T) {
	t.Parallel()
	onGoods(t, resource.Config{}, func(c spec.Client) {
		c.Send("POST /api/goods/import", `[{"name":"a","code":"x","berth":"/api/berths/1"},{"id":9,"name":"b","made":"there","count":4,"tags":["t"]}]`).
			Is(200, `{"count":2,"first":"b"}`)
		c.Send("GET /api/goods", "").Is(200, `[
			{"id":1,"name":"a","code":"x","count":7,"least":0,"cost":0,"made":"here","tags":[],"berth":"/api/berths/1"},
			{"id":2,"name":"b","code":"","count":4,"least":0,"cost":0,"made":"here","tags":["t"],"berth":null}]`)
		c.Send("POST /api/goods/import", `[]`).Is(200, `{"count":0,"first":""}`)
		c.Send("POST /api/goods/keep", `{"name":"c"}`).Is(200, `{"count":1,"first":"c"}`)
		c.Send("GET /api/goods/3", "").HasStatus(200)
	})
}

func TestAllOfAListIsSavedOrNothing(t *testing.T) {
	t.Parallel()
	onGoods(t, resource.Config{}, func(c spec.Client) {
		c.Send("POST /api/goods/import", `[{"name":"a"},{"name":"b"},{"name":"a"}]`).HasStatus(409)
		c.Send("POST /api/goods/import", `[{"name":"a"},{"name":"bad"}]`).IsInvalid("[1].name", "is bad")
		c.Send("POST /api/goods/import", `[{"name":"a"},{"name":" "}]`).IsInvalid("[1].name", "name must not be blank")
		c.Send("POST /api/goods/import", `[{"name":"a"},{"name":"b","cost":1},{},{},{},{}]`).HasStatus(400)
		c.Send("GET /api/goods", "").Is(200, `[]`)
	})
}

func TestErrorsInAListNameTheirPlaces(t *testing.T) {
	t.Parallel()
	const body = `[{"name":"a"},{"name":" ","count":"x","colour":1},{"tags":["long"],"count":0},5,{"name":"b","berth":"/api/berths/9"},{"name":"c","count":4,"least":5}]`
	onGoods(t, resource.Config{}, func(c spec.Client) {
		c.Send("POST /api/goods/import", body).IsInvalid(
			"[1].count", "count must be an integer", "[1].colour", `Unknown field "colour"; allowed: name, code, count, least, cost, tags, berth`,
			"[3]", "[3] must be an object", "[2].name", "name is required", "[1].name", "name must not be blank",
			"[2].count", "count must be at least 3", "[2].tags[0]", "tags[0] must be at most 3 characters long",
			"[4].berth", "berth must be the path of an existing Berth, such as /api/berths/{id} or null",
			"[5].least", "least must be less than or equal to count")
		c.Send("POST /api/goods/import", `{"name":"a"}`).IsProblem(400)
		c.Send("POST /api/goods/import", `[{"name":"a"}] 1`).IsProblem(400)
		c.Send("POST /api/goods/import", ``).IsProblem(400)
		c.Send("POST /api/goods/keep", `[{"name":"a"}]`).IsProblem(400)
		c.Send("POST /api/goods/import", `[`+strings.Repeat(`{},`, 500)+`{}]`).HasStatus(400)
	})
}

func TestMistakesInAListHavePointers(t *testing.T) {
	t.Parallel()
	good, berth := importing(spec.Stores[Good](t)["memory"]), resource.Of[Berth]{}
	good.Errors = validation.Problem
	c := spec.NewClient(t, resource.Config{}, good, berth)
	got := c.Send("POST /api/goods/import", `[{"name":"a"},{"name":" "},{"name":"bad","tags":["long"]}]`).HasStatus(422)
	for _, pointer := range []string{`"pointer":"/1/name"`, `"pointer":"/2/tags/0"`} {
		if !strings.Contains(got.Body, pointer) {
			t.Errorf("%s is not in %s", pointer, got.Body)
		}
	}
}

func TestAListIsReadInEveryFormat(t *testing.T) {
	t.Parallel()
	onGoods(t, resource.Config{Formats: append(format.Standard(), csv.Format)}, func(c spec.Client) {
		c.Send("POST /api/goods/import", "name,count,tags,berth\r\na,4,x y,/api/berths/1\r\nb,,,\r\n", "Content-Type", "text/csv").
			Is(200, `{"count":2,"first":"b"}`)
		c.Send("POST /api/goods/import", "name,count\r\nc,4\r\n,2\r\n", "Content-Type", "text/csv").
			IsInvalid("[1].name", "name must not be blank", "[1].count", "count must be at least 3")
		c.Send("GET /api/goods", "").Has("X-Total-Count", "2")
	})
}

func TestTheLimitsOfBodiesApplyToLists(t *testing.T) {
	t.Parallel()
	good, berth := importing(spec.Stores[Good](t)["memory"]), resource.Of[Berth]{}
	c := spec.NewClient(t, resource.Config{MaxBodyBytes: 200}, good, berth)
	c.Send("POST /api/goods/import", `[`+strings.Repeat(`{"name":"a"},`, 50)+`{}]`).IsProblem(413)
}

func TestAListCannotSetForbiddenFields(t *testing.T) {
	t.Parallel()
	good, berth := importing(spec.Stores[Good](t)["memory"]), resource.Of[Berth]{}
	cheap := access.Where("count", 7)
	good.Access = access.Rules{
		Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
		Fields: map[string]access.Field{"cost": {Write: spec.IsAdmin}, "code": {Write: access.Any(spec.IsAdmin, cheap)}},
	}
	berth.Access = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, good, berth)
	for _, who := range []string{"ann", "root"} {
		status := map[string]int{"ann": 403, "root": 200}[who]
		for i, body := range []string{`[{"name":"%s"},{"name":"%s2","cost":1}]`, `[{"name":"%s3","code":"x","count":3}]`} {
			got := c.Send("POST /api/goods/import", strings.ReplaceAll(body, "%s", who), "Authorization", "Bearer "+who).HasStatus(status)
			if want := []string{"[1].cost", "[0].code"}[i]; status == 403 && !strings.Contains(got.Body, want) {
				t.Errorf("the refusal does not name %s: %s", want, got.Body)
			}
		}
		c.Send("POST /api/goods/import", `[{"name":"`+who+`4","cost":0,"code":"x"}]`, "Authorization", "Bearer "+who).HasStatus(200)
	}
	c.Send("GET /api/goods", "").Has("X-Total-Count", "5")
}

// packet is a body of a handler's own, with references and with rules.
type packet struct {
	To    int64   `json:"to" api:"ref=Berth"`
	Also  []int64 `json:"also" api:"ref=Berth" validate:"max=3"`
	Count int     `json:"count" validate:"gte=1"`
}

func TestAHandlersOwnTypesReferToRecords(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Berth]{Operations: append(operation.Standard(),
		operation.Post{Name: "move", URITemplate: "/berths/move", Handler: operation.Handle(
			func(_ context.Context, _ *Berth, in []packet) ([]packet, error) { return in, nil })})})
	c.Send("POST /api/berths", `{}`).HasStatus(201)
	c.Send("POST /api/berths/move", `[{"to":"/api/berths/1","also":["/api/berths/1"],"count":1}]`).
		Is(200, `[{"to":"/api/berths/1","also":["/api/berths/1"],"count":1}]`)
	c.Send("POST /api/berths/move", `[{"to":"/api/berths/1","count":1},{"to":"/api/berths/2","also":["/api/berths/1","/api/berths/3"],"count":0},{"to":1,"count":1}]`).
		IsInvalid("[1].count", "count must be at least 1", "[1].to", "to must be the path of an existing Berth, such as /api/berths/{id}",
			"[1].also[1]", "also[1] must be the path of an existing Berth, such as /api/berths/{id}",
			"[2].to", "to must be the path of an existing Berth, such as /api/berths/{id}")
}

func TestMistakesInBodiesOfHandlers(t *testing.T) {
	t.Parallel()
	type within struct {
		Items []operation.CreateOf[Berth] `json:"items"`
	}
	type named []packet
	berth := func(h operation.Handler) resource.Declaration {
		return resource.Of[Berth]{Operations: []operation.Operation{operation.Get{}, operation.Post{Name: "move", URITemplate: "/move", Handler: h}}}
	}
	for want, h := range map[string]operation.Handler{
		"In ([]operation.CreateOf[github.com/trove-api/trove/internal/spec/bulk_test.Good]): creates records of bulk_test.Good, which is not a resource; allowed: Berth": operation.Handle(
			func(context.Context, *Berth, []operation.CreateOf[Good]) (struct{}, error) { return struct{}{}, nil }),
		"In (bulk_test.within): operation.CreateOf cannot be nested in another type; use it as In, or a slice of it":          operation.Handle(func(context.Context, *Berth, within) (struct{}, error) { return struct{}{}, nil }),
		`Berth: operation 2 (Post "move"): In (bulk_test.named): a body must be a struct, or an unnamed slice of structs`:     operation.Handle(func(context.Context, *Berth, named) (struct{}, error) { return struct{}{}, nil }),
		`Berth: operation 2 (Post "move"): In ([]*bulk_test.packet): a body must be a struct, or an unnamed slice of structs`: operation.Handle(func(context.Context, *Berth, []*packet) (struct{}, error) { return struct{}{}, nil }),
	} {
		if _, err := resource.New(resource.Config{}, berth(h)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one that says %q", err, want)
		}
	}
}

func TestAnImportIsDocumentedByTheSchemaOfTheResource(t *testing.T) {
	t.Parallel()
	good, berth := importing(spec.Stores[Good](t)["memory"]), resource.Of[Berth]{}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format)}, good, berth)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{Title: "Goods", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	body := doc.Paths.Value("/api/goods/import").Post.RequestBody.Value.Content["application/json"]
	if of := body.Schema.Value; !of.Type.Is("array") || of.Items.Ref != "#/components/schemas/GoodCreate" {
		t.Errorf("the body is of %+v", of)
	}
	if one := doc.Paths.Value("/api/goods/keep").Post.RequestBody.Value.Content["application/json"].Schema.Ref; one != "#/components/schemas/GoodCreate" {
		t.Errorf("the body of one is of %s", one)
	}
}
