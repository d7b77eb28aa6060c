package codec

import (
	"encoding"
	"encoding/base64"
	"errors"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func encodeBool(b []byte, v reflect.Value, _ int) ([]byte, error) {
	return strconv.AppendBool(b, v.Bool()), nil
}

func encodeInt(b []byte, v reflect.Value, _ int) ([]byte, error) {
	return strconv.AppendInt(b, v.Int(), 10), nil
}

func encodeUint(b []byte, v reflect.Value, _ int) ([]byte, error) {
	return strconv.AppendUint(b, v.Uint(), 10), nil
}

// encodeFloat returns the encoder of floats of so many bits. They are written as
// ECMAScript writes numbers, but that -0 keeps its sign.
func encodeFloat(bits int) encoder {
	return func(b []byte, v reflect.Value, _ int) ([]byte, error) {
		number := v.Float()
		if math.IsNaN(number) || math.IsInf(number, 0) {
			return b, errors.New("the number is not finite")
		}
		if !isScientific(number, bits) {
			return strconv.AppendFloat(b, number, 'f', -1, bits), nil
		}
		b = strconv.AppendFloat(b, number, 'e', -1, bits)
		if n := len(b); b[n-4] == 'e' && b[n-2] == '0' { // Go pads exponents to two digits
			b = append(b[:n-2], b[n-1])
		}
		return b, nil
	}
}

// isScientific reports whether a number is written with an exponent: one that is very
// small or very large, after rounding to the float's bits.
func isScientific(number float64, bits int) bool {
	size := math.Abs(number)
	if bits == 32 {
		return size != 0 && (float32(size) < 1e-6 || float32(size) >= 1e21)
	}
	return size != 0 && (size < 1e-6 || size >= 1e21)
}

func encodeString(b []byte, v reflect.Value, _ int) ([]byte, error) {
	return jsontext.AppendQuote(b, v.String())
}

func encodeBytes(b []byte, v reflect.Value, _ int) ([]byte, error) {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, v.Bytes())
	return append(b, '"'), nil
}

func encodeTime(b []byte, v reflect.Value, _ int) ([]byte, error) {
	at, _ := reflect.TypeAssert[*time.Time](v.Addr())
	b, err := at.AppendText(append(b, '"'))
	return append(b, '"'), err
}

func encodeTextAppender(b []byte, v reflect.Value, _ int) ([]byte, error) {
	own, _ := reflect.TypeAssert[encoding.TextAppender](v.Addr())
	text, err := own.AppendText(nil)
	if err != nil {
		return b, err
	}
	return jsontext.AppendQuote(b, text)
}

func encodeTextMarshaler(b []byte, v reflect.Value, _ int) ([]byte, error) {
	own, _ := reflect.TypeAssert[encoding.TextMarshaler](v.Addr())
	text, err := own.MarshalText()
	if err != nil {
		return b, err
	}
	return jsontext.AppendQuote(b, text)
}

// encodeOther encodes types that marshal themselves as JSON, and values of the type any.
func encodeOther(b []byte, v reflect.Value, _ int) ([]byte, error) {
	text, err := json.Marshal(v.Addr().Interface(), json.Deterministic(true))
	return append(b, text...), err
}
