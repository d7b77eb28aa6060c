package schema

import (
	"errors"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ValueOf returns a Go value as JSON: nil for one that has none.
func ValueOf(value any) jsontext.Value {
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
// map[string]any, and uint64 for what only that holds. Nil for what is no JSON.
func Go(text jsontext.Value) any {
	var value any
	if err := json.Unmarshal(text, &value, json.WithUnmarshalers(json.UnmarshalFromFunc(readNumber))); err != nil {
		return nil
	}
	return value
}

// readNumber reads a number into the type that holds it whole: a whole one is an integer,
// however it is written.
func readNumber(from *jsontext.Decoder, to *any) error {
	if from.PeekKind() != jsontext.KindNumber {
		return errors.ErrUnsupported
	}
	text, err := from.ReadValue()
	*to = numberOf(string(text))
	return err
}

func numberOf(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	n, _ := strconv.ParseFloat(text, 64)
	return Whole(n)
}

// Whole returns a number as an integer, if it is one that float64 has whole.
func Whole(n float64) any {
	if whole := int64(n); float64(whole) == n && whole < Exact && whole > -Exact {
		return whole
	}
	return n
}
