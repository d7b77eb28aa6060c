// Command starter serves notes. People register and sign in, and see only their own notes.
package main

import (
	"context"
	"flag"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// User is an account. The database has only a hash of the password, and no response has it.
type User struct {
	ID       int64  `json:"id"`
	Username string `json:"username" validate:"notblank,max=50" api:"unique,title" example:"ann"`
	Password string `json:"password" validate:"min=12,max=200" api:"password,createonly" example:"correct horse battery"`
}

// Note belongs to the user who creates it.
type Note struct {
	ID      int64     `json:"id"`
	Title   string    `json:"title" validate:"notblank,max=100" api:"title,filter=partial,sort" example:"Groceries"`
	Text    string    `json:"text" validate:"max=10000" api:"search" example:"Milk and bread"`
	Done    bool      `json:"done" api:"filter"`
	Owner   int64     `json:"owner" api:"ref=User,readonly,ondelete=cascade"`
	Created time.Time `json:"created" api:"created,sort"`
}

// Rules: self holds for the caller's own account, owner for their notes.
var (
	self  = access.Equal("id", userID)
	owner = access.Equal("owner", userID)
)

func userID(u *User) int64 { return u.ID }

var documentation = openapi.Config{
	Title: "Starter", Version: "0.1.0",
	Description: "Notes of your own. To begin, create an account in the admin, write a note, and then replace the struct Note in main.go.",
}

func main() {
	file := flag.String("db", "starter.db", "SQLite file for the records")
	demo := flag.Bool("demo", false, "add the user demo with a note to an empty database")
	cli.Main(func(ctx context.Context) (*resource.API, error) { return newAPI(ctx, *file, *demo) }, documentation)
}

// newAPI opens the database, creates missing tables, and returns the API with its admin. It returns all errors in the
// declarations at once.
func newAPI(ctx context.Context, file string, demo bool) (*resource.API, error) {
	db, err := sqlite.Open(file)
	if err != nil {
		return nil, err
	}
	users, notes, signIns := sqlstore.Table[User](db), sqlstore.Table[Note](db), sqlstore.Table[session.Session](db)
	if err := db.Create(ctx, users, notes, signIns); err != nil {
		return nil, err
	}
	accounts := &password.Accounts[User]{Store: users, Name: "username", Password: func(u *User) *string { return &u.Password }}
	sessions, err := session.New(session.Config[User]{Accounts: accounts, Sessions: signIns, Cookie: "starter_session"})
	if err != nil {
		return nil, err
	}
	if demo {
		if err := addDemo(ctx, accounts, users, notes); err != nil {
			return nil, err
		}
	}
	api, err := resource.New(
		resource.Config{
			Authentication: []access.Scheme{sessions.Scheme()},
			Around: []resource.Around{{ // 20 a minute for each client, over HTTP or by an agent
				Operations: []string{"loginSession", "passwordSession", "createUser"}, Middleware: middleware.Rate(20),
			}},
		},
		resource.Of[User]{
			Description:       "An account.",
			Store:             users,
			Access:            access.Rules{Read: self, Create: access.Public, Update: self, Delete: self},
			BeforeTransaction: accounts.Hash,
		},
		resource.Of[Note]{
			Description: "A note of a user.",
			Store:       notes,
			Access:      access.Only(owner),
			Stamp:       operation.Stamp(func(u *User, n *Note) { n.Owner = u.ID }),
		},
		sessions.Resource(),
	)
	if err != nil {
		return nil, err
	}
	return api, admin.Mount(api, admin.Config{Title: documentation.Title})
}

// addDemo adds a user with a note to an empty database.
func addDemo(ctx context.Context, accounts *password.Accounts[User], users store.Store[User], notes store.Store[Note]) error {
	if found, err := store.Count(ctx, users); err != nil || found > 0 {
		return err
	}
	user := &User{Username: "demo", Password: "correct horse battery"}
	if err := accounts.Hash(ctx, nil, user); err != nil {
		return err
	}
	if err := store.Insert(ctx, users, user); err != nil {
		return err
	}
	return store.Insert(ctx, notes, &Note{Title: "Groceries", Text: "Milk and bread", Owner: user.ID, Created: time.Now()})
}
