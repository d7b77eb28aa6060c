package store

// Query selects records of a [Store]: those that match all conditions of Where, sorted by Order, limited by After,
// Offset and Limit. Its zero value selects every record in the order of the identifier.
//
// Fields are given by JSON name. Use dots for fields within objects, such as "address.city".
//
// Access rules and fields of referenced records need more of a store than clients can request; see [Grouper] and
// [Joiner].
type Query struct {
	// Where has the conditions, all of which must hold. With none, every record matches.
	Where []Condition
	// Order has the fields to sort by, most significant first. Ties are sorted by the identifier, in the direction of
	// the last field so that one index serves both. Without fields, records are sorted by ascending identifier.
	Order []Order
	// After is a position in the order, if it is not nil: only records behind it match. It has one value for each
	// element of Order, of the Go type of its field, or nil for null. Order then ends with the identifier. The record
	// at the position need not exist any more.
	After []any
	// Offset is how many records to skip, from 0.
	Offset int
	// Limit is the maximum number of records to return; 0 means no limit.
	Limit int
	// Count requests [Page.Total].
	Count bool
	// CountUpTo is the number of records up to which the total must be exact, 0 for any number. A store can stop when it
	// has counted one more.
	CountUpTo int
	// Fields has the fields of the records that will be read; nil means all. A store may leave the others zero, except
	// for the identifier and the fields of Order.
	Fields []string
	// Deleted selects records in the trash, instead of or in addition to the living ones. Only a [Trasher] gets such
	// queries.
	Deleted Deleted
}

// Order is one field to sort by. Null comes before every value, and false before true. Numbers and times are sorted by
// value, strings by their bytes. Types that marshal themselves as text are sorted by the bytes of that text, or of its
// key if the type is [Ordered].
type Order struct {
	// Field is the JSON name of the field.
	Field string
	// Descending reverses the order, including that of null.
	Descending bool
	// NullUnless has conditions on the record. If it does not match them, the field counts as null, in [Query].After
	// too. With none, no value is hidden. Only a [Grouper] gets queries with NullUnless.
	NullUnless []Condition
	// Through is the JSON name of a reference field, "" for none. If it is set, Field is a field of the referenced
	// record. The field counts as null if that record does not exist. The conditions in NullUnless are about the
	// referring record; with [Condition].Through they are about the referenced one.
	Through string
}

// Page is the result of a [Query].
type Page[T any] struct {
	// Items are the records, in order. The slice and the records are shared, so the caller must not change them.
	Items []*T
	// Total is the number of records that match the conditions, regardless of After, Offset and Limit. It is set if
	// [Query.Count] is. If there are more than [Query.CountUpTo], it is any number above that.
	Total int
	// Broken has one error for each matching record that cannot be read, such as one written by another program; it
	// names the record if possible. Items leaves these records out and has later ones instead, up to Limit, so that a
	// program can walk past them. Total counts them. Nil if all records can be read. The response to a GetCollection
	// with such a record is a 500.
	Broken []error
	// Positions is set only if a sort order of the query goes through a reference. It then has the position of each of
	// Items, in the form of [Query.After], which cannot be derived from the record.
	Positions [][]any
}
