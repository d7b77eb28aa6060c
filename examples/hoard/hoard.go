package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	chimiddleware "github.com/go-chi/chi/v5/middleware"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

// hoard is the service: its database with the tables, and the values of flags.
type hoard struct {
	db            *sqlstore.DB
	users         *sqlstore.Store[User]
	tokens        *sqlstore.Store[APIToken]
	treasures     *sqlstore.Store[DragonTreasure]
	tags          *sqlstore.Store[Tag]
	reviews       *sqlstore.Store[Review]
	notifications *sqlstore.Store[Notification]
	completions   *sqlstore.Store[Completion]
	accounts      *password.Accounts[User]
	key           []byte // of cursors and ETags, the same for all instances
	rate          int    // requests per minute from one client, sixty times as many as sign-ins; 0 for no limit
}

// open opens an SQLite file or a PostgreSQL URL, and creates missing tables.
func open(ctx context.Context, name string) (h *hoard, err error) {
	h = new(hoard)
	if h.db, err = database.Open(ctx, name); err != nil {
		return nil, err
	}
	h.users, h.tokens, h.completions = sqlstore.Table[User](h.db), sqlstore.Table[APIToken](h.db), sqlstore.Table[Completion](h.db)
	h.treasures, h.tags, h.reviews = sqlstore.Table[DragonTreasure](h.db), sqlstore.Table[Tag](h.db), sqlstore.Table[Review](h.db)
	h.notifications = sqlstore.Table[Notification](h.db)
	h.accounts = &password.Accounts[User]{Store: h.users, Name: "email", Password: func(u *User) *string { return &u.Password }}
	err = h.db.Create(ctx, h.users, h.tokens, h.completions, h.treasures, h.tags, h.reviews, h.notifications)
	if err == nil {
		h.key, err = h.db.SharedKey(ctx, "cursors and tags")
	}
	if err == nil { // delete expired sessions at each start
		_, err = h.db.Exec(ctx, "DELETE FROM api_tokens WHERE session AND expires_at < CURRENT_TIMESTAMP")
	}
	if err != nil {
		return nil, errors.Join(err, h.db.Close())
	}
	return h, nil
}

// newAPI builds the API from its resources.
func (h *hoard) newAPI() (*resource.API, error) {
	signIns := resource.Around{Operations: []string{"loginSession", "createUser"}, Middleware: middleware.Rate((h.rate + 59) / 60)}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{access.Bearer("token", h.byToken), access.Cookie("session", cookieName, h.bySession)},
		Formats:        append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format),
		Middleware:     chi.Middlewares{chimiddleware.RequestID},
		Around:         []resource.Around{signIns},
		RequestID:      chimiddleware.GetReqID,
		CursorKey:      h.key,
		MaxConcurrent:  512,
		Timeout:        10 * time.Second,
	}, h.ofUser(), h.ofTreasure(), h.ofReview(), h.ofTag(), h.ofToken(), h.ofNotification(), h.ofQuest(), h.ofSession())
	if err != nil {
		return nil, err
	}
	api.Router().Get("/healthz", api.Healthz)
	api.Router().Get("/readyz", api.Readyz)
	agents := mcp.Config{Name: documentation.Title, Version: documentation.Version}
	return api, errors.Join(openapi.Mount(api, documentation), mcp.Mount(api, agents), admin.Mount(api, pages))
}

var pages = admin.Config{
	Resources: []admin.Resource{{Name: "DragonTreasure", Columns: []string{"name", "value", "isPublished", "owner", "plunderedAt"}}, {Name: "User"}},
}

var documentation = openapi.Config{
	Title: "The hoard", Version: "1.0.0", License: &openapi3.License{Name: "MIT", Identifier: "MIT"},
	Description: "Treasures that dragons guard, publish and review.",
	Contact:     &openapi3.Contact{Name: "The Trove authors", URL: "https://github.com/trove-api/trove"},
	Servers:     openapi3.Servers{{URL: "/", Description: "This server."}},
}

// Caller is the principal of a request: a user, with a token or a session.
type Caller struct {
	*User

	Token *APIToken
}

// String identifies the caller, so that callers do not share their Idempotency-Keys.
func (c *Caller) String() string { return "user " + strconv.FormatInt(c.ID, 10) }

func userID(c *Caller) int64 { return c.ID }

// Rules of several resources. The document, the log and access.golden show their names.
var (
	isAdmin = access.If("admin", func(c *Caller) bool { return slices.Contains(c.Roles, "admin") })
	owner   = access.Equal("owner", userID)
	social  = access.Scope("social:edit") // of tokens; a session grants every scope
)
