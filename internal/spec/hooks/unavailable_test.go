package hooks_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// absent is a store that cannot be reached.
type absent struct{}

var errAbsent = fmt.Errorf("dial 10.0.0.1: secret: %w", store.ErrUnavailable)

func (absent) Get(context.Context, any) (*spec.Sailor, error) { return nil, errAbsent }

func (absent) List(context.Context, store.Query) (store.Page[spec.Sailor], error) {
	return store.Page[spec.Sailor]{}, errAbsent
}

func (absent) Transact(context.Context, func(context.Context, store.Tx[spec.Sailor]) error) error {
	return errAbsent
}

func TestAStoreThatCannotBeReachedIs503(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Sailor]{Store: absent{}, Operations: operation.Standard()})
	for _, request := range []string{
		"GET /api/sailors", "GET /api/sailors.ndjson", "GET /api/sailors/1", "POST /api/sailors", "PUT /api/sailors/1", "PATCH /api/sailors/1", "DELETE /api/sailors/1",
	} {
		body := ""
		if request[0] == 'P' {
			body = "{}"
		}
		c.Send(request, body).IsProblem(503).Has("Retry-After", "1").
			Is(503, `{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"The data store is unavailable. Try again later."}`)
	}
}
