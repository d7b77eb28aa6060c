package parameters

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// unsayable stands in a cursor before a value that JSON has no form for: a time behind the
// year 9999, a number that is not finite, text that is not UTF-8. No client writes such a
// one, but another program may have, and pages go on behind its record as behind any other.
const unsayable = '~'

// appendUnsayable writes a value that JSON has no form for, if there is a form here.
// Bits and seconds rather than a text in decimal, so that the very same value is read.
func appendUnsayable(value any) ([]byte, bool) {
	b, v := []byte{unsayable}, reflect.ValueOf(value)
	switch {
	case v.Type().ConvertibleTo(reflect.TypeFor[time.Time]()):
		at := v.Convert(reflect.TypeFor[time.Time]()).Interface().(time.Time)
		b = strconv.AppendInt(b, at.Unix(), 10)
		return strconv.AppendInt(append(b, '.'), int64(at.Nanosecond()), 10), true
	case v.CanFloat():
		return strconv.AppendUint(b, math.Float64bits(v.Float()), 16), true
	case v.Kind() == reflect.String:
		return append(b, v.String()...), true
	}
	return nil, false
}

// read reads a value of a cursor, and reports whether it is one of the field's.
func (p position) read(literal []byte) (any, bool) {
	if len(literal) == 0 || literal[0] != unsayable {
		value, err := p.scalar.Decode(literal)
		return value, err == nil
	}
	text := string(literal[1:])
	made := reflect.New(p.path.Leaf().Type.Base()).Elem()
	switch {
	case reflect.TypeFor[time.Time]().ConvertibleTo(made.Type()):
		at, ok := unsayableTime(text)
		if !ok {
			return nil, false
		}
		made.Set(reflect.ValueOf(at).Convert(made.Type()))
	case made.CanFloat():
		bits, err := strconv.ParseUint(text, 16, 64)
		if err != nil {
			return nil, false
		}
		made.SetFloat(math.Float64frombits(bits))
	case made.Kind() == reflect.String:
		made.SetString(text)
	default:
		return nil, false
	}
	return made.Interface(), true
}

// unsayableTime reads the seconds and nanoseconds of a time.
func unsayableTime(text string) (time.Time, bool) {
	seconds, nanoseconds, ok := strings.Cut(text, ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	n, fault := strconv.ParseInt(nanoseconds, 10, 64)
	return time.Unix(s, n).UTC(), ok && err == nil && fault == nil
}
