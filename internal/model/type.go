package model

import (
	"encoding/json" //nolint:depguard // its Number is the type of users
	"reflect"

	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/store"
)

// Number is the type of a number in free JSON, and of a field that is a number of any length.
type Number = json.Number

// Kind is the JSON form of a Go type.
type Kind int

// The kinds of types that can be encoded. Compile rejects all others.
const (
	Bool    Kind = iota + 1
	Int          // a signed integer of Bits bits
	Uint         // an unsigned integer of Bits bits
	Float        // a number of Bits bits
	String       // a string
	Bytes        // []byte: a base64 string
	Time         // time.Time: an RFC 3339 string
	Text         // a type that marshals itself as text
	Key          // a struct that is the composite identifier of another record: one string
	Custom       // a type that marshals itself as JSON, and raw JSON values
	Numeral      // json.Number: the text of a JSON number
	Any          // any: any JSON value
	Object       // a struct
	List         // a slice
	Array        // an array of Len elements
	Map          // a map with string keys
)

// IsInteger reports whether values of the kind are integers.
func (k Kind) IsInteger() bool { return k == Int || k == Uint }

// IsNumber reports whether values of the kind are numbers.
func (k Kind) IsNumber() bool { return k == Int || k == Uint || k == Float }

// IsList reports whether JSON writes all values of the kind as arrays.
func (k Kind) IsList() bool { return k == List || k == Array }

// Type is a compiled type of a field, an element, a body or a response.
type Type struct {
	Go       reflect.Type // as declared, including a pointer
	Kind     Kind
	Nullable bool           // declared as a pointer: null is a value
	Bits     int            // Int, Uint, Float; see SignedBits
	Len      int            // Array
	Elem     *Type          // List, Array, Map; nil for all others
	Struct   *Struct        // Object, which recursive types share; nil for all others
	Parts    []*Field       // Key: the fields of the struct
	Digits   *Digits        // Text: the limits of a [store.Decimal]; nil for all others
	Stated   *schema.Schema // that the type states itself; nil for most
}

// SignedBits is the size of 64-bit unsigned integers in records, because databases store them in signed columns.
const SignedBits = 63

// Base returns the declared type without its pointer.
func (t *Type) Base() reflect.Type {
	if t.Nullable {
		return t.Go.Elem()
	}
	return t.Go
}

// NotNull returns the type without its pointer.
func (t *Type) NotNull() *Type {
	base := *t
	base.Go, base.Nullable = t.Base(), false
	return &base
}

// Ordered reports whether a collection can be sorted by values of the type. A type that marshals itself as text sorts
// by that text, because stores know nothing else of it.
func (t *Type) Ordered() bool {
	switch t.Kind {
	case Bool, Int, Uint, Float, String, Time, Text, Key:
		return true
	}
	return false
}

// ListsKeys reports whether values of the type are lists of what can be identifiers. Stores can filter only these by
// one of their elements.
func (t *Type) ListsKeys() bool {
	return t.Kind == List && !t.Elem.Nullable && (isKeyKind(t.Elem.Kind) || t.Elem.Kind == Key) && !t.Elem.HasOrderKey()
}

// HasOrderKey reports whether the type is text that does not sort by its bytes.
func (t *Type) HasOrderKey() bool {
	return t.Kind == Text && (t.Digits != nil || has[store.Ordered](t.Base()))
}

// IsDate reports whether the type is that of calendar dates.
func (t *Type) IsDate() bool { return t.Kind == Text && t.Base() == reflect.TypeFor[date.Date]() }

// Adds reports whether values of the type can be added: numbers, and decimal numbers as text.
func (t *Type) Adds() bool { return t.Kind.IsNumber() || t.Digits != nil }

// Units are the units by which times and dates can be grouped, from the longest to the shortest. Dates have no hours.
func (t *Type) Units() []string {
	units := []string{"year", "quarter", "month", "week", "day", "hour"}
	switch {
	case t.Kind == Time:
		return units
	case t.IsDate():
		return units[:len(units)-1]
	}
	return nil
}

// OrdersText reports whether the type marshals itself as text and is greater or less than another value by more than that
// text. Clients can filter such fields by ranges, and rules can compare them.
func (t *Type) OrdersText() bool { return t.HasOrderKey() || t.IsDate() }
