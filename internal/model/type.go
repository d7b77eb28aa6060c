package model

import "reflect"

// Kind is how a Go type is written as JSON.
type Kind int

// The kinds of types that can be encoded. All others are errors of Compile.
const (
	Bool   Kind = iota + 1
	Int         // a signed integer of Bits bits
	Uint        // an unsigned integer of Bits bits
	Float       // a number of Bits bits
	String      // text
	Bytes       // []byte: base64 text
	Time        // time.Time: RFC 3339 text
	Text        // a type that marshals itself as text
	Key         // a struct that is the identifier of another record, of several fields: one text
	Custom      // a type that marshals itself as JSON, and raw JSON values
	Any         // any: any JSON value
	Object      // a struct
	List        // a slice
	Array       // an array of Len elements
	Map         // a map with strings for keys
)

// Type is a compiled type of a field, an element, a body or an answer.
type Type struct {
	Go       reflect.Type // as declared, the pointer included
	Kind     Kind
	Nullable bool     // declared as a pointer: null is a value
	Bits     int      // Int, Uint, Float; see SignedBits
	Len      int      // Array
	Elem     *Type    // List, Array, Map
	Struct   *Struct  // Object; recursive types share one
	Parts    []*Field // Key: the fields of the struct
}

// SignedBits are the bits of unsigned integers of 64 bits in records: databases have columns
// for those that are signed integers, too.
const SignedBits = 63

// Base returns the declared type without its pointer.
func (t *Type) Base() reflect.Type {
	if t.Nullable {
		return t.Go.Elem()
	}
	return t.Go
}
