package store

import "context"

// queryKey finds the query in a context.
type queryKey struct{}

// WithQuery returns a context that carries what a client asks a collection for, for tests of
// handlers. Trove calls it before each handler that answers a [Page].
func WithQuery(ctx context.Context, query Query) context.Context {
	return context.WithValue(ctx, queryKey{}, query)
}

// QueryFrom returns what the client asks for of a handler that answers a [Page]: filters, order
// and window of the request, left to what the rules of access let its caller see. Conditions may be
// added to its Where; whoever takes some away shows what is hidden. It is the zero Query where
// the context has none.
func QueryFrom(ctx context.Context) Query {
	query, _ := ctx.Value(queryKey{}).(Query)
	return query
}
