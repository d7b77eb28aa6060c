package openapitest_test

import (
	"context"
	"testing"
	"time"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

type counted struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name" validate:"notblank"`
	Version uint8     `json:"version" api:"version"`
	Changed time.Time `json:"changed" api:"modified"`
}

// TestAnAPIWithAllHTTPFeaturesConforms has preconditions, idempotency keys, a sunset, and limits.
func TestAnAPIWithAllHTTPFeaturesConforms(t *testing.T) {
	t.Parallel()
	type more struct {
		Name string `json:"name"`
	}
	bump := func(_ context.Context, c *counted, in more) (counted, error) {
		c.Name += in.Name
		return *c, nil
	}
	api, err := resource.New(resource.Config{Timeout: time.Minute, MaxConcurrent: 100},
		resource.Of[member]{
			RequirePrecondition: true, Idempotency: time.Hour, Errors: validation.Problem,
			Operations: append(operation.Standard(), operation.Put{Name: "keep", URITemplate: "/kept/{nickname}", AllowCreate: true}),
			Deprecated: time.Unix(1e9, 0), Sunset: time.Unix(2e9, 0), DeprecationLink: "https://example.com/end",
		},
		resource.Of[counted]{Idempotency: time.Hour, Operations: append(operation.Standard(),
			operation.Post{Name: "bump", URITemplate: "/counteds/{id}/bump", Handler: operation.Handle(bump)})})
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(400))
}
