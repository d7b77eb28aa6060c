// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step06

import (
	"context"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/store/sqlstore"
)

// hoard is what the service is made of.
type hoard struct {
	users     *sqlstore.Store[User]
	treasures *sqlstore.Store[DragonTreasure]
	passwords *password.Hasher
}

// open makes the tables that a database lacks.
func open(ctx context.Context, db *sqlstore.DB) (*hoard, error) {
	h := &hoard{users: sqlstore.Table[User](db), treasures: sqlstore.Table[DragonTreasure](db), passwords: &password.Hasher{Memory: 8, Passes: 1}}
	return h, db.Create(ctx, h.users, h.treasures)
}
