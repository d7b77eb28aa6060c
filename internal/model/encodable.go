package model

import (
	"encoding"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const encodable = "a field is a bool, integer, float, string, time.Time, []byte, struct, slice, array, map with string keys, any, " +
	"a type that marshals itself, or a pointer to one of these"

// typ compiles a type, or notes why it cannot be encoded and returns nil.
// Only one pointer is taken off: with two there would be two kinds of null.
func (c *compiler) typ(t reflect.Type, where string) *Type {
	base, nullable := t, false
	if t.Kind() == reflect.Pointer {
		base, nullable = t.Elem(), true
	}
	compiled := &Type{Go: t, Nullable: nullable}
	// Methods first: a struct or list that marshals itself is whatever they write.
	if compiled.Kind = marshalsItself(base); compiled.Kind != 0 {
		if !unmarshalsItself(base, compiled.Kind) {
			c.fail(where, "has the type %s, which marshals itself but does not unmarshal itself: give it both methods", base)
		}
		return compiled
	}
	if c.composite(compiled, base, where) {
		if compiled.Elem == nil && compiled.Kind >= List {
			return nil
		}
		return compiled
	}
	compiled.Kind, compiled.Bits = scalar(base)
	// In bodies and answers of handlers, which no store keeps, all of uint64 may stand.
	if c.stored && compiled.Kind == Uint {
		compiled.Bits = min(compiled.Bits, SignedBits)
	}
	if compiled.Kind == 0 {
		c.refuse(t, base, where)
		return nil
	}
	return compiled
}

// refuse notes a type that cannot be encoded, with what to write in its place where
// that is known.
func (c *compiler) refuse(t, base reflect.Type, where string) {
	switch {
	case base == reflect.TypeFor[time.Duration]():
		c.fail(where, "has the type time.Duration, which JSON has no form for: use an integer and say its unit in the name")
	case base.Kind() == reflect.Pointer:
		c.fail(where, "has the type %s: one pointer is the most, for null", t)
	case base.Kind() == reflect.Array:
		c.fail(where, "has the type %s: use []byte for bytes", t)
	default:
		c.fail(where, "has the type %s, which cannot be encoded: %s", t, encodable)
	}
}

// scalars are the kinds of types that hold no other.
var scalars = map[reflect.Kind]Kind{
	reflect.Bool: Bool, reflect.String: String, reflect.Float32: Float, reflect.Float64: Float,
	reflect.Int: Int, reflect.Int8: Int, reflect.Int16: Int, reflect.Int32: Int, reflect.Int64: Int,
	reflect.Uint: Uint, reflect.Uint8: Uint, reflect.Uint16: Uint, reflect.Uint32: Uint, reflect.Uint64: Uint,
}

// A duration is an integer to Go, but a number without its unit means nothing to clients.
func scalar(t reflect.Type) (kind Kind, bits int) {
	switch kind = scalars[t.Kind()]; {
	case t == reflect.TypeFor[time.Duration]():
		return 0, 0
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return Any, 0
	case kind.IsNumber():
		return kind, t.Bits()
	}
	return kind, 0
}

// composite compiles structs, lists, arrays and maps with what they consist of, and
// reports whether base is one. An element that cannot be encoded is noted.
func (c *compiler) composite(compiled *Type, base reflect.Type, where string) bool {
	switch base.Kind() {
	case reflect.Struct:
		compiled.Kind, compiled.Struct = Object, c.object(base)
		return true
	case reflect.Slice:
		// As encoding/json has it: a slice of a byte type with methods of its own is a list.
		if base.Elem().Kind() == reflect.Uint8 && marshalsItself(base.Elem()) == 0 {
			compiled.Kind = Bytes
			return true
		}
		compiled.Kind = List
	case reflect.Array:
		// encoding/json writes them as numbers, its second version as base64: neither is what all expect.
		if base.Elem().Kind() == reflect.Uint8 {
			return false
		}
		compiled.Kind, compiled.Len = Array, base.Len()
	case reflect.Map:
		// Other keys have more than one text for a value, or none that JSON Schema could tell of.
		if key := base.Key(); key.Kind() != reflect.String || marshalsItself(key) != 0 {
			return false
		}
		compiled.Kind = Map
	default:
		return false
	}
	compiled.Elem = c.element(base, where)
	return true
}

// element compiles the element of a list, array or map. A type that holds itself with
// no struct in between has no end.
func (c *compiler) element(base reflect.Type, where string) *Type {
	if c.open[base] {
		c.fail(where, "has the type %s, which holds itself: put a struct in between", base)
		return nil
	}
	c.open[base] = true
	defer delete(c.open, base)
	return c.typ(base.Elem(), where)
}

// marshalsItself returns Time, Custom or Text for a type that has a form of its own in
// JSON, and 0 for all others.
func marshalsItself(t reflect.Type) Kind {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return Time
	// The pointer has been taken off once; of an interface nobody knows what to make for a body.
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Interface:
		return 0
	case t == reflect.TypeFor[jsontext.Value](),
		has[json.Marshaler](t), has[json.MarshalerTo](t):
		return Custom
	case has[encoding.TextMarshaler](t), has[encoding.TextAppender](t):
		return Text
	}
	return 0
}

// A type that only writes itself could be read by nobody who is sent it.
func unmarshalsItself(t reflect.Type, kind Kind) bool {
	switch kind {
	case Custom:
		return has[json.Unmarshaler](t) || has[json.UnmarshalerFrom](t)
	case Text:
		return has[encoding.TextUnmarshaler](t)
	}
	return true
}

// has reports whether a variable of type t has the methods of I, those with a pointer
// receiver included.
// All values that Trove encodes have an address, so that a method of the pointer is always there.
func has[I any](t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}
