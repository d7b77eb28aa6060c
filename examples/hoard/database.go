package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/trove-api/trove/access/password"
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
	passwords     *password.Hasher
	key           []byte   // of cursors and tags, which all instances share
	rate          int      // requests that an address may make in a minute; 0 for no limit
	origins       []string // of web pages that may use the service; nil for its own alone
	observers     []observe.Observer
}

// open opens a file with SQLite, or a PostgreSQL by its URL, and makes the tables that it lacks.
func open(ctx context.Context, name string) (h *hoard, err error) {
	h = &hoard{passwords: new(password.Hasher)}
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
	err = h.db.Create(ctx, h.users, h.tokens, h.completions, h.treasures, h.tags, h.reviews, h.notifications)
	if err == nil {
		h.key, err = h.db.SharedKey(ctx, "cursors and tags")
	}
	if err == nil { // sessions that have ended are forgotten at each start
		_, err = h.db.Exec(ctx, "DELETE FROM api_tokens WHERE session AND expires_at < CURRENT_TIMESTAMP")
	}
	if err != nil {
		return nil, errors.Join(err, h.db.Close())
	}
	return h, nil
}

//go:embed demo.json
var demoData []byte

// begin makes what the flags ask for where nobody has an account yet: the demo, whose passwords are the same as its
// tokens, or an admin, whose password nobody can read again.
func (h *hoard) begin(ctx context.Context, demo bool, admin string, out io.Writer) error {
	if demo {
		return h.db.Fill(ctx, demoData, h.users, h.tokens, h.tags, h.treasures, h.reviews)
	}
	page, err := h.users.List(ctx, store.Query{Limit: 1})
	if err != nil || admin == "" || len(page.Items) > 0 {
		return err
	}
	name, _, isEmail := strings.Cut(admin, "@")
	if !isEmail {
		return fmt.Errorf("%q is no email", admin)
	}
	secret := rand.Text()
	hash, err := h.passwords.Hash(ctx, secret)
	if err == nil {
		err = store.Insert(ctx, h.users, &User{Email: admin, Username: name, Password: hash, Roles: []string{"admin"}})
	}
	switch {
	case err == nil:
		fmt.Fprintf(out, "Password of %s: %s\n", admin, secret)
	case errors.Is(err, store.ErrConflict): // another instance was faster
		return nil
	}
	return err
}
