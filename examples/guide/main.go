// Command guide is the program whose code and responses the guides in docs/guides show: treasures and their owners,
// books with versions, and orders, on SQLite.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"

	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func main() {
	log.Fatal(run(context.Background(), "guide.db"))
}

// run opens the database and serves the API.
func run(ctx context.Context, path string) error {
	db, err := sqlite.Open(path) // or postgres.Open(ctx, "postgres://user:password@host/guide")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	api, err := newAPI(ctx, db)
	if err != nil {
		return err
	}
	return http.ListenAndServe("localhost:8000", api) //nolint:gosec // an example; resource.Serve sets limits
}

// newAPI declares the resources with their tables.
func newAPI(ctx context.Context, db *sqlstore.DB) (*resource.API, error) {
	users, treasures := sqlstore.Table[User](db), sqlstore.Table[DragonTreasure](db)
	books, orders := sqlstore.Table[Book](db), sqlstore.Table[Order](db)
	if err := db.Create(ctx, users, treasures, books, orders, db.Responses(), db.Keys()); err != nil {
		return nil, err
	}
	if err := db.Fill(ctx, demo, users, treasures); err != nil { // referenced tables first
		return nil, err
	}
	config, err := configOf(ctx, db)
	if err != nil {
		return nil, err
	}
	api, err := resource.New(config,
		resource.Of[User]{
			Store:             users,
			BeforeTransaction: accounts(users).Hash,
		},
		resource.Of[DragonTreasure]{
			Store:        treasures,
			SparseFields: true,
			Order:        []string{"-value"},
			Pagination:   pages,
			Operations:   treasureOperations,
		},
		conditional(books), retryable(orders),
	)
	if err != nil {
		return nil, fmt.Errorf("declarations: %w", err)
	}
	return api, errors.Join(openapi.Mount(api, openapi.Config{Title: "Guide", Version: "1.0.0"}), mcp.Mount(api, agents))
}
