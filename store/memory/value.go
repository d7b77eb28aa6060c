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

func ofText[V ~string](v V) value {
	return value{present: true, text: string(v), integer: prefix(string(v))}
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

func ofInt[V int | int8 | int16 | int32 | int64](v V) value {
	return value{present: true, integer: int64(v)}
}

// ofUint turns the sign of an unsigned integer, which keeps their order.
func ofUint[V uint | uint8 | uint16 | uint32 | uint64](v V) value {
	return value{present: true, integer: int64(uint64(v) ^ 1<<63)} //nolint:gosec // all its bits are kept
}

// ofFloat returns the bits of a float, those that a negative one has beside its sign
// turned. What is no number comes before all numbers, and both zeros are one.
func ofFloat[V float32 | float64](v V) value {
	f := float64(v)
	if f != f { // no number is not itself
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

// reader reads the value of one field.
type reader func(in instance) (value, error)

// readerOf compiles the reader of what a way leads to; nil for types whose values have
// neither an order nor a simple equality.
func readerOf(t *model.Type, w way) reader {
	switch t.Kind {
	case model.Bool:
		return readerAs(w, ofBool)
	case model.Int, model.Uint, model.Float:
		return numberReader(w)
	case model.String:
		return readerAs(w, ofText[string])
	case model.Time:
		return readerAs(w, ofTime)
	case model.Bytes:
		return func(in instance) (value, error) {
			p := w.pointer(in)
			if p == nil || reflect.ValueOf(p).Elem().IsNil() { // null, as it is in a database
				return value{}, nil
			}
			return ofText(string(reflect.ValueOf(p).Elem().Bytes())), nil
		}
	case model.Text:
		return func(in instance) (value, error) {
			p := w.pointer(in)
			if p == nil {
				return value{}, nil
			}
			text, err := model.OrderText(p)
			return ofText(text), err
		}
	}
	return nil
}

func numberReader(w way) reader {
	switch w.found.Kind() {
	case reflect.Int:
		return readerAs(w, ofInt[int])
	case reflect.Int8:
		return readerAs(w, ofInt[int8])
	case reflect.Int16:
		return readerAs(w, ofInt[int16])
	case reflect.Int32:
		return readerAs(w, ofInt[int32])
	case reflect.Int64:
		return readerAs(w, ofInt[int64])
	case reflect.Uint:
		return readerAs(w, ofUint[uint])
	case reflect.Uint8:
		return readerAs(w, ofUint[uint8])
	case reflect.Uint16:
		return readerAs(w, ofUint[uint16])
	case reflect.Uint32:
		return readerAs(w, ofUint[uint32])
	case reflect.Uint64:
		return readerAs(w, ofUint[uint64])
	case reflect.Float32:
		return readerAs(w, ofFloat[float32])
	case reflect.Float64:
		return readerAs(w, ofFloat[float64])
	}
	return nil
}

// readerAs makes the reader of a field that has the layout of V; nil where it has not.
func readerAs[V any](w way, of func(V) value) reader {
	at, ok := locate[V](w)
	if !ok {
		return nil
	}
	return func(in instance) (value, error) {
		if v := at.in(in); v != nil {
			return of(*v), nil
		}
		return value{}, nil
	}
}
