// Command rental serves a rental business: locations, items, bookings with a workflow, and invoices. Customers book items;
// the staff of a location handle its bookings.
package main

import (
	"context"
	"errors"
	"flag"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

var documentation = openapi.Config{Title: "Rental", Version: "1.0.0", Description: "Items to rent at several locations."}

func main() {
	name := flag.String("db", ":memory:", "SQLite file, :memory:, or postgres:// URL of the records")
	cli.Main(func(ctx context.Context) (*resource.API, error) {
		db, err := database.Open(ctx, *name)
		if err != nil {
			return nil, err
		}
		r, err := open(ctx, db)
		if err != nil {
			return nil, err
		}
		return r.newAPI()
	}, documentation)
}

// rental is the business: its database with the tables, and how it sends mail.
type rental struct {
	db        *sqlstore.DB
	users     *sqlstore.Store[User]
	locations *sqlstore.Store[Location]
	jobs      *sqlstore.Store[Job]
	items     *sqlstore.Store[Item]
	bookings  *sqlstore.Store[Booking]
	notes     *sqlstore.Store[Note]
	invoices  *sqlstore.Store[Invoice]
	lines     *sqlstore.Store[Line]
	mails     *sqlstore.Store[Mail]
	signIns   *sqlstore.Store[session.Session]
	accounts  *password.Accounts[User]
	send      func(ctx context.Context, to, text string) error
	rate      int // sign-ins and registrations per minute from one client
}

// open creates missing tables of a database, and fills an empty one.
func open(ctx context.Context, db *sqlstore.DB) (*rental, error) {
	r := &rental{
		db: db, users: sqlstore.Table[User](db), locations: sqlstore.Table[Location](db), jobs: sqlstore.Table[Job](db),
		items: sqlstore.Table[Item](db), bookings: sqlstore.Table[Booking](db), notes: sqlstore.Table[Note](db),
		invoices: sqlstore.Table[Invoice](db), lines: sqlstore.Table[Line](db), mails: sqlstore.Table[Mail](db),
		signIns: sqlstore.Table[session.Session](db), send: logMail, rate: 20,
	}
	r.accounts = &password.Accounts[User]{Store: r.users, Name: "email", Password: func(u *User) *string { return &u.Password }}
	err := db.Create(ctx, r.users, r.locations, r.jobs, r.items, r.bookings, r.notes, r.invoices, r.lines, r.mails, r.signIns, db.Responses())
	return r, errors.Join(err, r.seed(ctx))
}

// newAPI returns the API with its admin. It returns all errors in the declarations at once.
func (r *rental) newAPI() (*resource.API, error) {
	sessions, err := session.New(session.Config[User]{Accounts: r.accounts, Sessions: r.signIns, Cookie: "rental_session"})
	if err != nil {
		return nil, err
	}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{sessions.Scheme(), r.accounts.Basic("password")},
		Formats:        append(format.Standard(), csv.Format),
		Around:         []resource.Around{{Operations: []string{"loginSession", "passwordSession", "createUser"}, Middleware: middleware.Rate(r.rate)}},
		Committed:      r.committed,
		Timeout:        5 * time.Second,
	}, r.ofUser(), r.ofLocation(), r.ofJob(), r.ofItem(), r.ofBooking(), r.ofNote(), r.ofInvoice(), r.ofLine(), sessions.Resource())
	if err != nil {
		return nil, err
	}
	return api, admin.Mount(api, pages)
}
