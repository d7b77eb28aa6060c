// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step10

import (
	"context"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/store/sqlstore"
)

// hoard is what the service is made of.
type hoard struct {
	users         *sqlstore.Store[User]
	treasures     *sqlstore.Store[DragonTreasure]
	reviews       *sqlstore.Store[Review]
	notifications *sqlstore.Store[Notification]
	passwords     *password.Hasher
}

// open makes the tables that a database lacks.
func open(ctx context.Context, db *sqlstore.DB, passwords *password.Hasher) (*hoard, error) {
	h := &hoard{
		users: sqlstore.Table[User](db), treasures: sqlstore.Table[DragonTreasure](db),
		reviews: sqlstore.Table[Review](db), notifications: sqlstore.Table[Notification](db),
		passwords: passwords,
	}
	return h, db.Create(ctx, h.users, h.treasures, h.reviews, h.notifications)
}
