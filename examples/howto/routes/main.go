// Command routes serves orders and three routes of its own: a report, files, and events. It is the code of the how-to pages
// about them.
package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

// Order is what a user buys.
type Order struct {
	ID      int64     `json:"id"`
	Product string    `json:"product" validate:"notblank,max=100" api:"filter" example:"Green tea"`
	Cents   int64     `json:"cents" validate:"gte=0"`
	Owner   string    `json:"owner" api:"readonly"`
	Created time.Time `json:"created" api:"created"`
}

// User is the principal of requests with the user's token.
type User struct{ Name string }

var owner = access.Equal("owner", func(u *User) string { return u.Name })

// app has what the routes need.
type app struct {
	db       *sqlstore.DB
	orders   *sqlstore.Store[Order]
	receipts *os.Root
	events   *hub
}

func newAPI(ctx context.Context, name, folder string) (*resource.API, error) {
	db, err := database.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	a := &app{db: db, orders: sqlstore.Table[Order](db), events: newHub()}
	if a.receipts, err = os.OpenRoot(folder); err == nil {
		err = db.Create(ctx, a.orders)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	api, err := resource.New(
		resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}, Committed: a.events.committed},
		resource.Of[Order]{Store: a.orders, Access: access.Only(owner), Stamp: operation.Stamp(func(u *User, o *Order) { o.Owner = u.Name })},
	)
	if err != nil {
		return nil, err
	}
	guarded := api.Router().With(api.Guard(access.Authenticated))
	guarded.Get("/report", a.report)
	guarded.Put("/orders/{id}/receipt", a.putReceipt)
	guarded.Get("/orders/{id}/receipt", a.getReceipt)
	guarded.Get("/events", a.events.serve)
	return api, nil
}

// authenticate knows two users, whose tokens are their names.
func authenticate(_ context.Context, token string) (*User, access.Scopes, error) {
	if token != "ann" && token != "bob" {
		return nil, nil, access.ErrCredentials
	}
	return &User{token}, access.Unlimited, nil
}

func main() {
	folder := flag.String("files", os.TempDir(), "folder of the receipts")
	cli.Main(func(ctx context.Context) (*resource.API, error) { return newAPI(ctx, ":memory:", *folder) },
		openapi.Config{Title: "Orders", Version: "1.0.0"})
}
