package views_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Part is stored in another form than clients know it.
type Part struct {
	ID    int64  `json:"id" api:"id"`
	Name  string `json:"name" validate:"max=10" api:"filter,sort"`
	Cents int    `json:"cents" validate:"gte=0" api:"filter=range"`
	Audit string `json:"audit"`
}

// Label is a part as clients know it.
type Label struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank"`
	Euros int    `json:"euros" default:"1"`
}

var (
	labelOf = operation.Output(func(_ context.Context, p *Part) (Label, error) {
		if p.Name == "broken" {
			return Label{}, errors.New("no label")
		}
		return Label{p.ID, p.Name, p.Cents / 100}, nil
	})
	partOf = operation.InputOf(
		func(p *Part) Label { return Label{p.ID, p.Name, p.Cents / 100} },
		func(_ context.Context, in Label, p *Part) error {
			if in.Title == "taken" {
				return validation.Fail("title", "title is taken")
			}
			p.Name, p.Cents = in.Title, in.Euros*100
			return nil
		})
)

func TestAResourceHasAnotherTypeForClients(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, parts store.Store[Part]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Part]{Store: parts, Output: labelOf, Input: partOf, SparseFields: true, Idempotency: 1e12})
		created := c.Send("POST /api/parts", `{"title":"bolt"}`, "Idempotency-Key", "k").Is(201, `{"id":1,"title":"bolt","euros":1}`).Has("Location", "/api/parts/1")
		c.Send("POST /api/parts", `{"title":"bolt"}`, "Idempotency-Key", "k").Is(201, `{"id":1,"title":"bolt","euros":1}`)
		tag := c.Send("GET /api/parts/1", "").Is(200, `{"id":1,"title":"bolt","euros":1}`).Header.Get("ETag")
		if tag != created.Header.Get("ETag") {
			t.Errorf("the tag of a new record is %s, that of the Get behind it %s", created.Header.Get("ETag"), tag)
		}
		c.Send("GET /api/parts/1", "", "If-None-Match", tag).HasStatus(304)
		c.Send("PATCH /api/parts/1", `{}`, "If-Match", tag).Is(200, `{"id":1,"title":"bolt","euros":1}`).Has("ETag", tag)
		changed := c.Send("PATCH /api/parts/1", `{"euros":3}`, "If-Match", tag).Is(200, `{"id":1,"title":"bolt","euros":3}`).Has("Content-Location", "/api/parts/1")
		c.Send("PUT /api/parts/1", `{"title":"nut"}`, "If-Match", tag).HasStatus(412)
		c.Send("PUT /api/parts/1", `{"title":"nut"}`, "If-Match", changed.Header.Get("ETag")).Is(200, `{"id":1,"title":"nut","euros":3}`)
		c.Send("POST /api/parts", `{"title":"axle","euros":9}`).HasStatus(201)
		c.Send("GET /api/parts?sort=name", "").Is(200, `[{"id":2,"title":"axle","euros":9},{"id":1,"title":"nut","euros":3}]`)
		c.Send("GET /api/parts?cents[gt]=500", "").Is(200, `[{"id":2,"title":"axle","euros":9}]`)
		c.Send("GET /api/parts?euros=9", "").HasStatus(400)
		c.Send("GET /api/parts?fields=title", "").Is(200, `[{"id":1,"title":"nut"},{"id":2,"title":"axle"}]`)
		c.Send("GET /api/parts?fields=cents", "").HasStatus(400)
		c.Send("GET /api/parts.ndjson?fields=title&sort=name", "").Mentions(`{"id":2,"title":"axle"}`)
		c.Send("PATCH /api/parts/2", `{"name":"x"}`).HasStatus(400).Mentions("name")
		c.Send("DELETE /api/parts/2", "").HasStatus(204)
	})
}

func TestTheRulesOfAnInputComeBeforeThoseOfTheRecord(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Part]{Output: labelOf, Input: partOf})
	c.Send("POST /api/parts", `{"title":" ","euros":-3}`).HasStatus(400).Mentions("title").Lacks("cents")
	c.Send("POST /api/parts", `{"title":"a name that is too long","euros":-3}`).HasStatus(400).Mentions(`"name"`, `"cents"`)
	c.Send("POST /api/parts", `{"title":"taken","euros":1}`).HasStatus(400).Mentions("title is taken")
	c.Send("POST /api/parts", `{"euros":"x"}`).HasStatus(400).Mentions("title", "euros")
	c.Send("GET /api/parts", "").Is(200, `[]`)
}

func TestOneOperationHasItsOwnTypes(t *testing.T) {
	t.Parallel()
	type Rename struct {
		Name string `json:"name" validate:"notblank"`
	}
	rename := operation.InputOf(func(p *Part) Rename { return Rename{p.Name} },
		func(_ context.Context, in Rename, p *Part) error { p.Name = in.Name; return nil })
	spec.InEachStore(t, func(t *testing.T, parts store.Store[Part]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Part]{Store: parts, Operations: append(operation.Standard(),
			operation.Patch{Name: "rename", URITemplate: "/parts/{id}/rename", Input: rename},
			operation.Put{Name: "over", URITemplate: "/parts/{id}/over", Input: operation.Input(func(_ context.Context, in Rename, p *Part) error {
				p.Name, p.Cents = in.Name, 0
				return nil
			}), ExtraProperties: map[string]any{"standard_put": true}},
			operation.Get{Name: "label", URITemplate: "/parts/{id}/label", Output: labelOf})})
		c.Send("POST /api/parts", `{"name":"bolt","cents":250,"audit":"a"}`).HasStatus(201)
		c.Send("PATCH /api/parts/1/rename", `{}`).Is(200, `{"id":1,"name":"bolt","cents":250,"audit":"a"}`)
		c.Send("PATCH /api/parts/1/rename", `{"name":"nut"}`).Is(200, `{"id":1,"name":"nut","cents":250,"audit":"a"}`)
		c.Send("PATCH /api/parts/1/rename", `{"name":""}`).HasStatus(400)
		c.Send("PATCH /api/parts/1/rename", `{"cents":3}`).HasStatus(400)
		c.Send("GET /api/parts/1/label", "").Is(200, `{"id":1,"title":"nut","euros":2}`)
		c.Send("PUT /api/parts/1/over", `{"name":"cog"}`).Is(200, `{"id":1,"name":"cog","cents":0,"audit":"a"}`)
		c.Send("PUT /api/parts/1/over", `{}`).HasStatus(400)
		c.Send("PUT /api/parts/9/over", `{"name":"cog"}`).HasStatus(404)
	})
}

func TestAnOutputThatFails(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, parts store.Store[Part]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Part]{Store: parts, Operations: []operation.Operation{
			operation.Get{Output: labelOf},
			operation.GetCollection{Output: labelOf},
			operation.Post{Output: labelOf},
			operation.Post{Name: "raw", URITemplate: "/raw"},
		}})
		c.Send("POST /api/raw", `{"name":"broken"}`).HasStatus(201)
		c.Send("POST /api/parts", `{"name":"bolt"}`).HasStatus(201)
		c.Send("GET /api/parts", "").Is(200, `[{"id":2,"title":"bolt","euros":0}]`)
		c.Send("GET /api/parts/1", "").HasStatus(500).Lacks("no label")
		c.Send("POST /api/parts", `{"name":"broken"}`).HasStatus(500)
		c.Send("GET /api/parts?cents[gte]=0", "").Has("X-Total-Count", "2") // nothing of it is saved
	})
}

func TestAnOutputSeesWhatTheCallerMaySee(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Part]{Output: labelOf, Input: partOf, Access: spec.OpenBut(map[string]access.Field{
		"cents": {Read: access.Authenticated, Write: access.Authenticated},
	})})
	c.Send("POST /api/parts", `{"title":"bolt","euros":3}`).HasStatus(403)
	c.Send("POST /api/parts", `{"title":"bolt","euros":0}`).Is(201, `{"id":1,"title":"bolt","euros":0}`)
	c.Send("PATCH /api/parts/1", `{"title":"nut"}`).Is(200, `{"id":1,"title":"nut","euros":0}`)
	c.Send("PATCH /api/parts/1", `{"euros":7}`).HasStatus(403)
}

func TestAPutCreatesByAnInput(t *testing.T) {
	t.Parallel()
	type Tag struct {
		Line string `json:"line" validate:"notblank"`
	}
	in := operation.InputOf(func(p *spec.Programmer) Tag { return Tag{p.TagLine} },
		func(_ context.Context, in Tag, p *spec.Programmer) error { p.TagLine = in.Line; return nil })
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{Input: in, Operations: []operation.Operation{operation.Get{}, operation.Put{AllowCreate: true}}})
	c.Send("PUT /api/programmers/ann", `{}`).HasStatus(400)
	c.Send("PUT /api/programmers/ann", `{"line":"x"}`).Is(201, `{"nickname":"ann","avatarNumber":0,"tagLine":"x","userId":0}`)
	c.Send("PUT /api/programmers/ann", `{}`).Is(200, `{"nickname":"ann","avatarNumber":0,"tagLine":"x","userId":0}`)
}

func TestMistakesInTypesForClientsAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	noFill := operation.Input(func(context.Context, Label, *Part) error { return nil })
	for rule, test := range map[string]struct {
		of   resource.Of[Part]
		want string
	}{
		"a Patch without fill":             {resource.Of[Part]{Operations: []operation.Operation{operation.Patch{Input: noFill}}}, "operation 1 (Patch): Input cannot keep fields that the body omits; make it with operation.InputOf"},
		"a Put that updates, without fill": {resource.Of[Part]{Input: noFill, Operations: []operation.Operation{operation.Put{}}}, "operation 1 (Put): Input cannot keep fields that the body omits; make it with operation.InputOf"},
		"a nil function":                   {resource.Of[Part]{Output: operation.Output[Part, Label](nil)}, "Part: the function of Output is nil"},
		"another record":                   {resource.Of[Part]{Output: operation.Output(func(context.Context, *Ware) (Label, error) { return Label{}, nil })}, "the function of Output takes views_test.Ware, but records are views_test.Part"},
		"no struct":                        {resource.Of[Part]{Output: operation.Output(func(context.Context, *Part) (int, error) { return 0, nil })}, "Output (int): must be a struct"},
		"a View as well":                   {resource.Of[Part]{Output: labelOf, View: &operation.View{Name: "C", Fields: []string{"id"}}}, "Part: View and Output exclude each other; remove one, or set each on the operations that it is for"},
		"a View of an operation":           {resource.Of[Part]{Output: labelOf, Operations: []operation.Operation{operation.Get{View: &operation.View{Name: "C", Fields: []string{"id"}}}}}, "operation 1 (Get): View and Output exclude each other; remove one, or set each on the operations that it is for"},
		"an Input of a Get":                {resource.Of[Part]{Operations: []operation.Operation{operation.Get{Input: noFill}}}, "Input is only for a Post, Put or Patch without a Handler"},
		"an Output of a Delete":            {resource.Of[Part]{Operations: []operation.Operation{operation.Delete{Output: labelOf}}}, "Output is only for operations without a Handler that return records"},
	} {
		_, err := resource.New(resource.Config{}, test.of)
		if err == nil || strings.Count(err.Error(), test.want) != 1 {
			t.Errorf("%s: the error is %v, want one with %s", rule, err, test.want)
		}
	}
}
