package store

import "context"

// Checker is implemented by stores that can check at startup whether they fit their struct.
type Checker interface {
	// Check returns an error if the store cannot store records of the struct. resource.New calls it, and reports its error
	// with the others.
	Check(ctx context.Context) error
}

// Pinger is implemented by stores that can be unreachable.
type Pinger interface {
	// Ping returns nil if the store can be used at the moment. resource.API.Readyz calls it, with a context that ends after
	// at most five seconds.
	Ping(ctx context.Context) error
}

// BatchGetter is implemented by stores that can get many records in one query. Trove loads referenced records with it.
// For other stores it calls Get for each record. A wrapper must implement it itself, because its Get may filter or
// change what the inner store returns.
type BatchGetter[T any] interface {
	// GetMany returns the record for each id, in their order, as Get would, or nil if it does not exist. An id may
	// occur more than once. The records are shared, so the caller must not change them. If one record cannot be read,
	// GetMany returns an error.
	GetMany(ctx context.Context, ids []any) ([]*T, error)
}

// Grouper is implemented by stores that support the queries of access rules and of trees of conditions: groups
// ([Condition].Any), reversed conditions ([Condition].Not) and sort orders that hide values ([Order].NullUnless). A store
// that ignored these would reveal records and values to callers who may not see them. So resource.New rejects rules that
// need them if the store is not a Grouper or Groups returns false, and collections then have no parameter filter. A
// wrapper must implement it itself, because its List may have to support them; storetest.Suite.Queries tests it.
type Grouper interface {
	// Groups reports whether the store supports groups, reversed conditions and sort orders that hide values.
	Groups() bool
}

// FullTexter is implemented by stores that support the operator [FullText]. resource.New rejects a collection of records with
// a field tagged search=fulltext if the store is not one, or SearchesWords returns false. A wrapper must implement it itself,
// because its List may have to support the operator.
type FullTexter interface {
	Grouper

	// SearchesWords reports whether the store supports FullText.
	SearchesWords() bool
}

// Joiner is implemented by stores that can filter and sort by fields of referenced records ([Condition].Through,
// [Order].Through), and filter by the records that reference theirs. Stores in memory can do so within one API, tables
// within one database. A wrapper must implement it itself; storetest.Suite.Through tests it.
type Joiner interface {
	Grouper

	// Through returns nil if the store can filter and sort through a reference. It is the name of a field, and other is
	// the store of the referenced resource. Or it is a name with a dot such as "Membership.project", through which the
	// store can only filter; see [Condition].Through. Other is then the store of the memberships.
	Through(reference string, other any) error
}

// Estimator is implemented by stores that can estimate how many records they have without counting them, which
// operation.TotalEstimated needs. A wrapper must implement it itself, because its List may hide records of the inner store.
type Estimator interface {
	// Estimates reports whether the store has estimates. It is false for a database without them.
	Estimates() bool
	// Estimate returns about how many records the store has, 0 if that is unknown at the moment. Trove shows the number only
	// to callers who may see every record.
	Estimate(ctx context.Context) (int, error)
}

// Stamper is implemented by stores whose transactions stamp records, as [Tx] describes. For other stores Trove stamps
// the records that its operations write, and reads each record again to do so. Writes by other code are then not
// stamped, so If-Match does not notice them. storetest.Suite.Stamps tests it.
type Stamper interface {
	// Stamps reports whether transactions stamp records.
	Stamps() bool
}

// Wrapper is implemented by stores that wrap another one. A capability that the wrapper does not implement is then that
// of the inner store, unless the documentation of the capability says otherwise. A wrapper that embeds a [Store] need
// not implement it.
type Wrapper interface {
	// Unwrap returns the inner store.
	Unwrap() any
}
