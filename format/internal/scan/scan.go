// Package scan finds its way through JSON that is known to be well-formed, for writers that
// turn it into something else.
package scan

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Space returns the index of the first byte from i on that is not a space.
func Space(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// String returns the index behind the string that begins at i, and whether it has escapes.
func String(text []byte, i int) (end int, escaped bool) {
	i++
	for i < len(text) {
		// Both searches are of the machine's widest words: texts are long, escapes rare.
		quote := bytes.IndexByte(text[i:], '"')
		if quote < 0 {
			break
		}
		slash := bytes.IndexByte(text[i:i+quote], '\\')
		if slash < 0 {
			return i + quote + 1, escaped
		}
		i, escaped = i+slash+2, true
	}
	return len(text), escaped
}

// Value returns the index behind the value that begins at i.
func Value(text []byte, i int) int {
	if i < len(text) && text[i] != '{' && text[i] != '[' && text[i] != '"' {
		return scalar(text, i)
	}
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			i, _ = String(text, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default:
			i = scalar(text, i)
		}
		if depth == 0 {
			return i
		}
	}
	return len(text)
}

// scalar returns the index behind a number or a word.
func scalar(text []byte, i int) int {
	for i < len(text) {
		if c := text[i]; c == ',' || c == '}' || c == ']' || c <= ' ' || c == ':' {
			return i
		}
		i++
	}
	return i
}

// AppendQuoted appends a text as a JSON string. What is not UTF-8 is replaced.
func AppendQuoted[T string | []byte](b []byte, text T) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}

// AppendName appends the name of a field and its colon.
func AppendName[T string | []byte](b []byte, name T) []byte {
	return append(AppendQuoted(b, name), ':')
}

// Escape returns a name as a step of a JSON Pointer (RFC 6901).
func Escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// Schema returns a schema as JSON, one that allows everything if it cannot be written.
func Schema(of any) json.RawMessage {
	text, err := json.Marshal(of)
	if err != nil {
		return json.RawMessage("{}")
	}
	return text
}
