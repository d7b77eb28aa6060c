package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/edge"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/format/msgpack"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// newAPI makes the service of its resources.
func (h *hoard) newAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{access.Bearer("token", h.byToken), access.Cookie("session", cookieName, h.bySession)},
		Formats:        append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format, msgpack.Format),
		Middleware:     chi.Middlewares{middleware.RequestID, edge.Origins(h.origins...), edge.Rate(h.rate), edge.Rate((h.rate+59)/60, "/api/login")},
		RequestID:      middleware.GetReqID,
		Observers:      h.observers,
		CursorKey:      h.key,
		MaxConcurrent:  512,
		Timeout:        10 * time.Second,
	}, h.ofUser(), h.ofTreasure(), h.ofReview(), h.ofTag(), h.ofToken(), h.ofNotification(), h.ofQuest(), h.ofSession())
	if err != nil {
		return nil, err
	}
	api.Router().Get("/healthz", api.Healthz)
	api.Router().Get("/readyz", api.Readyz)
	agents := mcp.Config{Name: documentation.Title, Version: documentation.Version, Without: []string{"loginSession", "logoutSession"}}
	return api, errors.Join(openapi.Mount(api, documentation), mcp.Mount(api, agents))
}

var documentation = openapi.Config{
	Title: "The hoard", Version: "1.0.0", License: &openapi3.License{Name: "MIT", Identifier: "MIT"},
	Description: "Treasures that dragons guard, publish and review.",
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

func userID(c *Caller) int64 { return c.ID }

// Rules that several resources have. The document, the log and access.golden call them by name.
var (
	admin = access.If("admin", func(c *Caller) bool { return slices.Contains(c.Roles, "admin") })
	owner = access.Equal("owner", userID)
)
