// Command shop serves the products and orders of a shop. It is the code of the how-to pages about prices, soft delete,
// unique pairs, bookings that do not overlap, e-mail after a commit, imports, caches and clients in TypeScript.
package main

import (
	"context"
	"crypto/subtle"
	"errors"
	"flag"
	"log"
	"log/slog"
	"net"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
	"github.com/trove-api/trove/validation"
)

// app holds the stores and the settings of the program.
type app struct {
	db         *sqlstore.DB
	products   *sqlstore.Store[Product]
	variants   *sqlstore.Store[Variant]
	orders     *sqlstore.Store[Order]
	categories *sqlstore.Store[Category]
	mails      *sqlstore.Store[Mail]
	bookings   *sqlstore.Store[Booking]
	token      string // of the staff
	send       func(ctx context.Context, to, text string) error
}

// Staff is the principal of requests with the token of the staff.
type Staff struct{}

var staff = access.Authenticated

func newApp(ctx context.Context, name string) (*app, error) {
	db, err := database.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	a := &app{
		db: db, products: sqlstore.Table[Product](db), variants: sqlstore.Table[Variant](db), orders: sqlstore.Table[Order](db),
		categories: sqlstore.Table[Category](db), mails: sqlstore.Table[Mail](db), bookings: sqlstore.Table[Booking](db),
		token: "staff-token", send: logMail,
	}
	if err := db.Create(ctx, a.products, a.variants, a.orders, a.categories, a.mails, a.bookings); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return a, nil
}

func (a *app) newAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{access.Bearer("token", a.authenticate)},
		Rules:          []validation.Rule{price},
		Committed:      a.committed,
	}, a.ofProduct(), a.ofVariant(), a.ofOrder(), a.ofCategory(), a.ofBooking())
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "Shop", Version: "1.0.0"})
}

func (a *app) authenticate(_ context.Context, token string) (*Staff, access.Scopes, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(a.token)) == 0 {
		return nil, nil, access.ErrCredentials
	}
	return &Staff{}, access.Unlimited, nil
}

// logMail logs mail instead of sending it.
func logMail(_ context.Context, to, text string) error {
	slog.Info("mail", "to", to, "text", text)
	return nil
}

func main() {
	address := flag.String("addr", "localhost:8000", "where to serve")
	name := flag.String("db", ":memory:", "SQLite file, :memory:, or postgres:// URL of the records")
	flag.Parse()
	ctx := context.Background()
	a, err := newApp(ctx, *name)
	if err != nil {
		log.Fatal(err)
	}
	api, err := a.newAPI()
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(a.seed(ctx), a.deliverRest(ctx)); err != nil {
		log.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("http://%s/api/docs", listener.Addr())
	log.Fatal(resource.Serve(ctx, listener, api))
}
