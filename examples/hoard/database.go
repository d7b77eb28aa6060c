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
	key           []byte   // of cursors and tags, which hold at every instance
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
	secrets := sqlstore.Table[Secret](h.db)
	err = h.db.Create(ctx, h.users, h.tokens, h.completions, h.treasures, h.tags, h.reviews, h.notifications, secrets)
	if err == nil {
		h.key, err = sharedKey(ctx, secrets)
	}
	if err == nil { // sessions that have ended are forgotten at each start
		_, err = h.db.Exec(ctx, "DELETE FROM api_tokens WHERE session AND expires_at < CURRENT_TIMESTAMP")
	}
	if err != nil {
		return nil, errors.Join(err, h.db.Close())
	}
	return h, nil
}

// Secret is what all instances of the service know, and nobody else.
type Secret struct {
	Name string `json:"name" api:"id"`
	Key  []byte `json:"key"`
}

// sharedKey returns the secret that the first instance has made.
func sharedKey(ctx context.Context, secrets store.Store[Secret]) (key []byte, err error) {
	err = secrets.Transact(ctx, func(ctx context.Context, tx store.Tx[Secret]) error {
		secret, err := tx.Get(ctx, "key")
		if errors.Is(err, store.ErrNotFound) {
			secret = &Secret{"key", []byte(rand.Text())}
			err = tx.Insert(ctx, secret)
		}
		if err == nil {
			key = secret.Key
		}
		return err
	})
	return key, err
}

//go:embed demo.json
var demoData []byte

// begin makes what the flags ask for where nobody has an account yet: the demo, whose passwords are the same as its
// tokens, or an admin, whose password nobody can read again.
func (h *hoard) begin(ctx context.Context, demo bool, admin string, out io.Writer) error {
	if page, err := h.users.List(ctx, store.Query{Limit: 1}); err != nil || len(page.Items) > 0 {
		return err
	}
	var all struct {
		Users     []User           `json:"users"`
		Tags      []Tag            `json:"tags"`
		Treasures []DragonTreasure `json:"treasures"`
		Reviews   []Review         `json:"reviews"`
	}
	var tokens []APIToken
	password := rand.Text()
	if demo {
		if err := json.Unmarshal(demoData, &all); err != nil {
			return err
		}
		for i, user := range all.Users {
			secret := "demo-" + user.Username
			all.Users[i].Password = h.hashing.hash(secret, rand.Text())
			tokens = append(tokens, APIToken{Owner: user.ID, Token: digest(secret), Scopes: []string{"user:edit", "treasure:create", "treasure:edit"}})
		}
	} else if admin != "" {
		name, _, ok := strings.Cut(admin, "@")
		if !ok {
			return fmt.Errorf("%q is no email", admin)
		}
		all.Users = []User{{Email: admin, Username: name, Password: h.hashing.hash(password, rand.Text()), Roles: []string{"admin"}}}
	}
	err := h.users.Transact(ctx, func(ctx context.Context, _ store.Tx[User]) error {
		return errors.Join(insert(ctx, h.users, all.Users), insert(ctx, h.tokens, tokens), insert(ctx, h.tags, all.Tags),
			insert(ctx, h.treasures, all.Treasures), insert(ctx, h.reviews, all.Reviews))
	})
	if errors.Is(err, store.ErrConflict) { // another instance was faster
		return nil
	}
	if err == nil && admin != "" && !demo {
		fmt.Fprintf(out, "Password of %s: %s\n", admin, password)
	}
	return err
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
