package execute

import (
	"context"

	"github.com/trove-api/trove/store"
)

// queryKey finds in a context what a handler that answers a page is asked for.
type queryKey struct{}

// QueryFrom returns what a client asks for of a handler that answers a page.
func QueryFrom(ctx context.Context) store.Query {
	query, _ := ctx.Value(queryKey{}).(store.Query)
	return query
}
