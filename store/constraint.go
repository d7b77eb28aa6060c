package store

import "slices"

// Constraint is a rule about all records of a struct together, which every store keeps: create it with [Unique],
// [NoOverlap] or [Index], and return it from a method of the struct:
//
//	func (Booking) Constraints() []store.Constraint {
//		return []store.Constraint{
//			store.NoOverlap("from", "to", "item").Except("status", "cancelled").Message("The item is booked in that time."),
//			store.Index("status", "from"),
//		}
//	}
//
// Fields are JSON names of fields of the record itself. A write that breaks a constraint gives a [ConstraintError], also
// if concurrent transactions break it together. Records that break a new constraint are not looked up by it: a database
// then cannot create its index. resource.New and the stores of Trove report unknown fields, and types that cannot be
// compared. For the tag api:"unique" of a single field see [UniqueError].
//
// A Constraint is a plain value: the methods return a changed copy.
type Constraint struct {
	// Kind is "unique", "no overlap" or "index".
	Kind string
	// Fields has the JSON names. Those of NoOverlap begin with the two of the period; those of Index can begin with "-".
	Fields []string
	// Where has what Only and Except declare: conditions with the operator Equal or NotEqual, all of which must hold. A
	// nil among the values means null.
	Where []Condition
	// Text is what Message sets, "" for the default.
	Text string
}

// Unique returns the constraint that no two records have equal values in all of the fields. Values are equal as for
// api:"unique". A record with null in one of the fields never conflicts.
func Unique(fields ...string) Constraint {
	return Constraint{Kind: "unique", Fields: slices.Clone(fields)}
}

// NoOverlap returns the constraint that the periods of no two records share a moment, if the records have equal values in
// all other fields. A period begins at from and ends before to. Null is an open end. If from equals to, the period is
// empty and shares no moment. If from is after to, the record is invalid: a validation error of to (400), and an
// [ErrConstraint] of the store. A record with null in one of the other fields never conflicts.
//
// From and to are both times, dates or numbers, of one type. Without other fields, no two records overlap.
func NoOverlap(from, to string, others ...string) Constraint {
	return Constraint{Kind: "no overlap", Fields: append([]string{from, to}, others...)}
}

// Index returns an index of fields, which any record satisfies: for filters together with a sort order, such as
// Index("status", "-createdAt") for a list of one status with the newest first, and for the program's own queries. A "-"
// before a name is descending order. Tables add the identifier at the end. Stores in memory ignore it.
func Index(fields ...string) Constraint {
	return Constraint{Kind: "index", Fields: slices.Clone(fields)}
}

// Only limits the constraint to records whose field has one of the values, which are as in a [Condition]; nil means null.
// Several limits must all hold.
func (c Constraint) Only(field string, values ...any) Constraint {
	return c.limited(field, Equal, values)
}

// Except limits the constraint to records whose field has none of the values, which are as in [Constraint.Only].
func (c Constraint) Except(field string, values ...any) Constraint {
	return c.limited(field, NotEqual, values)
}

func (c Constraint) limited(field string, operator Operator, values []any) Constraint {
	limit := Condition{Fields: []string{field}, Operator: operator, Values: slices.Clone(values)}
	c.Where = append(slices.Clip(c.Where), limit)
	return c
}

// Message sets the detail of the 409. Default: a sentence with the names of the fields.
func (c Constraint) Message(text string) Constraint {
	c.Text = text
	return c
}
