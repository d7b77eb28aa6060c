// Command lines serves orders that are saved together with their lines. It is the code of the how-to page about them.
package main

import (
	"context"
	"crypto/subtle"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Order is an order of a customer.
type Order struct {
	ID       int64  `json:"id"`
	Customer string `json:"customer" validate:"notblank,max=100" example:"Ann"`
	Status   string `json:"status" validate:"oneof=open sent" default:"open"`
	Total    int64  `json:"total" api:"readonly,filter=range,sort,aggregate" doc:"Cents, of all lines."`
}

// Line is a line of an order.
type Line struct {
	ID       int64  `json:"id"`
	Order    int64  `json:"order" api:"ref=Order,filter,createonly,ondelete=cascade"`
	Product  string `json:"product" validate:"notblank,max=100" example:"Tea"`
	Quantity int64  `json:"quantity" validate:"gte=1,lte=1000" default:"1"`
	Price    int64  `json:"price" validate:"gte=0,lte=1000000" example:"250" doc:"Cents for one."`
}

// Staff is the principal of requests with the token of the staff.
type Staff struct{}

var staff = access.Named("staff", access.Authenticated)

var lists = []string{"lines"}

var orders = resource.Of[Order]{
	Inverse: map[string]string{"lines": "Line.order"},
	Access:  access.Only(access.Public),
	Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Post{Nested: lists},
		operation.Patch{Nested: lists, Access: staff},
		operation.Delete{Access: staff},
	},
}

var ofOpenOrder = access.Named("a line of an open order", access.Through("order", access.Where("status", "open")))

var lines = resource.Of[Line]{
	Access: access.Rules{Read: access.Public, Create: ofOpenOrder, Update: ofOpenOrder, Delete: ofOpenOrder},
	Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{URITemplate: "/orders/{order}/lines"},
		operation.Post{URITemplate: "/orders/{order}/lines"},
		operation.Patch{},
		operation.Delete{},
	},
}

// shop has the stores of orders and lines.
type shop struct {
	orders store.Store[Order]
	lines  store.Store[Line]
}

// addUp saves a line, and the total of its order. The order is locked before its lines are read, so that two changes at
// once count each other.
func (s *shop) addUp(ctx context.Context, _ *operation.Request, l *Line, save operation.Save[Line]) error {
	if err := save(ctx, l); err != nil {
		return err
	}
	return store.Update(ctx, s.orders, l.Order, func(o *Order) error {
		all, err := store.List(ctx, s.lines, store.Eq("order", l.Order))
		o.Total = 0
		for _, each := range all {
			o.Total += each.Quantity * each.Price
		}
		return err
	})
}

func newAPI() (*resource.API, error) {
	s := &shop{memory.New[Order](), memory.New[Line]()}
	ofOrders, ofLines := orders, lines
	ofOrders.Store, ofLines.Store = s.orders, s.lines
	ofLines.Processor = operation.Process(s.addUp)
	return resource.New(resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, ofOrders, ofLines)
}

func authenticate(_ context.Context, token string) (*Staff, access.Scopes, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte("staff-token")) == 0 {
		return nil, nil, access.ErrCredentials
	}
	return &Staff{}, access.Unlimited, nil
}

func main() {
	cli.Main(func(context.Context) (*resource.API, error) { return newAPI() }, openapi.Config{Title: "Orders", Version: "1.0.0"})
}
