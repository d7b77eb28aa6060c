package store

// Query is what a collection asks of a [Store]. Its zero value asks for every record.
type Query struct{}

// Page is the answer to a [Query].
type Page[T any] struct {
	// Items are the records, in order. The slice and the records are shared: the
	// caller only reads them.
	Items []*T
}
