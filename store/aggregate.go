package store

import (
	"context"
	"time"
)

// Aggregator is implemented by stores that compute values of groups of records, which operation.Aggregate needs. A wrapper
// must implement it itself, because its List may filter or change what the inner store returns.
type Aggregator interface {
	// Aggregates reports whether the store computes aggregations. It is false for a database whose dialect cannot.
	Aggregates() bool
	// Aggregate returns a row for each group of the records that match. Without groups, it returns one row for all
	// records, even if none match.
	Aggregate(ctx context.Context, a Aggregation) (Aggregated, error)
}

// Aggregation groups the records that match all conditions of Where. Two records are in one group if they are equal in all
// terms without a Function.
type Aggregation struct {
	// Where has the conditions, as in [Query].
	Where []Condition
	// Terms are the columns of the rows.
	Terms []Term
	// Order has the terms to sort by, most significant first: 1 is the first term, and -1 the first one descending. Null
	// comes before every value. Averages are compared as float64. Ties are sorted by all groups, ascending.
	Order []int
	// Offset is how many rows to skip, Limit the maximum number to return; 0 means no limit.
	Offset, Limit int
	// Count requests [Aggregated.Total].
	Count bool
}

// Term is a column of an [Aggregation].
type Term struct {
	// Value is the field, as one to sort by: it can be behind a reference, and NullUnless hides it. Descending is ignored.
	// Only a count has no field.
	Value Order
	// Function is "" for a group; "count" for the number of records; "sum" or "avg", of numbers and of types that are a
	// [Decimal]; "min" or "max", also of times and dates. They leave out null, and are null without values.
	Function string
	// Unit groups times and dates: "year" (2026), "quarter" (2026-Q4), "month" (2026-11), "week" (2026-W48, ISO 8601),
	// "day" (2026-11-28), and of times "hour", as the RFC 3339 text of its beginning. Default: groups of equal values.
	Unit string
	// Zone is the time zone of the unit, which dates do not have. It is required for a unit of times.
	Zone *time.Location
}

// Aggregated is the result of an [Aggregation].
type Aggregated struct {
	// Rows have a value for each term. Groups, "min" and "max" have the Go type of the field without its pointer, or nil;
	// groups with a unit are strings. A "count" is an int64, and a "sum" or "avg" a *big.Rat, which is exact
	// except for floats in databases; it is nil without values, or if it is not finite.
	Rows [][]any
	// Total is the number of groups, regardless of Offset and Limit. It is set if Count is.
	Total int
}
