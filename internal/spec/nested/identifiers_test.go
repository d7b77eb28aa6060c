package nested_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Crate has an identifier that clients choose.
type Crate struct {
	Code  string `json:"code" api:"id" validate:"notblank"`
	Label string `json:"label"`
}

// Slot is identified by its crate and a number.
type Slot struct {
	Crate  string `json:"crate" api:"id,ref=Crate,filter"`
	Number int64  `json:"number" api:"id"`
	Bottle string `json:"bottle" validate:"notblank"`
}

func TestIdentifiersOfSeveralFieldsHaveTheParent(t *testing.T) {
	t.Parallel()
	nested := []string{"slots"}
	crates := resource.Of[Crate]{Inverse: map[string]string{"slots": "Slot.crate"}, Operations: []operation.Operation{
		operation.Get{}, operation.Post{Nested: nested}, operation.Put{Nested: nested, AllowCreate: true}, operation.Delete{},
	}}
	slots := resource.Of[Slot]{Path: "/crates/{crate}/slots", Operations: []operation.Operation{
		operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Patch{}, operation.Delete{},
	}}
	alike(t, resource.Config{References: resource.Identifiers}, crates, slots, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/crates", `{"code":"a","label":"x","slots":[{"number":1,"bottle":"gin"},{"number":2,"bottle":"rum","crate":"b"}]}`).HasStatus(201)
		c.Send("PUT /api/crates/b", `{"code":"b","slots":[{"number":1,"bottle":"rye"}]}`).HasStatus(201).Mentions("rye")
		c.Send("PUT /api/crates/a", `{"slots":[{"number":3,"bottle":"ale"},{"number":1,"bottle":"port"}]}`).HasStatus(200)
		c.Send("GET /api/crates/a/slots", "").
			Is(200, `[{"crate":"a","number":1,"bottle":"port"},{"crate":"a","number":3,"bottle":"ale"}]`)
		c.Send("GET /api/crates/b/slots", "").Is(200, `[{"crate":"b","number":1,"bottle":"rye"}]`)
		c.Send("PUT /api/crates/a", `{"slots":[{"number":4}]}`).HasStatus(400).Mentions(`"slots[0].bottle":"bottle is required"`)
		c.Send("POST /api/crates", `{"code":"c","slots":[{"number":1,"bottle":"gin"},{"number":1,"bottle":"rum"}]}`).HasStatus(409)
		c.Send("GET /api/crates/c", "").HasStatus(404)
	})
}

// Tag has a name that clients choose, and which no other tag has.
type Tag struct {
	Name string `json:"name" api:"id" validate:"notblank"`
	On   *int64 `json:"on" api:"ref=Order,filter"`
	Size int    `json:"size"`
}

func TestARecordWithAChosenIdentifierIsCreatedUnlessTheListHasIt(t *testing.T) {
	t.Parallel()
	ofOrders := orders()
	ofOrders.Inverse = map[string]string{"lines": "Tag.on"}
	isSmall := access.Named("small", access.Where("size", 1, 2))
	tags := resource.Of[Tag]{Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.GetCollection{URITemplate: "/orders/{on}/tags"},
		operation.Post{},
		operation.Post{Name: "own", URITemplate: "/orders/{on}/tags"},
		operation.Put{When: isSmall},
		operation.Delete{When: isSmall},
	}}
	alike(t, resource.Config{}, ofOrders, tags, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/tags", `{"name":"free"}`).HasStatus(201)
		c.Send("POST /api/orders", `{"number":"A1","lines":[{"name":"a","size":1},{"name":"b","size":3}]}`).HasStatus(201)
		c.Send("PATCH /api/orders/1", `{"lines":[{"name":"c"},{"name":"free"},{"name":"b"}]}`).
			Is(409, `{"type":"about:blank","title":"Conflict","status":409,"detail":"The tag at lines[2] must meet this condition: small."}`)
		c.Send("PATCH /api/orders/1", `{"lines":[{"name":"a"}]}`).
			Is(409, `{"type":"about:blank","title":"Conflict","status":409,"detail":"The tag at lines must meet this condition: small."}`)
		c.Send("POST /api/orders", `{"number":"A2","lines":[{"name":"z"},{"name":"free"}]}`).
			Is(409, `{"type":"about:blank","title":"Conflict","status":409,"detail":"name is already in use.","field":"lines[1].name"}`)
		c.Send("POST /api/orders", `{"number":"A2","lines":[{"size":1}]}`).HasStatus(400).Mentions(`"lines[0].name":"name is required"`)
		c.Send("GET /api/tags", "").Is(200, `[{"name":"a","on":"/api/orders/1","size":1},{"name":"b","on":"/api/orders/1","size":3},{"name":"free","on":null,"size":0}]`)
	})
}

// Topic is below another one, of the same resource.
type Topic struct {
	ID    int64  `json:"id"`
	Above *int64 `json:"above" api:"ref=Topic,filter,ondelete=cascade"`
	Name  string `json:"name" validate:"notblank"`
	Note  string `json:"note"`
}

func TestAListCanHaveRecordsOfTheSameResource(t *testing.T) {
	t.Parallel()
	nested, replaces := []string{"below"}, map[string]any{"standard_put": true}
	topics := resource.Of[Topic]{Inverse: map[string]string{"below": "Topic.above"}, Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.GetCollection{URITemplate: "/topics/{above}/below"},
		operation.Post{Name: "tree", Nested: nested},
		operation.Put{Nested: nested, ExtraProperties: replaces},
		operation.Post{Name: "add", URITemplate: "/topics/{above}/below"},
		operation.Put{Name: "one", URITemplate: "/topics/{id}/one", ExtraProperties: replaces},
		operation.Delete{},
	}}
	forum := resource.Of[Order]{}
	alike(t, resource.Config{}, forum, topics, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/topics", `{"name":"Go","below":[{"name":"maps","note":"x"},{"name":"lists"}]}`).HasStatus(201)
		// A Put that replaces resets what an element omits.
		c.Send("PUT /api/topics/1", `{"name":"Go","below":[{"id":2,"name":"Maps"},{"name":"funcs"}]}`).HasStatus(200).Is(200, `{"id":1,"above":null,
			"name":"Go","note":"","below":"/api/topics/1/below","_embedded":{"below":[
			{"id":2,"above":"/api/topics/1","name":"Maps","note":"","below":"/api/topics/2/below"},
			{"id":4,"above":"/api/topics/1","name":"funcs","note":"","below":"/api/topics/4/below"}]}}`)
		c.Send("PUT /api/topics/1", `{"name":"Go","below":[{"id":1,"name":"Go"}]}`).HasStatus(400)
		c.Send("GET /api/topics", "").HasStatus(200).Lacks("lists")
	})
}

// alone is a store whose transactions no other store joins.
type alone struct{ store.Store[Order] }

func TestMistakesOfNestedAreReported(t *testing.T) {
	t.Parallel()
	type Box struct {
		ID    int64   `json:"id"`
		Order int64   `json:"order" api:"ref=Order,filter"`
		Many  []int64 `json:"many" validate:"max=9" api:"ref=Order,filter"`
	}
	below := operation.GetCollection{URITemplate: "/orders/{order}/boxes"}
	many := operation.GetCollection{Name: "many", URITemplate: "/orders/{many}/boxes/many"}
	full := append(operation.Standard(), below, many)
	for _, test := range []struct {
		op    operation.Operation
		boxes []operation.Operation
		want  string
	}{
		{operation.Post{Nested: []string{"boxs"}}, full, `Order: operation 2 (Post): Nested has "boxs", which is not in Inverse of the resource; did you mean "boxes"?`},
		{operation.Post{Nested: []string{"boxes", "boxes"}}, full, `Order: operation 2 (Post): Nested has "boxes" twice`},
		{operation.Delete{Nested: []string{"boxes"}}, full, `Order: operation 2 (Delete): Nested is only for a Post, Put or Patch without a Handler`},
		{
			operation.Patch{Nested: []string{"each"}},
			full,
			`Order: operation 2 (Patch): Nested has "each", but Box.many is a list of references, so a record can be in several lists; use a reference to one record`,
		},
		{
			operation.Patch{Nested: []string{"boxes"}},
			[]operation.Operation{operation.Post{}, operation.Put{}, below, many},
			`Order: patchOrder: Nested has "boxes", but Box has no Delete without Handler, Input, Nested and RequirePrecondition; add one to its Operations`,
		},
		{
			operation.Put{Nested: []string{"boxes"}},
			[]operation.Operation{operation.Post{}, operation.Delete{}, below, many},
			`Order: updateOrder: Nested has "boxes", but Box has no Put without Handler, Input, Nested and RequirePrecondition; add one to its Operations`,
		},
	} {
		_, err := resource.New(resource.Config{},
			resource.Of[Order]{Inverse: map[string]string{"boxes": "Box.order", "each": "Box.many"}, Operations: []operation.Operation{operation.Get{}, test.op}},
			resource.Of[Box]{Operations: test.boxes})
		if err == nil || err.Error() != test.want {
			t.Errorf("New returned %v, want %s", err, test.want)
		}
	}
	ofOrders := orders()
	ofOrders.Store = alone{memory.New[Order]()}
	_, err := resource.New(resource.Config{MaxNested: -1}, ofOrders, lines())
	for _, want := range []string{
		"Config: MaxNested is -1; allowed: a positive number of records up to 10,000, or 0 for 100",
		`Order: createOrder: Nested has "lines", but the stores of Order and Line cannot save together; ` +
			"keep both in memory or in one database, and implement store.Joiner in wrappers",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New returned %v, want %s", err, want)
		}
	}
}
