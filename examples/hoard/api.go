package main

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/msgpack"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// newAPI makes the service of its resources.
func (h *hoard) newAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{
			access.Bearer("token", h.byToken),
			access.Cookie("session", cookieName, h.bySession),
		},
		Formats:       append(format.Standard(), csv.Format, msgpack.Format),
		Middleware:    h.middleware(),
		RequestID:     middleware.GetReqID,
		Observers:     h.observers,
		MaxConcurrent: 512,
		Timeout:       10 * time.Second,
	}, h.ofUser(), h.ofTreasure(), h.ofReview(), h.ofTag(), h.ofToken(), h.ofNotification(), h.ofQuest())
	if err != nil {
		return nil, err
	}
	api.Router().Get("/healthz", api.Healthz)
	api.Router().Get("/readyz", api.Readyz)
	h.routeSessions(api.Router())
	return api, openapi.Mount(api, documentation)
}

var documentation = openapi.Config{
	Title: "The hoard", Version: "1.0.0",
	Description: "Treasures that dragons guard, publish and review.\n\n`POST /api/login` with `{\"email\": …, \"password\": …}` " +
		"sets a cookie, and `POST /api/logout` ends it. Programs have tokens: see `POST /api/api_tokens`.",
	License: &openapi3.License{Name: "MIT", Identifier: "MIT"},
}

// Caller is who makes a request: a user, by a token or a session.
type Caller struct {
	*User

	Token *APIToken
}

// String tells callers apart, so that no two share their Idempotency-Keys.
func (c *Caller) String() string { return "user " + strconv.FormatInt(c.ID, 10) }

// callerOf returns who makes the request that a hook runs in; nil for nobody.
func callerOf(ctx context.Context) *Caller {
	caller, _ := operation.PrincipalFrom(ctx).(*Caller)
	return caller
}

// Rules that several resources have. The document, the log and access.golden call them by name.
var (
	admin = access.If("admin", func(c *Caller) bool { return slices.Contains(c.Roles, "admin") })
	owner = access.Equal("owner", userID)
)

func userID(c *Caller) int64 { return c.ID }
