// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

// Package step10 is the program after step 10 of the tutorial.
package step10

import (
	"context"
	"errors"
	"log"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/resource/edge"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// NewAPI makes the service on a database.
func NewAPI(ctx context.Context, db *sqlstore.DB, passwords *password.Hasher) (*resource.API, error) {
	h, err := open(ctx, db, passwords)
	if err != nil {
		return nil, err
	}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{access.Basic("password", h.signIn)},
		Formats:        append(format.Standard(), jsonld.Format, csv.Format),
	}, users(h), treasures(h), reviews(h), notifications(h))
	if err != nil {
		return nil, err
	}
	return api, errors.Join(
		openapi.Mount(api, openapi.Config{Title: "The hoard", Version: "1.0.0"}),
		mcp.Mount(api, mcp.Config{Name: "The hoard", Version: "1.0.0", Without: []string{"createUser"}}), // agents register no users
	)
}

// Main serves it until you press Ctrl-C. One address may register ten users a minute.
func Main() {
	db, err := sqlite.Open("hoard.db")
	if err != nil {
		log.Fatal(err)
	}
	api, err := NewAPI(context.Background(), db, &password.Hasher{Memory: 8, Passes: 1})
	if err != nil {
		log.Fatal(err)
	}
	log.Print("Documentation: http://127.0.0.1:8000/api/docs")
	limited := edge.Rate(10, "POST /api/users")(api)
	log.Fatal(http.ListenAndServe("127.0.0.1:8000", limited))
}
