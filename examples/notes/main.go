package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type User struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank,max=50"`
	Token string `json:"token" validate:"min=32,max=100" api:"writeonly,index"` // only its hash is stored
}

type Note struct {
	ID    int64  `json:"id"`
	Text  string `json:"text" validate:"notblank,max=1000" api:"filter=partial,sort"`
	Owner int64  `json:"owner" api:"ref=User,readonly"`
}

func main() {
	db, err := sqlite.Open("notes.db") // or postgres.Open
	check(err)
	users, notes := sqlstore.Table[User](db), sqlstore.Table[Note](db)
	check(db.Create(context.Background(), users, notes))

	signIn := access.Bearer("token", func(ctx context.Context, token string) (*User, access.Scopes, error) {
		user, err := store.Find(ctx, users, "token", hash(token))
		if errors.Is(err, store.ErrNotFound) {
			err = access.ErrCredentials
		}
		return user, access.Unlimited, err
	})
	owner := access.Equal("owner", func(u *User) int64 { return u.ID })

	api, err := resource.New(resource.Config{Authentication: []access.Scheme{signIn}},
		resource.Of[User]{
			Store: users, Access: access.Rules{Read: access.Public, Create: access.Public},
			Operations: []operation.Operation{operation.Get{}, operation.Post{}},
			BeforeTransaction: func(_ context.Context, _ *operation.Request, u *User) error {
				u.Token = hash(u.Token)
				return nil
			},
		},
		resource.Of[Note]{
			Store: notes, Access: access.Rules{Read: owner, Create: owner, Update: owner, Delete: owner},
			Prepare: operation.Stamp(func(u *User, n *Note) { n.Owner = u.ID }),
		})
	check(err) // lists every mistake in the declarations
	check(openapi.Mount(api, openapi.Config{Title: "Notes", Version: "1.0.0"}))
	check(http.ListenAndServe(":8000", api))
}

func hash(token string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(token))) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
