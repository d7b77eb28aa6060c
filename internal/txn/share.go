package txn

import "context"

// shareKey is the context key of [Share].
type shareKey struct{}

// Share returns a context whose reads keep the records that they find from being changed until the transaction of the
// context ends, because a write depends on them. Stores whose transactions run one after the other ignore it.
func Share(ctx context.Context) context.Context { return context.WithValue(ctx, shareKey{}, true) }

// Shares reports whether the context is one of [Share].
func Shares(ctx context.Context) bool { return ctx.Value(shareKey{}) != nil }
