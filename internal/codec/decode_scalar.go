package codec

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/internal/model"
)

// scalar handles types that contain no other. Named types are read as their underlying type.
func (p *planner) scalar(t *model.Type, at position) plan {
	made := p.plainScalar(t, at)
	if t.Stated != nil {
		made.decode = checkStated(t, made.decode)
	}
	return made
}

// plainScalar does so without the schemas that types state.
func (p *planner) plainScalar(t *model.Type, at position) plan {
	switch t.Kind {
	case model.Bool:
		want := "true or false"
		if t.Nullable {
			want = "true, false or null"
		}
		return plan{decode: func(d *decoding, at address) (bool, error) {
			kind := d.json.PeekKind()
			if kind != jsontext.KindTrue && kind != jsontext.KindFalse {
				return false, d.skipWrong(want)
			}
			*(*bool)(at) = kind == jsontext.KindTrue
			return true, d.json.SkipValue()
		}}
	case model.Int, model.Uint:
		return plan{decode: decodeInteger(t)}
	case model.Float, model.Numeral:
		return plan{decode: decodeFloat(t)}
	case model.String:
		return plan{decode: fromString(orNull(t, "a string"), func(_ *decoding, text []byte, at address) bool {
			*(*string)(at) = string(text)
			return true
		})}
	case model.Any:
		return plan{decode: decodeAny(at)}
	case model.Custom:
		return plan{decode: decodeCustom(t.Base(), at)}
	case model.Bytes:
		return p.orNil(t, decodeBytes(t))
	case model.Time:
		return plan{decode: decodeTime(t)}
	case model.Key:
		return plan{decode: decodeKey(t)}
	}
	return plan{decode: decodeMarshaled(t)}
}

// badForm is the message for text that its own type rejects.
const badForm = "has an invalid format"

// decodeBytes returns the decoder of bytes, which are base64 in JSON.
func decodeBytes(t *model.Type) decoder {
	want := orNull(t, "a base64 string")
	return fromString(want, func(d *decoding, text []byte, at address) bool {
		// Padded base64 with the standard alphabet, without line breaks.
		made, err := base64.StdEncoding.AppendDecode([]byte{}, text)
		if err != nil || bytes.ContainsAny(text, "\r\n") {
			d.wrong(codeType, "must be "+want)
			return false
		}
		*(*[]byte)(at) = made
		return true
	})
}

// decodeTime returns the decoder of times.
func decodeTime(t *model.Type) decoder {
	want := orNull(t, "a date and time such as 2006-01-02T15:04:05Z")
	return fromString(want, func(d *decoding, text []byte, at address) bool {
		given, ok := parseTime(text)
		switch {
		case ok:
			*(*time.Time)(at) = given
		case given.IsZero():
			d.wrong(codeType, "must be "+want)
		default:
			d.wrong(codeType, badYear)
		}
		return ok
	})
}

// decodeKey returns the decoder of composite keys. Their JSON is the text that stores keep.
func decodeKey(t *model.Type) decoder {
	goType := t.Base()
	return fromString("a string", func(d *decoding, text []byte, at address) bool {
		made := reflect.New(goType).Elem()
		if t.SetKeyText(made, string(text)) != nil {
			d.wrong(CodeReference, badForm)
			return false
		}
		valueAt(at, goType).Set(made)
		return true
	})
}

// decodeMarshaled returns the decoder of a type that unmarshals its own text. All stores keep the same digits of decimal
// numbers.
func decodeMarshaled(t *model.Type) decoder {
	// The JSON Schema format "uuid" has one form. UUID types also read others, such as urn:uuid:….
	const lengthOfUUID = 36
	if t.IsDate() {
		return decodeDate(t)
	}
	goType, want := t.Base(), "a string"
	isUUID := strings.EqualFold(goType.Name(), "UUID")
	if t.Digits != nil {
		want = "a string with a decimal number such as \"12.50\""
	}
	return fromString(orNull(t, want), func(d *decoding, text []byte, at address) bool {
		if isUUID && !d.stored && len(text) != lengthOfUUID {
			d.wrong(codeType, badForm)
			return false
		}
		if t.Digits != nil {
			exact, err := t.Digits.Read(string(text))
			if err != nil {
				d.wrong(codeType, err.Error())
				return false
			}
			text = []byte(exact)
		}
		made := reflect.New(goType).Elem() // a failing method may leave anything behind
		if err := model.UnmarshalText(made, text); err != nil {
			d.rejected(err)
			return false
		}
		valueAt(at, goType).Set(made)
		return true
	})
}

// decodeDate returns the decoder of dates.
func decodeDate(t *model.Type) decoder {
	want := orNull(t, "a date such as 2006-01-02")
	return fromString(want, func(d *decoding, text []byte, at address) bool {
		var given date.Date
		if given.UnmarshalText(text) != nil {
			d.wrong(codeType, "must be "+want)
			return false
		}
		*(*date.Date)(at) = given
		return true
	})
}

// fromString returns the decoder of a value that is created from a JSON string. Set reports whether it succeeded,
// and reports the violation if not.
func fromString(want string, set func(d *decoding, text []byte, at address) bool) decoder {
	return func(d *decoding, at address) (bool, error) {
		text, ok, err := d.string(want)
		return ok && set(d, text, at), err
	}
}

// The message has the limits of floating-point numbers, because nothing else shows what is wrong with the number.
const (
	limits32 = "-3.4028234663852886e38 and 3.4028234663852886e38"
	limits64 = "-1.7976931348623157e308 and 1.7976931348623157e308"
)

// decodeFloat returns the decoder of floating-point numbers and of json.Number. strconv rounds to the nearest and only
// reports numbers that are too large, which is what clients expect.
func decodeFloat(t *model.Type) decoder {
	want, wantBetween, bits := orNull(t, "a number"), orNull(t, "a number between "+limits64), t.Bits
	if bits == 32 {
		wantBetween = orNull(t, "a number between "+limits32)
	}
	return func(d *decoding, at address) (bool, error) {
		number, ok, err := d.number(want)
		if !ok {
			return false, err
		}
		n, err := strconv.ParseFloat(string(number), bits)
		switch {
		case err != nil:
			d.wrong(codeType, "must be "+wantBetween)
			return false, nil
		case t.Kind == model.Numeral:
			*(*model.Number)(at) = model.Number(number)
		case bits == 32:
			*(*float32)(at) = float32(n)
		default:
			*(*float64)(at) = n
		}
		return true, nil
	}
}

// decodeInteger returns the decoder of integers. The message has the bounds of the Go type, because the OpenAPI
// document cannot state those of 64 bits.
func decodeInteger(t *model.Type) decoder {
	// Magnitude and sign are separate, because the magnitude of the smallest integer does not fit a signed integer.
	lowest, highest, least := uint64(0), uint64(math.MaxUint64)>>(64-t.Bits), "0"
	if t.Kind == model.Int {
		lowest = uint64(1) << (t.Bits - 1)
		highest, least = lowest-1, "-"+strconv.FormatUint(lowest, 10)
	}
	want, size := orNull(t, "an integer"), t.Base().Size()
	wantBetween := orNull(t, fmt.Sprintf("an integer between %s and %d", least, highest))
	return func(d *decoding, at address) (bool, error) {
		number, ok, err := d.number(want)
		if !ok {
			return false, err
		}
		n := parseInteger(number)
		switch {
		case n.fraction:
			d.wrong(codeType, "must be "+want)
			return false, nil
		case n.huge, n.negative && n.magnitude > lowest, !n.negative && n.magnitude > highest:
			d.wrong(codeType, "must be "+wantBetween)
			return false, nil
		case n.negative:
			n.magnitude = -n.magnitude // two's complement
		}
		// The number is in range, and a signed integer has the bits of an unsigned one.
		switch size {
		case 1:
			*(*uint8)(at) = uint8(n.magnitude) //nolint:gosec // see above
		case 2:
			*(*uint16)(at) = uint16(n.magnitude) //nolint:gosec // see above
		case 4:
			*(*uint32)(at) = uint32(n.magnitude) //nolint:gosec // see above
		default:
			*(*uint64)(at) = n.magnitude
		}
		return true, nil
	}
}

// integer is a JSON number read as an integer. Messages need to know whether it is a fraction or too large.
type integer struct {
	negative  bool
	magnitude uint64
	fraction  bool // the number is not an integer
	huge      bool // the magnitude does not fit
}

// parseInteger reads a well-formed JSON number. 3.0 and 1e1 are integers, as in JSON Schema. It takes time linear
// in the number's length, regardless of the exponent.
func parseInteger(number []byte) integer {
	digits, negative := bytes.CutPrefix(number, []byte("-"))
	exponent := 0
	if bytes.ContainsAny(digits, ".eE") {
		digits, exponent = decimal(digits)
	}
	n := integer{negative: negative}
	// Checked before any digit is written: 1e999999999 has ten bytes, and a gigabyte of zeros.
	const longest = len("18446744073709551615")
	switch {
	case exponent < 0:
		n.fraction = true
	case len(digits)+exponent > longest:
		n.huge = true
	default:
		digits = append(slices.Clip(digits), bytes.Repeat([]byte("0"), exponent)...)
		magnitude, err := strconv.ParseUint(string(digits), 10, 64)
		n.magnitude, n.huge = magnitude, err != nil
	}
	return n
}

// decimal splits an unsigned number into significant digits and a power of ten. It works on digits, because float64
// cannot represent all 64-bit integers.
func decimal(number []byte) (digits []byte, exponent int) {
	if i := bytes.IndexAny(number, "eE"); i >= 0 {
		// If the exponent does not fit, this is the nearest one that does. No body has enough digits to make up for it.
		power, _ := strconv.ParseInt(string(number[i+1:]), 10, 32)
		exponent, number = int(power), number[:i]
	}
	whole, fraction, _ := bytes.Cut(number, []byte("."))
	exponent -= len(fraction)
	digits = bytes.TrimLeft(slices.Concat(whole, fraction), "0")
	// Trailing zeros go into the power, so that 10.0 and 100e-1 are both 1 with the power 1.
	short := bytes.TrimRight(digits, "0")
	if len(short) == 0 {
		return []byte("0"), 0
	}
	return short, exponent + len(digits) - len(short)
}
