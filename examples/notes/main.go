package main

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type User struct {
	ID       int64  `json:"id"`
	Name     string `json:"name" validate:"notblank,max=50" api:"unique"`
	Password string `json:"password" validate:"min=12,max=200" api:"password"` // only its Argon2id hash is stored
}

type Note struct {
	ID    int64  `json:"id"`
	Text  string `json:"text" validate:"notblank,max=1000" api:"filter=partial,sort"`
	Owner int64  `json:"owner" api:"ref=User,readonly"`
}

func main() { cli.Main(newAPI, openapi.Config{Title: "Notes", Version: "1.0.0"}) } // serves the API and its docs

func newAPI(ctx context.Context) (*resource.API, error) {
	db, err := sqlite.Open("notes.db") // or postgres.Open
	if err != nil {
		return nil, err
	}
	users, notes := sqlstore.Table[User](db), sqlstore.Table[Note](db)
	if err := db.Create(ctx, users, notes); err != nil {
		return nil, err
	}
	accounts := &password.Accounts[User]{Store: users, Name: "name", Password: func(u *User) *string { return &u.Password }}
	owner := access.Equal("owner", func(u *User) int64 { return u.ID })
	public := access.Rules{Read: access.Public, Create: access.Public}
	return resource.New(resource.Config{Authentication: []access.Scheme{accounts.Basic("login")}},
		resource.Of[User]{Store: users, BeforeTransaction: accounts.Hash, Access: public, Operations: []operation.Operation{operation.Get{}, operation.Post{}}},
		resource.Of[Note]{Store: notes, Access: access.Only(owner), Stamp: operation.Stamp(func(u *User, n *Note) { n.Owner = u.ID })})
}
