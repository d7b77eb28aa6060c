package filter

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// Value is the value of a field in a form that is compared in the order of [store.Order]. Equal values are ==. The zero
// Value is null.
type Value struct {
	text    string
	number  int64 // booleans, integers, bits of floats, microseconds of times
	present bool
}

// IsNull reports whether the value is null.
func (v Value) IsNull() bool { return !v.present }

// Compare returns -1, 0 or 1 if v comes before, equals or comes after another value of its field. Null comes first.
func (v Value) Compare(other Value) int {
	switch {
	case v.present != other.present:
		if v.present {
			return 1
		}
		return -1
	case v.number != other.number:
		return cmp.Compare(v.number, other.number)
	}
	return strings.Compare(v.text, other.text)
}

// signBit turns unsigned integers into signed ones of the same order, and back.
const signBit = 1 << 63

// Text returns the value of a string.
func Text(v string) Value { return Value{present: true, text: v} }

// Hash returns a number that is the same for equal strings, in every program that uses the name.
func (v Value) Hash(name string) int64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name + "\x00" + v.text)) // never fails
	return int64(hash.Sum64())                        //nolint:gosec // keeps all bits
}

func ofInt(v int64) Value { return Value{present: true, number: v} }

// ofFloat returns the bits of a float; for a negative one, all except the sign are inverted. NaN comes before all
// numbers, and both zeros are equal.
func ofFloat(f float64) Value {
	bits := int64(math.Float64bits(f)) //nolint:gosec // keeps all bits
	switch {
	case f != f: // NaN
		return ofInt(math.MinInt64)
	case f == 0:
		return ofInt(0)
	case bits < 0:
		return ofInt(bits ^ math.MaxInt64)
	}
	return ofInt(bits)
}

// valueOf returns the value of a field that is not null.
func valueOf(kind model.Kind, v reflect.Value) (Value, error) {
	switch kind {
	case model.Bool:
		if v.Bool() {
			return ofInt(1), nil
		}
		return ofInt(0), nil
	case model.Int:
		return ofInt(v.Int()), nil
	case model.Uint:
		return ofInt(int64(v.Uint() ^ signBit)), nil //nolint:gosec // keeps all bits
	case model.Float:
		return ofFloat(v.Float()), nil
	case model.String:
		return Text(v.String()), nil
	case model.Time:
		t, _ := reflect.TypeAssert[time.Time](v)
		return ofInt(t.UnixMicro()), nil // as records have it, so that clients find a record by the value they sent
	case model.Bytes:
		if v.IsNil() { // null, as in a database
			return Value{}, nil
		}
		return Text(string(v.Bytes())), nil
	}
	text, err := model.OrderTextOf(v)
	return Text(text), err
}

// appendPart appends a value of an identifier with several fields. The bytes have the order of the values, and none are
// the beginning of others: a zero within a text is escaped, and one with another byte ends it.
func appendPart(b []byte, kind model.Kind, v Value) []byte {
	const end, escaped = 0x01, 0xff // a text that ends comes before a longer one
	if kind.IsNumber() || kind == model.Bool || kind == model.Time {
		return binary.BigEndian.AppendUint64(b, uint64(v.number)^signBit) //nolint:gosec // keeps all bits
	}
	for i := range len(v.text) {
		if b = append(b, v.text[i]); v.text[i] == 0 {
			b = append(b, escaped)
		}
	}
	return append(b, 0, end)
}
