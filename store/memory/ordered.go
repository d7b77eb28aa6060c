package memory

import (
	"cmp"
	"math"
	"strings"
	"time"
)

// ordered is a value of a field in a form that compares fast, in the sense of
// store.Order. Two are == where they are equal. Its zero value is null.
type ordered struct {
	text    string
	integer int64 // booleans, integers, floats by their bits, seconds of times
	nano    int32
	present bool
}

func (a *ordered) compare(b *ordered) int {
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

// orderedPlain returns a value of one of the types that most fields have.
func orderedPlain(v any) (found ordered, ok bool) {
	switch v := v.(type) {
	case string:
		return orderedText(v), true
	case int:
		return orderedInt(v), true
	case int64:
		return orderedInt(v), true
	case bool:
		return orderedBool(v), true
	}
	return found, false
}

func orderedText[V ~string](v V) ordered { return ordered{present: true, text: string(v)} }

func orderedBool(v bool) ordered {
	if v {
		return ordered{present: true, integer: 1}
	}
	return ordered{present: true}
}

func orderedInt[V int | int8 | int16 | int32 | int64](v V) ordered {
	return ordered{present: true, integer: int64(v)}
}

// orderedUint turns the sign of an unsigned integer, which keeps their order.
func orderedUint[V uint | uint8 | uint16 | uint32 | uint64](v V) ordered {
	return ordered{present: true, integer: int64(uint64(v) ^ 1<<63)} //nolint:gosec // all its bits are kept
}

// orderedFloat returns the bits of a float, those that a negative one has beside its sign
// turned. What is no number comes before all numbers, and both zeros are one.
func orderedFloat[V float32 | float64](v V) ordered {
	f := float64(v)
	if f != f { // no number is not itself
		return ordered{present: true, integer: math.MinInt64}
	}
	bits := int64(math.Float64bits(f)) //nolint:gosec // all its bits are kept
	switch {
	case f == 0:
		bits = 0
	case bits < 0:
		bits ^= math.MaxInt64
	}
	return ordered{present: true, integer: bits}
}

func orderedTime(t time.Time) ordered {
	return ordered{present: true, integer: t.Unix(), nano: int32(t.Nanosecond())} //nolint:gosec // less than a thousand million
}
