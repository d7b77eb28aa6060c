// Command decimal serves invoices with exact amounts of money. It is the code of the how-to page about prices, and a module
// of its own, because Trove depends on no library of decimal numbers.
package main

import (
	"context"
	"flag"
	"log"
	"net"

	"github.com/shopspring/decimal"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

// Invoice is what a customer has to pay.
type Invoice struct {
	ID       int64  `json:"id"`
	Net      Price  `json:"net" validate:"gte=0,lte=1000000" api:"filter=exact|range,sort" example:"12.50"`
	Discount *Price `json:"discount" validate:"omitempty,gt=0,ltefield=Net"`
	Total    Price  `json:"total" api:"readonly,filter=range,sort"`
}

// add calculates the total with 19 % tax, rounded to cents.
func add(_ context.Context, _ *operation.Request, invoice *Invoice) error {
	net := invoice.Net.Decimal
	if invoice.Discount != nil {
		net = net.Sub(invoice.Discount.Decimal)
	}
	invoice.Total = Price{net.Mul(decimal.RequireFromString("1.19")).Round(2)}
	return nil
}

func newAPI(invoices store.Store[Invoice]) (*resource.API, error) {
	api, err := resource.New(resource.Config{}, resource.Of[Invoice]{Store: invoices, Prepare: add})
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "Invoices", Version: "1.0.0"})
}

func main() {
	address := flag.String("addr", "localhost:8000", "where to serve")
	name := flag.String("db", ":memory:", "SQLite file, :memory:, or postgres:// URL of the records")
	flag.Parse()
	ctx := context.Background()
	db, err := database.Open(ctx, *name)
	if err != nil {
		log.Fatal(err)
	}
	invoices := sqlstore.Table[Invoice](db)
	if err := db.Create(ctx, invoices); err != nil {
		log.Fatal(err)
	}
	api, err := newAPI(invoices)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(resource.Serve(ctx, listener, api))
}
