package codec

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// integers are the encoders of integers. All digits are written, although many readers use floats; the format in
// the schema says so.
var integers = map[reflect.Kind]encoder{
	reflect.Int: encodeInteger[int], reflect.Int8: encodeInteger[int8], reflect.Int16: encodeInteger[int16],
	reflect.Int32: encodeInteger[int32], reflect.Int64: encodeInteger[int64],
	reflect.Uint: encodeInteger[uint], reflect.Uint8: encodeInteger[uint8], reflect.Uint16: encodeInteger[uint16],
	reflect.Uint32: encodeInteger[uint32], reflect.Uint64: encodeInteger[uint64],
}

func encodeInteger[T int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64](b []byte, at address, _ int) ([]byte, error) {
	n := *(*T)(at)
	if n < 0 {
		return strconv.AppendInt(b, int64(n), 10), nil
	}
	return strconv.AppendUint(b, uint64(n), 10), nil
}

// encodeScalar handles types that contain no other.
func encodeScalar(t *model.Type, _ *model.View) encoder {
	base := t.Base()
	switch t.Kind {
	case model.Bool:
		return func(b []byte, at address, _ int) ([]byte, error) { return strconv.AppendBool(b, *(*bool)(at)), nil }
	case model.Int, model.Uint:
		return integers[base.Kind()]
	case model.Float:
		if t.Bits == 32 {
			return func(b []byte, at address, _ int) ([]byte, error) { return appendFloat(b, float64(*(*float32)(at)), 32) }
		}
		return func(b []byte, at address, _ int) ([]byte, error) { return appendFloat(b, *(*float64)(at), 64) }
	case model.String:
		return func(b []byte, at address, _ int) ([]byte, error) { return appendText(append(b, '"'), *(*string)(at)) }
	case model.Bytes:
		return func(b []byte, at address, _ int) ([]byte, error) {
			return append(base64.StdEncoding.AppendEncode(append(b, '"'), *(*[]byte)(at)), '"'), nil
		}
	case model.Time:
		return encodeTime
	case model.Text:
		return func(b []byte, at address, _ int) ([]byte, error) {
			text, err := model.MarshalText(valueAt(at, base))
			if err != nil {
				return b, err
			}
			return appendText(append(b, '"'), text)
		}
	case model.Key: // composite, by its text
		return func(b []byte, at address, _ int) ([]byte, error) {
			text, err := t.Identifier().Text(t.KeyIn(valueAt(at, base)))
			if err != nil {
				return b, err
			}
			return appendText(append(b, '"'), text)
		}
	}
	// A type that marshals itself as JSON, a json.Number, or any.
	return func(b []byte, at address, _ int) ([]byte, error) {
		text, err := json.Marshal(valueAt(at, base).Addr().Interface(), freely)
		return append(b, text...), err
	}
}

// appendFloat appends a number as ECMAScript writes it, but keeps the sign of -0.
func appendFloat(b []byte, number float64, bits int) ([]byte, error) {
	// The largest integer whose digits are its shortest form, and the limits of ECMAScript (ECMA-262, Number::toString) for
	// numbers without an exponent, which most readers and writers of JSON follow.
	exact, least, most := float64(1<<53), 1e-6, 1e21
	if bits == 32 {
		exact, least, most = 1<<24, float64(float32(least)), float64(float32(most))
	}
	switch size := math.Abs(number); {
	// Most floats in bodies are whole, and strconv is slow at finding their shortest form.
	case size < exact && number != 0 && float64(int64(number)) == number:
		return strconv.AppendInt(b, int64(number), 10), nil
	case math.IsNaN(number) || math.IsInf(number, 0):
		return b, errors.New("the number is not finite")
	case number == 0 || least <= size && size < most:
		return strconv.AppendFloat(b, number, 'f', -1, bits), nil
	}
	b = strconv.AppendFloat(b, number, 'e', -1, bits)
	if n := len(b); b[n-4] == 'e' && b[n-2] == '0' { // Go pads exponents to two digits
		b = append(b[:n-2], b[n-1])
	}
	return b, nil
}

// appendText appends a string and its closing quotation mark. Strings without escapes take a fast path, because
// they make up most of a response.
func appendText[T string | []byte](b []byte, text T) ([]byte, error) {
	// The string is appended first and then checked: few need escapes, and those are written twice.
	start := len(b)
	b = append(b, text...)
	if !isPlain(b[start:]) && !isPlainUTF8(b[start:]) {
		return jsontext.AppendQuote(b[:start-1], text)
	}
	return append(b, '"'), nil
}

// isPlainUTF8 reports whether a JSON string can have the text without escapes.
func isPlainUTF8(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.Valid(text)
}

// isPlain reports whether a text is ASCII that JSON strings need not escape. It combines whole words without a
// branch in the loop, because most texts are plain. The last word may overlap the one before.
func isPlain(text []byte) bool {
	if len(text) < 8 {
		for _, c := range text {
			if c < ' ' || c >= 0x80 || c == '"' || c == '\\' {
				return false
			}
		}
		return true
	}
	found := specials(text[len(text)-8:])
	for ; len(text) > 8; text = text[8:] {
		found |= specials(text)
	}
	return found == 0
}

// specials returns 0 if the first eight bytes of a text are plain.
func specials(text []byte) uint64 {
	const eachByte = 0x0101010101010101 // times a byte is that byte, eight times
	word := binary.LittleEndian.Uint64(text)
	// Subtracting sets the top bit of each byte that is smaller. The quotation mark trades places with the space,
	// which puts it directly after the control characters, so one subtraction finds both.
	control := word ^ ('"'^' ')*eachByte - ('"'-1)*eachByte
	backslash := word ^ '\\'*eachByte - eachByte
	return (control | backslash | word) & (0x80 * eachByte)
}
