package model

import (
	"math"
	"reflect"
)

// Convert returns a value of a query as the type without its pointer, and whether that loses nothing: numbers and
// strings of other types, pointers to values, and strings for types that read themselves from text.
func (t *Type) Convert(given any) (any, bool) {
	base := t.Base()
	v := reflect.ValueOf(given)
	if v.Kind() == reflect.Pointer && !v.IsNil() && v.Type() != base {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return nil, false
	case v.Type() == base:
		return v.Interface(), true
	case t.Kind == Text && v.Type() == reflect.TypeFor[string]():
		read := reflect.New(base).Elem()
		err := UnmarshalText(read, []byte(v.String()))
		return read.Interface(), err == nil
	case t.Kind == String && v.Kind() == reflect.String, t.Kind == Bool && v.Kind() == reflect.Bool:
		return v.Convert(base).Interface(), true
	case t.Kind.IsNumber() && isExact(v, base):
		return v.Convert(base).Interface(), true
	}
	return nil, false
}

// exactFloat is the largest integer below which a float64 holds every integer.
const exactFloat = 1 << 53

// isExact reports whether a number converts to another type of numbers, and back to the same number.
func isExact(v reflect.Value, to reflect.Type) bool {
	if !v.CanInt() && !v.CanUint() && !v.CanFloat() {
		return false
	}
	made := v.Convert(to)
	from, into := v.Convert(reflect.TypeFor[float64]()).Float(), made.Convert(reflect.TypeFor[float64]()).Float()
	isSmall := v.CanFloat() == made.CanFloat() || math.Abs(from) <= exactFloat
	return isSmall && (from < 0) == (into < 0) && made.Convert(v.Type()).Equal(v)
}
