package store

// Query is what a collection asks of a [Store]: the records that fulfil all conditions
// of Where, in the order of Order, and of those the window that After, Offset and Limit
// cut out. Its zero value asks for every record in the order of the identifier.
//
// Fields are named by JSON names, those within objects with dots: "address.city".
//
// The queries of access rules need more of a store than clients can request, and so do conditions and
// sort orders by fields of referenced records: [Grouper] and [Joiner] describe what a store must
// know for them.
type Query struct {
	// Where are the conditions. All must hold; none lets every record pass.
	Where []Condition
	// Order are the fields to order by, the weightiest first. Records that are equal in
	// all of them are in the order of the identifier, in the direction of the last of
	// them, so that one index serves both; ascending where there is none. An order that
	// names the identifier itself has it in any direction.
	Order []Order
	// After, if it is not nil, leaves out the records up to and including a position in
	// the order: a value for each element of Order, of the Go type of its field, or nil
	// for null. Order then ends with the identifier, so that the position is one
	// record's, which need not exist any more.
	After []any
	// Offset is how many records to pass over, from 0.
	Offset int
	// Limit is how many records to return at most; 0 is all.
	Limit int
	// Count asks for [Page.Total].
	Count bool
	// Fields are the members of the records that will be read; nil is all. A store may
	// leave the others zero. The identifier and the fields of Order are always read.
	Fields []string
}

// Order is one field that records are ordered by. Null comes before every value, false
// before true; numbers and times are ordered by what they stand for, strings by their
// bytes, and types that marshal themselves as text by the bytes of that text, or by those of its key
// where a type is [Ordered].
type Order struct {
	// Field is the field's name.
	Field string
	// Descending turns the order around, that of null too.
	Descending bool
	// NullUnless are conditions without which the field counts as null: a record that does not
	// fulfil all of them stands where null does, and [Query].After has nil for it. None
	// hides nothing. Only a [Grouper] is asked for it.
	NullUnless []Condition
	// Through, if it is not "", is the name of a field that has the key of another resource's
	// record, and Field is a field of that one. It counts as null where there is no such record.
	// NullUnless is about the record itself, and by [Condition].Through about the other one.
	Through string
}

// Page is the answer to a [Query].
type Page[T any] struct {
	// Items are the records, in order. The slice and the records are shared: the
	// caller only reads them.
	Items []*T
	// Total is how many records fulfil the conditions, whatever the window. It is set
	// where [Query.Count] asks for it.
	Total int
	// Broken are the errors of records that are in the window but cannot be read, such as
	// those that others have written: one for each, naming the record where that can be
	// told. They are left out of Items, and others take their place up to Limit, so that
	// whoever goes on from the last of Items passes them by. Total counts them. Nil for none.
	Broken []error
	// Positions are set where an order of the query goes through a reference: for each of Items
	// its position in the order, as [Query.After] has it, which the record itself does not tell.
	// Nil for all other queries.
	Positions [][]any
}
