package model

import (
	"encoding"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/store"
)

const encodable = "bool, integers, floats, string, time.Time, []byte, structs, slices, arrays, maps with string keys, any, " +
	"types that marshal themselves, and a pointer to one of these"

// typ compiles a type. It reports why a type cannot be encoded and returns nil. It removes only one pointer, because
// two would mean two kinds of null.
func (c *compiler) typ(t reflect.Type, where Declaration) *Type {
	base, nullable := t, false
	if t.Kind() == reflect.Pointer {
		base, nullable = t.Elem(), true
	}
	compiled := &Type{Go: t, Nullable: nullable}
	// Methods take precedence over the structure of the type, as in encoding/json.
	if compiled.Kind = marshalsItself(base); compiled.Kind != 0 {
		isCustom, isText := compiled.Kind == Custom, compiled.Kind == Text
		if isText && !has[encoding.TextUnmarshaler](base) || isCustom && !has[json.Unmarshaler](base) && !has[json.UnmarshalerFrom](base) {
			c.fail(where, "the type %s marshals but does not unmarshal itself; add the other method", base)
		}
		c.digits(compiled, where)
		c.stated(compiled, where)
		return compiled
	}
	c.digits(compiled, where) // reports a type that is not text
	if c.composite(compiled, base, where) {
		if compiled.Elem == nil && compiled.Kind >= List {
			return nil
		}
		c.stated(compiled, where)
		return compiled
	}
	switch compiled.Kind = scalars[base.Kind()]; {
	case base == reflect.TypeFor[time.Duration](): // its number means nothing to clients without the unit
		compiled.Kind = 0
	case base.Kind() == reflect.Interface && base.NumMethod() == 0:
		compiled.Kind = Any
	case compiled.Kind.IsNumber():
		compiled.Bits = base.Bits()
	}
	// Bodies and responses of handlers are not stored and may use all of uint64.
	if c.stored && compiled.Kind == Uint {
		compiled.Bits = min(compiled.Bits, SignedBits)
	}
	switch {
	case compiled.Kind != 0:
		c.stated(compiled, where)
		return compiled
	case base == reflect.TypeFor[time.Duration]():
		c.fail(where, "time.Duration has no JSON form; use an integer with the unit in its name")
	case base.Kind() == reflect.Pointer:
		c.fail(where, "the type %s has more than one pointer; use at most one", t)
	case base.Kind() == reflect.Array:
		c.fail(where, "the type %s is not supported; use []byte", t)
	default:
		c.fail(where, "the type %s cannot be encoded; allowed: %s", t, encodable)
	}
	return nil
}

// scalars maps the kinds of types that contain no other type.
var scalars = map[reflect.Kind]Kind{
	reflect.Bool: Bool, reflect.String: String, reflect.Float32: Float, reflect.Float64: Float,
	reflect.Int: Int, reflect.Int8: Int, reflect.Int16: Int, reflect.Int32: Int, reflect.Int64: Int,
	reflect.Uint: Uint, reflect.Uint8: Uint, reflect.Uint16: Uint, reflect.Uint32: Uint, reflect.Uint64: Uint,
}

// composite compiles structs, slices, arrays and maps with their elements, and reports whether base is one. It reports
// elements that cannot be encoded, and a type that contains itself without a struct in between.
func (c *compiler) composite(compiled *Type, base reflect.Type, where Declaration) bool {
	switch base.Kind() {
	case reflect.Struct:
		compiled.Kind, compiled.Struct = Object, c.object(base)
		return true
	case reflect.Slice:
		// As in encoding/json, a slice of a byte type that marshals itself is a list.
		if base.Elem().Kind() == reflect.Uint8 && marshalsItself(base.Elem()) == 0 {
			compiled.Kind = Bytes
			return true
		}
		compiled.Kind = List
	case reflect.Array:
		// encoding/json writes byte arrays as numbers, and its version 2 as base64.
		if base.Elem().Kind() == reflect.Uint8 {
			return false
		}
		compiled.Kind, compiled.Len = Array, base.Len()
	case reflect.Map:
		// Other keys have several texts for one value, or texts that JSON Schema cannot describe.
		if key := base.Key(); key.Kind() != reflect.String || marshalsItself(key) != 0 {
			return false
		}
		compiled.Kind = Map
	default:
		return false
	}
	if c.open[base] {
		c.fail(where, "the type %s contains itself; put a struct in between", base)
		return true
	}
	c.open[base] = true
	compiled.Elem = c.typ(base.Elem(), where)
	delete(c.open, base)
	return true
}

// marshalsItself returns Time, Numeral, Custom or Text for a type that has its own JSON form, and 0 for all others.
func marshalsItself(t reflect.Type) Kind {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return Time
	case t == reflect.TypeFor[Number](): // with and without methods of its own, by version of Go
		return Numeral
	// One pointer has been removed already, and the concrete type of an interface is unknown when decoding.
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Interface:
		return 0
	case has[store.Decimal](t) && (has[encoding.TextMarshaler](t) || has[encoding.TextAppender](t)): // also if it has the JSON of a library's number
		return Text
	case t == reflect.TypeFor[jsontext.Value](),
		has[json.Marshaler](t), has[json.MarshalerTo](t):
		return Custom
	case has[encoding.TextMarshaler](t), has[encoding.TextAppender](t):
		return Text
	}
	return 0
}

// has reports whether *t implements I. Trove encodes only addressable values, so methods with a pointer receiver count.
func has[I any](t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}
