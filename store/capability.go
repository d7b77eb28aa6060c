package store

import "context"

// Checker is implemented by stores that can report at start-up whether they fit their
// struct. resource.New calls Check and returns its error with the others.
type Checker interface {
	Check(ctx context.Context) error
}

// WriteChecker is implemented by stores that can report what matters only to operations that
// write.
type WriteChecker interface {
	// CheckInserts returns an error if every insert would fail. resource.New calls it if an
	// operation creates records.
	CheckInserts(ctx context.Context) error
	// PingWrites returns an error if the store cannot be written to now. The handler of readiness
	// calls it after Ping if an operation writes.
	PingWrites(ctx context.Context) error
}

// QueryChecker is implemented by stores that cannot answer every [Query].
type QueryChecker interface {
	// CheckQuery returns an error that joins what the store cannot answer of the query,
	// whose conditions have no values. resource.New calls it with everything that clients of an API
	// can request, and returns its error with the others. Groups and sort orders that hide values are
	// in it only if the store is a [Grouper] that returns true; its error is then about their contents.
	CheckQuery(query Query) error
}

// Adviser is implemented by stores that work but promise less than their struct says.
type Adviser interface {
	// Advise returns a line for each such shortcoming, with what to do. resource.New logs them as
	// warnings.
	Advise(ctx context.Context) ([]string, error)
}

// Pinger is implemented by stores that can be out of reach. Ping returns nil if the
// store can be used now. The handler of readiness calls it.
type Pinger interface {
	Ping(ctx context.Context) error
}

// BatchGetter is implemented by stores that find many records as fast as one. Trove loads
// referenced records with it, and otherwise by one Get after the other. A wrapper must implement
// it itself, because its Get may filter or change what the inner store returns.
type BatchGetter[T any] interface {
	// GetMany returns what Get would for each id, in their order: the record as it was last
	// saved, nil if there is none. An id may be there more than once. The records are
	// shared: the caller only reads them. One that cannot be read is an error of all.
	GetMany(ctx context.Context, ids []any) ([]*T, error)
}

// Grouper is implemented by stores that can answer the queries of access rules. They need more
// than clients can request: groups ([Condition].Any) and sort orders that hide values
// ([Order].NullUnless). A store that ignored these would show records and values to callers
// who may not see them, so for stores that are no Grouper, or whose Groups returns false,
// resource.New rejects rules that need them. A wrapper must implement it itself, because its List
// may have to know them; storetest.Suite.Queries tests it.
type Grouper interface {
	// Groups reports whether the store answers groups and sort orders that hide values.
	Groups() bool
}

// Joiner is implemented by stores that can filter and sort by fields of referenced records
// ([Condition].Through, [Order].Through). Stores in memory can for those of one API, and tables for
// those of one database. A wrapper must implement it itself; storetest.Suite.Through tests it.
type Joiner interface {
	Grouper

	// Through returns nil if the store can do so for the references in a field whose records the
	// other store keeps: the very store that the referenced resource has.
	Through(field string, other any) error
}

// Stamper is implemented by stores whose transactions stamp records, as [Tx] describes.
// For other stores Trove stamps what its operations write, and reads each record again for
// it; it does not count what other code writes through such a store, so no If-Match notices
// that. storetest.Suite.Stamps tests it.
type Stamper interface {
	// Stamps reports whether transactions stamp records.
	Stamps() bool
}

// Wrapper is implemented by stores that wrap another one. The capabilities that a wrapper does not
// implement are then those of the inner store, unless their documentation says otherwise. A wrapper that embeds
// a [Store] need not implement it.
type Wrapper interface {
	// Unwrap returns the inner store.
	Unwrap() any
}
