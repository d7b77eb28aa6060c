package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// hoard is what the service is made of: its database with the tables, and what flags say.
type hoard struct {
	db            *sqlstore.DB
	users         *sqlstore.Store[User]
	tokens        *sqlstore.Store[APIToken]
	treasures     *sqlstore.Store[DragonTreasure]
	tags          *sqlstore.Store[Tag]
	reviews       *sqlstore.Store[Review]
	notifications *sqlstore.Store[Notification]
	completions   *sqlstore.Store[Completion]
	hashing       hashing
	rate          int      // requests that an address may make in a minute; 0 for no limit
	origins       []string // of web pages that may use the service; nil for its own alone
	observers     []observe.Observer
}

// open opens a file with SQLite, or a PostgreSQL by its URL, and makes the tables that it lacks.
func open(ctx context.Context, name string) (h *hoard, err error) {
	h = &hoard{hashing: owasp}
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		h.db, err = postgres.Open(ctx, name)
	} else {
		h.db, err = sqlite.Open(name)
	}
	if err != nil {
		return nil, err
	}
	h.users, h.tokens, h.completions = sqlstore.Table[User](h.db), sqlstore.Table[APIToken](h.db), sqlstore.Table[Completion](h.db)
	h.treasures, h.tags, h.reviews = sqlstore.Table[DragonTreasure](h.db), sqlstore.Table[Tag](h.db), sqlstore.Table[Review](h.db)
	h.notifications = sqlstore.Table[Notification](h.db)
	if err := h.db.Create(ctx, h.users, h.tokens, h.completions, h.treasures, h.tags, h.reviews, h.notifications); err != nil {
		return nil, errors.Join(err, h.db.Close())
	}
	return h, nil
}

// isNew reports whether nobody has an account yet.
func (h *hoard) isNew(ctx context.Context) (bool, error) {
	page, err := h.users.List(ctx, store.Query{Limit: 1})
	return err == nil && len(page.Items) == 0, err
}

// makeAdmin makes the first user, an admin, and prints the password, which nobody can read again.
func (h *hoard) makeAdmin(ctx context.Context, email string, out io.Writer) error {
	if first, err := h.isNew(ctx); !first {
		return err
	}
	password := rand.Text()
	name, _, _ := strings.Cut(email, "@")
	fmt.Fprintf(out, "Password of %s: %s\n", email, password)
	return insert(ctx, h.users, []User{{Email: email, Username: name, Password: h.hashing.hash(password), Roles: []string{"admin"}}})
}

//go:embed demo.json
var demoData []byte

// fill makes what -demo begins with. The passwords are the same as the tokens.
func (h *hoard) fill(ctx context.Context) error {
	if first, err := h.isNew(ctx); !first {
		return err
	}
	var demo struct {
		Users     []User           `json:"users"`
		Tags      []Tag            `json:"tags"`
		Treasures []DragonTreasure `json:"treasures"`
		Reviews   []Review         `json:"reviews"`
	}
	if err := json.Unmarshal(demoData, &demo); err != nil {
		return err
	}
	var tokens []APIToken
	for i, user := range demo.Users {
		secret := "demo-" + user.Username
		demo.Users[i].Password = h.hashing.hash(secret)
		tokens = append(tokens, APIToken{Owner: user.ID, Token: digest(secret), Scopes: []string{"user:edit", "treasure:create", "treasure:edit"}})
	}
	return h.users.Transact(ctx, func(ctx context.Context, _ store.Tx[User]) error {
		return errors.Join(insert(ctx, h.users, demo.Users), insert(ctx, h.tokens, tokens), insert(ctx, h.tags, demo.Tags),
			insert(ctx, h.treasures, demo.Treasures), insert(ctx, h.reviews, demo.Reviews))
	})
}

// insert saves records, all or none.
func insert[T any](ctx context.Context, to store.Store[T], records []T) error {
	return to.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error {
		for i := range records {
			if err := tx.Insert(ctx, &records[i]); err != nil {
				return err
			}
		}
		return nil
	})
}
