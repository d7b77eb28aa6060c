package main

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// User is a caller.
type User struct {
	Name  string
	Admin bool
}

// Product is on sale.
type Product struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"filter=partial,sort"`
	Cents int64  `json:"cents" validate:"gte=0" api:"filter=range,sort"`
	Cost  int64  `json:"cost" api:"sort"`
	Owner string `json:"owner" api:"filter"`
}

var admin = access.If("admin", func(u *User) bool { return u.Admin })

var productRules = access.Rules{
	Read: access.Public, Create: access.Authenticated, Update: admin, Delete: admin,
	Fields: map[string]access.Field{"cost": {Read: admin, Write: admin}},
}

// newProducts declares products with a store.
func newProducts(products store.Store[Product]) resource.Of[Product] {
	return resource.Of[Product]{
		Store:  products,
		Access: productRules,
		Computed: []operation.Computed{
			operation.Compute("isMine", "Whether the caller owns it.", func(ctx context.Context, p *Product) (bool, error) {
				req, _ := operation.RequestFrom(ctx)
				user, _ := req.Principal.(*User)
				return user != nil && user.Name == p.Owner, nil
			}),
		},
		Operations: append(operation.Standard(),
			operation.GetCollection{
				Name: "cards", URITemplate: "/products/cards{._format}",
				View: &operation.View{Name: "ProductCard", Fields: []string{"id", "name"}},
			},
			exported, bulk, change, cheap(products)),
	}
}
