package access_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

func TestAUniqueValueOfAHiddenRecordRevealsOnlyTheField(t *testing.T) {
	t.Parallel()
	type ticket struct {
		ID    int64  `json:"id"`
		Code  string `json:"code" api:"unique,filter"`
		Owner string `json:"owner"`
	}
	type caller struct{ Name string }
	owner := access.Equal("owner", func(c *caller) string { return c.Name })
	authenticate := func(_ context.Context, token string) (*caller, access.Scopes, error) {
		return &caller{token}, access.Unlimited, nil
	}
	for name, records := range spec.Stores[ticket](t) {
		t.Run(name, func(t *testing.T) {
			config := resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}
			c := spec.NewClient(t, config, resource.Of[ticket]{
				ShortName: "Ticket", Store: records,
				Access: access.Rules{Read: owner, Create: owner, Update: owner, Delete: owner},
			})
			c.Send("POST /api/tickets", `{"code":"a","owner":"ann"}`, "Authorization", "Bearer ann").HasStatus(201)
			c.Send("POST /api/tickets", `{"code":"b","owner":"bob"}`, "Authorization", "Bearer bob").HasStatus(201)
			c.Send("GET /api/tickets?code=a", "", "Authorization", "Bearer bob").Is(200, "[]").Has("X-Total-Count", "0")
			const taken = `{"type":"about:blank","title":"Conflict","status":409,"detail":"code is already in use.","field":"code"}`
			c.Send("POST /api/tickets", `{"code":"a","owner":"bob"}`, "Authorization", "Bearer bob").Is(409, taken).Has("Location", "").Has("ETag", "")
			c.Send("PATCH /api/tickets/2", `{"code":"a"}`, "Authorization", "Bearer bob").Is(409, taken).Has("ETag", "")
			c.Send("POST /api/tickets", `{"code":"a","owner":"ann"}`, "Authorization", "Bearer bob").IsProblem(403) // rules come first
		})
	}
}
