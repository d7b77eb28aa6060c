package codec

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// boolean decodes booleans.
type boolean struct{ want string }

func (b boolean) decode(d *decoding, v reflect.Value) (bool, error) {
	kind := d.json.PeekKind()
	if kind != jsontext.KindTrue && kind != jsontext.KindFalse {
		return false, d.skipWrong(b.want)
	}
	if err := d.json.SkipValue(); err != nil {
		return false, err
	}
	v.SetBool(kind == jsontext.KindTrue)
	return true, nil
}

// number reads the next value as a number, or passes over it and notes what it must be.
// The number is valid until the next read.
func (d *decoding) number(want string) (number []byte, ok bool, err error) {
	if d.json.PeekKind() != jsontext.KindNumber {
		return nil, false, d.skipWrong(want)
	}
	number, err = d.json.ReadValue()
	return number, err == nil, err
}

// signed decodes signed integers.
type signed struct {
	bits        int
	want        string // of a value that is no integer
	wantBetween string // of one that is out of range
}

func newSigned(t *model.Type) signed {
	largest := int64(math.MaxInt64) >> (64 - t.Bits)
	return signed{t.Bits, orNull(t, "an integer"), orNull(t, fmt.Sprintf("an integer between %d and %d", -largest-1, largest))}
}

// Magnitude and sign are apart, as the smallest integer has a magnitude that no signed integer has.
func (s signed) decode(d *decoding, v reflect.Value) (bool, error) {
	number, ok, err := d.number(s.want)
	if !ok {
		return false, err
	}
	n := parseInteger(number)
	limit := uint64(1) << (s.bits - 1)
	switch {
	case n.fraction:
		d.wrong(codeType, "must be "+s.want)
	case n.huge, n.negative && n.magnitude > limit, !n.negative && n.magnitude >= limit:
		d.wrong(codeType, "must be "+s.wantBetween)
	case n.negative:
		v.SetInt(int64(-n.magnitude)) //nolint:gosec // two's complement, in range as checked
		return true, nil
	default:
		v.SetInt(int64(n.magnitude)) //nolint:gosec // in range as checked
		return true, nil
	}
	return false, nil
}

// unsigned decodes unsigned integers.
type unsigned struct {
	largest     uint64
	want        string // of a value that is no integer
	wantBetween string // of one that is out of range
}

// The message names the bounds of the Go type, which no document can tell of 64 bits.
func newUnsigned(t *model.Type) unsigned {
	largest := uint64(math.MaxUint64) >> (64 - t.Bits)
	return unsigned{largest, orNull(t, "an integer"), orNull(t, fmt.Sprintf("an integer between 0 and %d", largest))}
}

func (u unsigned) decode(d *decoding, v reflect.Value) (bool, error) {
	number, ok, err := d.number(u.want)
	if !ok {
		return false, err
	}
	n := parseInteger(number)
	switch {
	case n.fraction:
		d.wrong(codeType, "must be "+u.want)
	case n.huge, n.negative && n.magnitude > 0, n.magnitude > u.largest:
		d.wrong(codeType, "must be "+u.wantBetween)
	default:
		v.SetUint(n.magnitude)
		return true, nil
	}
	return false, nil
}

// float decodes floating-point numbers.
type float struct {
	bits        int
	want        string // of a value that is no number
	wantBetween string // of one that is out of range
}

func newFloat(t *model.Type) float {
	return float{t.Bits, orNull(t, "a number"), orNull(t, between(t.Bits))}
}

// The bounds are written out, since to JSON the value is a number like any other: only they tell what
// is wrong with it.
func between(bits int) string {
	if bits == 32 {
		return "a number between -3.4028234663852886e38 and 3.4028234663852886e38"
	}
	return "a number between -1.7976931348623157e308 and 1.7976931348623157e308"
}

// strconv rounds to the nearest and tells only of what is too large, which is what clients mean.
func (f float) decode(d *decoding, v reflect.Value) (bool, error) {
	number, ok, err := d.number(f.want)
	if !ok {
		return false, err
	}
	n, err := strconv.ParseFloat(string(number), f.bits)
	if err != nil {
		d.wrong(codeType, "must be "+f.wantBetween)
		return false, nil
	}
	v.SetFloat(n)
	return true, nil
}
