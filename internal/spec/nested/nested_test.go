package nested_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Order has lines, which are records of their own.
type Order struct {
	ID      int64  `json:"id"`
	Number  string `json:"number" validate:"notblank,max=20" api:"unique"`
	Status  string `json:"status" validate:"oneof=open sent" default:"open"`
	Version int64  `json:"version" api:"version"`
}

// Line is a line of an order.
type Line struct {
	ID       int64  `json:"id"`
	Order    int64  `json:"order" api:"ref=Order,filter,ondelete=cascade"`
	Product  string `json:"product" validate:"notblank,max=20"`
	Quantity int    `json:"quantity" validate:"gte=1,lte=1000" default:"1"`
	Secret   bool   `json:"secret"`
}

// orders declares orders with the lists of their lines.
func orders() resource.Of[Order] {
	nested := []string{"lines"}
	return resource.Of[Order]{Inverse: map[string]string{"lines": "Line.order"}, Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Delete{},
		operation.Post{Nested: nested},
		operation.Put{Nested: nested},
		operation.Patch{Nested: nested},
	}}
}

// lines declares lines with all operations.
func lines() resource.Of[Line] {
	return resource.Of[Line]{Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/orders/{order}/lines"})}
}

// alike runs a test on an API in each store.
func alike[O, L any](t *testing.T, config resource.Config, orders resource.Of[O], lines resource.Of[L], check func(t *testing.T, c spec.Client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		orders.Store, lines.Store = memory.New[O](), memory.New[L]()
		check(t, spec.NewClient(t, config, orders, lines))
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			ofOrders, ofLines := sqlstore.Table[O](db), sqlstore.Table[L](db)
			if err := db.Create(t.Context(), ofOrders, ofLines); err != nil {
				t.Fatal(err)
			}
			orders.Store, lines.Store = ofOrders, ofLines
			check(t, spec.NewClient(t, config, orders, lines))
		})
	}
}

// line is a line in a response.
func line(id, order, product, quantity string) string {
	return `{"id":` + id + `,"order":"/api/orders/` + order + `","product":"` + product + `","quantity":` + quantity + `,"secret":false}`
}

func TestPostCreatesTheRecordsOfItsLists(t *testing.T) {
	t.Parallel()
	alike(t, resource.Config{}, orders(), lines(), func(t *testing.T, c spec.Client) {
		t.Helper()
		both := "[" + line("1", "1", "tea", "2") + "," + line("2", "1", "cup", "1") + "]"
		created := c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"tea","quantity":2},{"product":"cup","order":"/api/orders/9","id":7}]}`).
			Is(201, `{"id":1,"number":"A1","status":"open","version":1,"lines":"/api/orders/1/lines","_embedded":{"lines":`+both+`}}`)
		if created.Header.Get("Location") != "/api/orders/1" || created.Header.Get("Content-Location") != "" {
			t.Errorf("the header is %v, want the Location of the order, and no Content-Location", created.Header)
		}
		for i, body := range []string{`{"number":"A2","lines":[]}`, `{"number":"A3"}`} {
			id := string(rune('2' + i))
			c.Send("POST /api/orders", body).
				Is(201, `{"id":`+id+`,"number":"A`+id+`","status":"open","version":1,"lines":"/api/orders/`+id+`/lines","_embedded":{"lines":[]}}`)
		}
		c.Send("GET /api/orders/1/lines", "").Is(200, both)
	})
}

func TestAListOfPutAndPatchIsTheWholeTruth(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"PUT", "PATCH"} {
		alike(t, resource.Config{}, orders(), lines(), func(t *testing.T, c spec.Client) {
			t.Helper()
			change := method + " /api/orders/1"
			c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"tea"},{"product":"cup"},{"product":"pot"}]}`).HasStatus(201)
			c.Send("POST /api/orders", `{"number":"A2","lines":[{"product":"tea"}]}`).HasStatus(201)
			c.Send(change, `{"number":"B1","lines":"/api/orders/1/lines"}`).Mentions("tea", "cup", "pot")
			c.Send(change, `{"lines":[{"product":"jar","id":0},{"id":2,"quantity":5,"order":"/api/orders/2"},{"id":1}]}`).
				Is(200, `{"id":1,"number":"B1","status":"open","version":3,"lines":"/api/orders/1/lines","_embedded":{"lines":[`+
					line("1", "1", "tea", "1")+","+line("2", "1", "cup", "5")+","+line("5", "1", "jar", "1")+`]}}`)
			c.Send(change, `{"lines":[]}`).HasStatus(200)
			c.Send("GET /api/lines", "").Is(200, "["+line("4", "2", "tea", "1")+"]")
		})
	}
}

func TestErrorsOfListsHaveTheirPlace(t *testing.T) {
	t.Parallel()
	alike(t, resource.Config{MaxNested: 3}, orders(), lines(), func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"tea"}]}`).HasStatus(201)
		c.Send("POST /api/orders", `{"number":"A2","lines":[{"product":"cup"}]}`).HasStatus(201)
		isMissing := `{"lines[0].id":"id must be the identifier of an existing Line"}`
		for _, test := range []struct{ request, body, errors string }{
			{
				"POST /api/orders", `{"number":"","lines":[{"product":"tea"},{"product":" ","quantity":0},{"quantity":"2","colour":1}]}`,
				`{"number":"number must not be blank","lines[1].product":"product must not be blank","lines[1].quantity":"quantity must be at least 1",
				"lines[2].colour":"Unknown field \"colour\"; allowed: product, quantity, secret","lines[2].product":"product is required","lines[2].quantity":"quantity must be an integer"}`,
			},
			{
				"PATCH /api/orders/1", `{"number":"","lines":[{"id":1,"quantity":0},{"product":""}]}`,
				`{"number":"number must not be blank","lines[0].quantity":"quantity must be at least 1","lines[1].product":"product must not be blank"}`,
			},
			{"PATCH /api/orders/1", `{"lines":[{"id":2,"quantity":5}]}`, isMissing}, // a line of another order
			{"PUT /api/orders/1", `{"lines":[{"id":7,"quantity":5}]}`, isMissing},
			{"PATCH /api/orders/1", `{"lines":[{"id":"x"},{"id":1},{"id":1}]}`, `{"lines[0].id":"id must be an integer","lines[2].id":"id is a duplicate"}`},
			{
				"PATCH /api/orders/1", `{"lines":[1,null,[]]}`,
				`{"lines[0]":"lines[0] must be an object","lines[1]":"lines[1] must be an object","lines[2]":"lines[2] must be an object"}`,
			},
			{"POST /api/orders", `{"number":"A3","lines":{"product":"tea"}}`, `{"lines":"lines must be an array"}`},
			{"PUT /api/orders/1", `{"lines":null}`, `{"lines":"lines must be an array"}`},
			{"PUT /api/orders/1", `{"lines":[{},{},{},{}]}`, `{"lines":"lines must have at most 3 elements"}`},
		} {
			c.Send(test.request, test.body).Is(400, `{"type":"validation_error","title":"There was a validation error","errors":`+test.errors+`}`)
		}
		c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"pot"}]}`).
			Is(409, `{"type":"about:blank","title":"Conflict","status":409,"detail":"number is already in use.","field":"number"}`)
		c.Send("GET /api/lines", "").Is(200, "["+line("1", "1", "tea", "1")+","+line("2", "2", "cup", "1")+"]")
	})
}

// Clerk is a caller, who may do what it says.
type Clerk struct{ May []string }

// guarded declares orders for everyone, and lines for clerks who may "create", "update", "delete" and see "secret" ones.
// No one may change a line of an order that is sent.
func guarded() (resource.Config, resource.Of[Order], resource.Of[Line]) {
	may := func(what string) access.Rule {
		return access.If("may "+what, func(c *Clerk) bool { return strings.Contains(strings.Join(c.May, " "), what) })
	}
	config := resource.Config{Authentication: []access.Scheme{
		access.Bearer("token", func(_ context.Context, token string) (*Clerk, access.Scopes, error) {
			return &Clerk{strings.Split(token, "+")}, nil, nil
		}),
	}}
	isOpen := access.Named("of an open order", access.Through("order", access.Where("status", "open")))
	ofOrders, ofLines := orders(), lines()
	ofOrders.Access = spec.Open()
	ofLines.Access = access.Rules{
		Read: access.Any(access.Where("secret", false), may("secret")), Create: access.All(may("create"), isOpen),
		Update: access.All(may("update"), isOpen), Delete: may("delete"),
		Fields: map[string]access.Field{"quantity": {Write: may("count")}},
	}
	return config, ofOrders, ofLines
}

func TestCallersSaveRecordsOfListsAsTheirOwnOperationsAllow(t *testing.T) {
	t.Parallel()
	config, ofOrders, ofLines := guarded()
	alike(t, config, ofOrders, ofLines, func(t *testing.T, c spec.Client) {
		t.Helper()
		const all = "create+update+delete+secret+count"
		c.As(all, "POST /api/orders", `{"number":"A1","lines":[{"product":"tea"},{"product":"cup","secret":true}]}`).HasStatus(201)
		before := c.As(all, "GET /api/lines", "").Body
		for _, test := range []struct{ may, request, body, detail, field string }{
			{"update", "POST /api/orders", `{"number":"B","lines":[{"product":"pot"}]}`, "create the line at lines[0]", "lines[0]"},
			{"update+delete", "PATCH /api/orders/1", `{"number":"B","lines":[{"id":1},{"product":"pot"}]}`, "create the line at lines[1]", "lines[1]"},
			{"create+delete", "PUT /api/orders/1", `{"number":"B","lines":[{"product":"pot"},{"id":1}]}`, "update the line at lines[1]", "lines[1]"},
			{"create+update", "PATCH /api/orders/1", `{"number":"B","lines":[{"product":"pot"}]}`, "delete the lines that are not in lines", "lines"},
			{"create", "POST /api/orders", `{"number":"B","lines":[{"product":"pot","quantity":2}]}`, "set lines[0].quantity", "lines[0].quantity"},
			{"update", "PATCH /api/orders/1", `{"number":"B","lines":[{"id":1,"quantity":2}]}`, "set lines[0].quantity", "lines[0].quantity"},
			{all, "POST /api/orders", `{"number":"B","status":"sent","lines":[{"product":"pot"}]}`, "create the line at lines[0]", "lines[0]"},
			{all, "PATCH /api/orders/1", `{"number":"B","status":"sent","lines":[{"id":1},{"id":2}]}`, "update the line at lines[0]", "lines[0]"},
		} {
			c.As(test.may, test.request, test.body).
				Is(403, `{"type":"about:blank","title":"Forbidden","status":403,"detail":"You do not have permission to `+test.detail+`.","field":"`+test.field+`"}`)
		}
		c.As(all, "GET /api/lines", "").Is(200, before)
		c.As(all, "GET /api/orders/1", "").Mentions(`"number":"A1"`)
		c.As("create+update+delete", "PATCH /api/orders/1", `{"lines":[{"product":"pot","quantity":1}]}`).HasStatus(200).Lacks("cup")
		c.As(all, "GET /api/orders/1/lines", "").HasStatus(200).Mentions("cup", "pot")
	})
}

func TestTheRuleOfTheReferenceHoldsForANewParentToo(t *testing.T) {
	t.Parallel()
	config, ofOrders, ofLines := guarded()
	ofLines.Access.Fields["order"] = access.Field{Write: access.If("may move", func(c *Clerk) bool { return strings.Contains(strings.Join(c.May, " "), "move") })}
	alike(t, config, ofOrders, ofLines, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.As("create+move", "POST /api/orders", `{"number":"A1","lines":[{"product":"tea"}]}`).HasStatus(201)
		c.As("create", "POST /api/orders", `{"number":"A2","lines":[{"product":"tea"}]}`).HasStatus(403)
		c.As("create", "PATCH /api/orders/1", `{"lines":[{"id":1},{"product":"cup"}]}`).HasStatus(403)
		c.As("create", "GET /api/orders", "").HasStatus(200).Lacks("A2")
	})
}

func TestRecordsThatACallerCannotSeeChangeNoByte(t *testing.T) {
	t.Parallel()
	config, ofOrders, ofLines := guarded()
	config.CursorKey = []byte("the same in both worlds")
	responses := map[string]string{} // of the world in which the secret line is in the list, by store
	for _, order := range []string{"1", "2"} {
		alike(t, config, ofOrders, ofLines, func(t *testing.T, c spec.Client) {
			t.Helper()
			const all = "create+update+delete+secret+count"
			c.As(all, "POST /api/orders", `{"number":"A1","lines":[{"product":"tea"}]}`).HasStatus(201)
			c.As(all, "POST /api/orders", `{"number":"A2"}`).HasStatus(201)
			c.As(all, "POST /api/lines", `{"order":"/api/orders/`+order+`","product":"cup","secret":true}`).HasStatus(201)
			var got strings.Builder
			for _, body := range []string{
				`{"lines":[{"id":2,"quantity":5}]}`, `{"lines":[{"id":2},{"id":2}]}`, `{"lines":[{"id":1},{"product":"pot"}]}`, `{"number":"B"}`,
				`{"lines":[]}`, `{"lines":[{"product":"jar"}]}`,
			} {
				r := c.As("create+update+delete", "PATCH /api/orders/1", body)
				got.WriteString(r.Body + r.Header.Get("ETag") + "\n")
			}
			store := t.Name()[strings.LastIndex(t.Name(), "/"):]
			store, _, _ = strings.Cut(store, "#")
			if responses[store] == "" {
				responses[store] = got.String()
			}
			if got.String() != responses[store] {
				t.Errorf("the responses are\n%s\nand with the secret line\n%s", got.String(), responses[store])
			}
			c.As(all, "GET /api/lines/2", "").Mentions("cup")
		})
	}
}
