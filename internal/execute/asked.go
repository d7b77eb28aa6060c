package execute

import (
	"context"

	"github.com/trove-api/trove/store"
)

// queryKey finds in a context what a handler that answers a page is asked for.
type queryKey struct{}

// QueryFrom returns what a client asks for of a handler that answers a page.
// By the context, since handlers have one signature for all that they are asked.
func QueryFrom(ctx context.Context) store.Query {
	query, _ := ctx.Value(queryKey{}).(store.Query)
	return query
}
