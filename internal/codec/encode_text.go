package codec

import (
	"encoding/base64"
	"reflect"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

func encodeString(b []byte, at address, _ int) ([]byte, error) {
	return appendText(append(b, '"'), *as[string](at))
}

// appendText appends a string and the quotation mark behind it, where that in front of it
// is there.
// It is written by hand where nothing has to be escaped, for texts are most of what answers consist
// of.
func appendText(b []byte, text string) ([]byte, error) {
	// Appended first and looked at in place: the bytes are in the cache then, and a text that needs
	// escapes is rare enough to be written twice.
	start := len(b)
	b = append(b, text...)
	if !isPlain(text) && !isPlainUTF8(b[start:]) {
		return jsontext.AppendQuote(b[:start-1], text)
	}
	return append(b, '"'), nil
}

// appendOwnText appends in quotes what a value's own method wrote.
func appendOwnText(b, text []byte) ([]byte, error) {
	if plainLength(text) < len(text) {
		return jsontext.AppendQuote(b, text)
	}
	b = append(append(b, '"'), text...)
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

// encodeOwnText returns the encoder of a type that marshals itself as text.
func encodeOwnText(t reflect.Type) encoder {
	return func(b []byte, at address, _ int) ([]byte, error) {
		text, err := model.MarshalText(at.value(t).Addr().Interface())
		if err != nil {
			return b, err
		}
		return appendOwnText(b, text)
	}
}
