// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

// Command step07 is the program after step 7 of docs/tutorial.md.
package main

import (
	"context"
	"log"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// newAPI builds the service. Its error lists every mistake in the declarations.
func newAPI(ctx context.Context, db *sqlstore.DB) (*resource.API, error) {
	h := &hoard{users: sqlstore.Table[User](db), treasures: sqlstore.Table[DragonTreasure](db)}
	h.accounts = accounts(h.users)
	if err := db.Create(ctx, h.users, h.treasures); err != nil {
		return nil, err
	}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{h.accounts.Basic("password")},
	}, users(h), treasures(h))
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "The hoard", Version: "1.0.0"})
}

// main serves the API until you press Ctrl-C.
func main() {
	db, err := sqlite.Open("hoard.db")
	if err != nil {
		log.Fatal(err)
	}
	api, err := newAPI(context.Background(), db)
	if err != nil {
		log.Fatal(err)
	}
	log.Print("Documentation: http://localhost:8000/api/docs")
	log.Fatal(http.ListenAndServe("localhost:8000", api))
}

// hoard holds what the service needs.
type hoard struct {
	users     *sqlstore.Store[User]
	treasures *sqlstore.Store[DragonTreasure]
	accounts  *password.Accounts[User]
}
