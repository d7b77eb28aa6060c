package codec

import (
	"encoding"
	"encoding/base64"
	"reflect"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func encodeString(b []byte, at address, _ int) ([]byte, error) {
	return appendString(b, *as[string](at))
}

// appendString appends a string in quotes. What it copies it looks at once.
func appendString[T string | []byte](b []byte, text T) ([]byte, error) {
	start := len(b)
	b = append(append(b, '"'), text...)
	copied := b[start+1:]
	if n := plainLength(copied); n < len(copied) && !isPlainUTF8(copied[n:]) {
		return jsontext.AppendQuote(b[:start], text)
	}
	return append(b, '"'), nil
}

// isPlainUTF8 reports whether text stands in a JSON string as it is.
func isPlainUTF8(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.Valid(text)
}

func encodeBytes(b []byte, at address, _ int) ([]byte, error) {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, *as[[]byte](at))
	return append(b, '"'), nil
}

func encodeTextAppender(t reflect.Type) encoder {
	return func(b []byte, at address, _ int) ([]byte, error) {
		own, _ := reflect.TypeAssert[encoding.TextAppender](at.value(t).Addr())
		text, err := own.AppendText(nil)
		if err != nil {
			return b, err
		}
		return appendString(b, text)
	}
}

func encodeTextMarshaler(t reflect.Type) encoder {
	return func(b []byte, at address, _ int) ([]byte, error) {
		own, _ := reflect.TypeAssert[encoding.TextMarshaler](at.value(t).Addr())
		text, err := own.MarshalText()
		if err != nil {
			return b, err
		}
		return appendString(b, text)
	}
}
