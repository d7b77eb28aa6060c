package resource

import (
	"context"

	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/store"
)

// QueryFrom returns what the client asks for of a handler that answers a [store.Page]: filters, order
// and window of the request, left to what the rules of access let its caller see. Conditions may be
// added to its Where; whoever takes some away shows what is hidden. It is the zero Query where
// the context is not that of such a handler.
func QueryFrom(ctx context.Context) store.Query { return execute.QueryFrom(ctx) }
