package nested_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestALongListCostsNoMoreThanTheBody(t *testing.T) {
	t.Parallel()
	alike(t, resource.Config{MaxNested: 3, MaxEmbedded: 5}, orders(), lines(), func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/orders", `{"number":"A1"}`).HasStatus(201)
		for range 7 {
			c.Send("POST /api/lines", `{"order":"/api/orders/1","product":"tea"}`).HasStatus(201)
		}
		c.Send("PATCH /api/orders/1", `{"number":"B1"}`).Is(200, `{"id":1,"number":"B1","status":"open","version":2,"lines":"/api/orders/1/lines"}`)
		c.Send("PUT /api/orders/1", `{"number":"B2","lines":"/api/orders/1/lines"}`).HasStatus(200).Lacks("_embedded")
		for _, body := range []string{`{"lines":[]}`, `{"lines":[{"id":1},{"id":2},{"id":3}]}`, `{"lines":[{"product":"cup"}]}`} {
			c.Send("PATCH /api/orders/1", body).IsInvalid("lines", "lines must not omit more than 3 records; delete others first")
		}
		c.Send("DELETE /api/lines/4", "").HasStatus(204)
		c.Send("PATCH /api/orders/1", `{"lines":[{"id":1},{"id":2},{"id":7,"product":"cup"}]}`).HasStatus(200).Mentions("cup", "_embedded")
		c.Send("PATCH /api/orders/1", `{"lines":[]}`).HasStatus(200).Mentions(`"_embedded":{"lines":[]}`)
	})
}

// Part is in two lists of orders.
type Part struct {
	ID    int64  `json:"id"`
	Order int64  `json:"order" api:"ref=Order,filter"`
	Gift  *int64 `json:"gift" api:"ref=Order,filter"`
	Name  string `json:"name" validate:"notblank"`
}

func TestARecordIsInOnePlaceOfABody(t *testing.T) {
	t.Parallel()
	nested := []string{"parts", "gifts"}
	ofOrders := resource.Of[Order]{Inverse: map[string]string{"parts": "Part.order", "gifts": "Part.gift"}, Operations: []operation.Operation{
		operation.Get{}, operation.Post{}, operation.Put{Nested: nested}, operation.Patch{Nested: nested},
	}}
	parts := resource.Of[Part]{Operations: append(operation.Standard(),
		operation.GetCollection{URITemplate: "/orders/{order}/parts"}, operation.GetCollection{Name: "gifts", URITemplate: "/orders/{gift}/gifts"})}
	alike(t, resource.Config{}, ofOrders, parts, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/orders", `{"number":"A1"}`).HasStatus(201)
		for i := range 3 {
			c.Send("POST /api/parts", fmt.Sprintf(`{"order":"/api/orders/1","gift":"/api/orders/1","name":"p%d"}`, i)).HasStatus(201)
		}
		before := c.Send("GET /api/parts", "").Body
		for _, method := range []string{"PUT", "PATCH"} {
			change := method + " /api/orders/1"
			c.Send(change, `{"number":"A2","parts":[{"id":1},{"id":2},{"id":3,"name":"x"}],"gifts":[{"id":2},{"id":3,"name":"y"},{"id":3}]}`).
				IsInvalid("parts[0].id", "id names a record that this request deletes, because it is not in gifts",
					"gifts[0].id", "id is a duplicate", "gifts[1].id", "id is a duplicate", "gifts[2].id", "id is a duplicate")
			c.Send(change, `{"number":"A2","parts":[{"id":1}],"gifts":[{"id":1},{"id":2,"name":"x"}]}`).
				IsInvalid("gifts[0].id", "id is a duplicate", "gifts[1].id", "id names a record that this request deletes, because it is not in parts")
		}
		c.Send("GET /api/parts", "").Is(200, before)
		c.Send("PATCH /api/orders/1", `{"parts":[],"gifts":[]}`).HasStatus(200)
		c.Send("GET /api/parts", "").Is(200, "[]")
	})
}

func TestANewIdentifierIsOnceInAList(t *testing.T) {
	t.Parallel()
	type Tag struct {
		Code  string `json:"code" api:"id"`
		Order int64  `json:"order" api:"ref=Order,filter"`
		Note  string `json:"note"`
	}
	nested := []string{"tags"}
	ofOrders := resource.Of[Order]{Inverse: map[string]string{"tags": "Tag.order"}, Operations: []operation.Operation{
		operation.Get{}, operation.Post{Nested: nested}, operation.Patch{Nested: nested},
	}}
	tags := resource.Of[Tag]{Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/orders/{order}/tags"})}
	alike(t, resource.Config{}, ofOrders, tags, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/orders", `{"number":"A1"}`).HasStatus(201)
		c.Send("POST /api/orders", `{"number":"A2","tags":[{"code":"a"},{"code":"a","note":"x"}]}`).HasStatus(409).Mentions("tags[1].code")
		c.Send("PATCH /api/orders/1", `{"tags":[{"code":"a"},{"code":"a","note":"x"}]}`).IsInvalid("tags[1].code", "code is a duplicate")
		c.Send("GET /api/tags", "").Is(200, "[]")
	})
}

func TestRecordsWithAPreconditionAreNotSavedWithoutOne(t *testing.T) {
	t.Parallel()
	ofLines := lines()
	ofLines.RequirePrecondition = true
	_, err := resource.New(resource.Config{}, orders(), ofLines)
	const want = `Order: patchOrder: Nested has "lines", but Line has no Patch without Handler, Input, Nested and RequirePrecondition; add one to its Operations`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("New returned %v, want %s", err, want)
	}
}
