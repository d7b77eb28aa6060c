package schema

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ValueOf returns a Go value as JSON: nil for one that has none. Schemas are full of texts and
// numbers, so those do without the encoder.
func ValueOf(value any) jsontext.Value {
	switch v := value.(type) {
	case string:
		return appendText(nil, v)
	case int64:
		return strconv.AppendInt(nil, v, 10)
	case int:
		return strconv.AppendInt(nil, int64(v), 10)
	case uint64:
		return strconv.AppendUint(nil, v, 10)
	}
	// Deterministic, so that the same API has the same document, byte for byte, however often it is
	// started.
	text, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return text
}

// ValuesOf returns Go values as JSON.
func ValuesOf[V any](values ...V) []jsontext.Value {
	var list []jsontext.Value
	for _, value := range values {
		list = append(list, ValueOf(value))
	}
	return list
}

// Go returns a JSON value as a Go value: nil, bool, string, int64, float64, []any and
// map[string]any, and uint64 for what only that holds. A whole number is an integer, however it
// is written. Nil for what is no JSON.
// It is the one form in which values are compared and samples are made, whichever text they were
// read from.
func Go(text jsontext.Value) any {
	switch text.Kind() {
	case jsontext.KindTrue, jsontext.KindFalse:
		return text.Kind() == jsontext.KindTrue
	case jsontext.KindString:
		value, err := jsontext.AppendUnquote(nil, bytes.TrimSpace(text))
		if err != nil {
			return nil
		}
		return string(value)
	case jsontext.KindNumber:
		return numberOf(string(bytes.TrimSpace(text)))
	case jsontext.KindBeginArray:
		var elements []jsontext.Value
		if json.Unmarshal(text, &elements) != nil {
			return nil
		}
		list := make([]any, len(elements))
		for i, element := range elements {
			list[i] = Go(element)
		}
		return list
	case jsontext.KindBeginObject:
		var members map[string]jsontext.Value
		if json.Unmarshal(text, &members) != nil {
			return nil
		}
		object := make(map[string]any, len(members))
		for name, value := range members {
			object[name] = Go(value)
		}
		return object
	}
	return nil
}

// Integers before floats: float64 would round those beyond 2^53, and a document would show another
// number than the tag has.
func numberOf(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	return Whole(n)
}

// Whole returns a number as an integer, if it is one that float64 has whole.
// Beyond [Exact] a float64 stands for several integers, and to write one of them would claim a
// precision that nobody has given.
func Whole(n float64) any {
	if whole := int64(n); float64(whole) == n && whole < Exact && whole > -Exact {
		return whole
	}
	return n
}
