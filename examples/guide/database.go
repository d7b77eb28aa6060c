package main

import (
	"context"
	_ "embed"
	"log/slog"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

//go:embed demo.json
var demo []byte // {"users": [{"id": 1, "name": "ann"}], "dragon_treasures": [{"name": "Crown", "owner": 1}]}

type User struct {
	ID       int64  `json:"id"`
	Name     string `json:"name" validate:"notblank" api:"unique,filter=partial,sort"`
	Password string `json:"password" validate:"omitempty,min=8" api:"password"`
}

func accounts(users store.Store[User]) *password.Accounts[User] {
	return &password.Accounts[User]{Store: users, Name: "name", Password: func(u *User) *string { return &u.Password }}
}

func configOf(ctx context.Context, db *sqlstore.DB) (resource.Config, error) {
	key, err := db.SharedKey(ctx, "cursors") // 32 random bytes, created by the first program
	if err != nil {
		return resource.Config{}, err
	}
	return resource.Config{
		CursorKey:  key,
		Formats:    formats,
		Middleware: around,
		Around:     []resource.Around{signIns},
		Committed: func(ctx context.Context, changes []store.Change) {
			for _, change := range changes {
				if treasure, ok := change.Record().(*DragonTreasure); ok {
					slog.InfoContext(ctx, change.String(), "treasure", treasure.Name) // inserted 7, updated 7 or deleted 7
				}
			}
		},
	}, nil
}
