package memory

import (
	"cmp"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// value is that of a field in the one form in which values are compared, in the sense of
// store.Order. Two are == where they are equal. Its zero value is null.
type value struct {
	text    string
	integer int64 // booleans, integers, floats by their bits, seconds of times, the prefix of a text
	nano    int32
	present bool
}

func (a *value) compare(b *value) int {
	switch {
	case a.present != b.present:
		if a.present {
			return 1
		}
		return -1
	case a.integer != b.integer:
		return cmp.Compare(a.integer, b.integer)
	case a.nano != b.nano:
		return cmp.Compare(a.nano, b.nano)
	}
	return strings.Compare(a.text, b.text)
}

func ofText(v string) value {
	return value{present: true, text: v, integer: prefix(v)}
}

// prefix returns the first eight bytes of a text as a number of their order: most texts are
// told apart by these, without a look at where they are.
func prefix(text string) int64 {
	if len(text) >= 8 {
		return int64(binary.BigEndian.Uint64([]byte(text[:8])) ^ 1<<63) //nolint:gosec // all its bits are kept
	}
	var first [8]byte
	copy(first[:], text)
	return int64(binary.BigEndian.Uint64(first[:]) ^ 1<<63) //nolint:gosec // all its bits are kept
}

func ofBool(v bool) value {
	if v {
		return value{present: true, integer: 1}
	}
	return value{present: true}
}

func ofInt(v int64) value { return value{present: true, integer: v} }

// ofUint turns the sign of an unsigned integer, which keeps their order.
func ofUint(v uint64) value {
	return value{present: true, integer: int64(v ^ 1<<63)} //nolint:gosec // all its bits are kept
}

// ofFloat returns the bits of a float; those of a negative float are inverted but for the sign.
// NaN comes before all numbers, and both zeros are equal.
func ofFloat(f float64) value {
	if f != f { // NaN
		return value{present: true, integer: math.MinInt64}
	}
	bits := int64(math.Float64bits(f)) //nolint:gosec // all its bits are kept
	switch {
	case f == 0:
		bits = 0
	case bits < 0:
		bits ^= math.MaxInt64
	}
	return value{present: true, integer: bits}
}

func ofTime(t time.Time) value {
	return value{present: true, integer: t.Unix(), nano: int32(t.Nanosecond())} //nolint:gosec // less than a thousand million
}

// reader reads the value of a field that is not null.
type reader func(field reflect.Value) (value, error)

// readers are those of the kinds whose values have an order or a simple equality. Fields are addressable: their
// values are read without a copy.
var readers = map[model.Kind]reader{
	model.Bool:   func(field reflect.Value) (value, error) { return ofBool(field.Bool()), nil },
	model.Int:    func(field reflect.Value) (value, error) { return ofInt(field.Int()), nil },
	model.Uint:   func(field reflect.Value) (value, error) { return ofUint(field.Uint()), nil },
	model.Float:  func(field reflect.Value) (value, error) { return ofFloat(field.Float()), nil },
	model.String: func(field reflect.Value) (value, error) { return ofText(field.String()), nil },
	model.Time: func(field reflect.Value) (value, error) {
		t := field.Addr().Interface().(*time.Time)
		return ofTime(*t), nil
	},
	model.Bytes: func(field reflect.Value) (value, error) {
		if field.IsNil() { // null, as it is in a database
			return value{}, nil
		}
		return ofText(string(field.Bytes())), nil
	},
	model.Text: func(field reflect.Value) (value, error) {
		text, err := model.OrderTextOf(field)
		return ofText(text), err
	},
}
