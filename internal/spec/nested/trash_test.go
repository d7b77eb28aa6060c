package nested_test

import (
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Row is a line with a trash.
type Row struct {
	ID      int64      `json:"id"`
	Order   int64      `json:"order" api:"ref=Order,filter"`
	Product string     `json:"product" validate:"notblank"`
	Deleted *time.Time `json:"deletedAt" api:"deleted"`
}

func TestOmittedRecordsWithATrashAreInIt(t *testing.T) {
	t.Parallel()
	ofOrders := orders()
	ofOrders.Inverse, ofOrders.Access = map[string]string{"lines": "Row.order"}, spec.Open()
	rules := spec.Open()
	rules.Deleted = access.Public
	rows := resource.Of[Row]{Access: rules, History: true, Operations: append(operation.Standard(),
		operation.GetCollection{URITemplate: "/orders/{order}/rows"},
		operation.Post{Name: "restore", URITemplate: "/rows/{id}/restore", Handler: operation.Restore()})}
	alike(t, resource.Config{}, ofOrders, rows, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"tea"},{"product":"cup"}]}`).HasStatus(201)
		c.Send("PATCH /api/orders/1", `{"lines":[{"id":2,"product":"mug"}]}`).HasStatus(200).Mentions("mug").Lacks("tea")
		c.Send("PATCH /api/orders/1", `{"lines":[{"id":1},{"id":2}]}`).HasStatus(400).Mentions("lines[0].id")
		c.Send("GET /api/rows?deleted=only", "").HasStatus(200).Mentions("tea").Lacks("mug")
		c.Send("POST /api/rows/1/restore", "").HasStatus(200)
		c.Send("PATCH /api/orders/1", `{"lines":[{"id":1},{"id":2}]}`).HasStatus(200).Mentions("tea", "mug")
		c.Send("GET /api/rows/2/history", "").HasStatus(200).Mentions(`"operation":"patchOrder"`, `{"from":"cup","to":"mug"}`, `"operation":"createOrder"`)
	})
}
