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

// isExact reports whether a number converts to another type of numbers without a loss.
func isExact(v reflect.Value, to reflect.Type) bool {
	zero := reflect.Zero(to)
	switch {
	case v.CanInt():
		n := v.Int()
		return zero.CanInt() && !zero.OverflowInt(n) ||
			zero.CanUint() && n >= 0 && !zero.OverflowUint(uint64(n)) ||
			zero.CanFloat() && n >= -exactFloat && n <= exactFloat && isSameFloat(float64(n), zero)
	case v.CanUint():
		n := v.Uint()
		return zero.CanUint() && !zero.OverflowUint(n) ||
			zero.CanInt() && n <= math.MaxInt64 && !zero.OverflowInt(int64(n)) ||
			zero.CanFloat() && n <= exactFloat && isSameFloat(float64(n), zero)
	case v.CanFloat():
		f := v.Float()
		isWhole := f == math.Trunc(f) && math.Abs(f) <= exactFloat
		return zero.CanFloat() && isSameFloat(f, zero) ||
			zero.CanInt() && isWhole && !zero.OverflowInt(int64(f)) ||
			zero.CanUint() && isWhole && f >= 0 && !zero.OverflowUint(uint64(f))
	}
	return false
}

// isSameFloat reports whether a type of floats holds a number exactly.
func isSameFloat(f float64, zero reflect.Value) bool {
	return zero.Type().Bits() == 64 || float64(float32(f)) == f
}
