package openapitest

import (
	"encoding/json"
	"math"
	"strings"
)

// pool has values of every type, some of which most schemas refuse.
func pool() []any {
	return []any{
		nil, true, false, 0, 1, -1, 2.5, 1e30, math.MaxInt64, "", " ", "a", "ab", "日本語", "e\u0301", "🏴‍☠️", "null", "true", "1", "<b>", "'; --", "\n",
		"2024-02-29T12:00:00Z", "2024-02-30T12:00:00Z", "2024-02-29", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "name@example.com", "https://example.com/a",
		"192.0.2.1",
		[]any{},
		[]any{nil},
		[]any{1},
		[]any{"a"},
		[]any{[]any{}},
		object{},
		object{"a": 1},
		object{"a": nil},
	}
}

// candidates are values for a schema: those of the pool, its own bounds and enumeration,
// and what is just beyond.
func (d *document) candidates(schema object) []any {
	found := append(append(pool(), bounds(schema)...), d.extremes(schema)...)
	for _, keyword := range []string{"enum", "examples"} {
		list, _ := schema[keyword].([]any)
		found = append(found, list...)
	}
	for _, keyword := range []string{"const", "default"} {
		if value, ok := schema[keyword]; ok {
			found = append(found, value)
		}
	}
	for _, keyword := range []string{"anyOf", "allOf", "oneOf"} {
		list, _ := schema[keyword].([]any)
		for _, each := range list {
			found = append(found, bounds(d.resolve(each))...)
		}
	}
	return found
}

// bounds are the values at the limits of a schema, and those a step beyond.
func bounds(schema object) []any {
	var found []any
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
		if limit, ok := number(schema[keyword]); ok {
			found = append(found, limit, limit-1, limit+1, limit+0.5)
		}
	}
	for _, n := range lengths(schema, "minLength", "maxLength") {
		found = append(found, strings.Repeat("x", n), strings.Repeat("é", n))
	}
	for _, n := range lengths(schema, "minItems", "maxItems") {
		found = append(found, make([]any, n))
	}
	return found
}

// maxLength is the longest text that is made for a limit.
const maxLength = 10_000

// lengths are the lengths at the limits of a schema, and those a step beyond.
func lengths(schema object, keywords ...string) []int {
	var found []int
	for _, keyword := range keywords {
		if limit, ok := number(schema[keyword]); ok && limit < maxLength {
			found = append(found, max(int(limit)-1, 0), int(limit), int(limit)+1)
		}
	}
	return found
}

func number(value any) (float64, bool) {
	text, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := text.Float64()
	return n, err == nil
}

// texts are the texts that a parameter is sent with.
func texts(schema object) []string {
	words := []string{
		"", " ", "a", "1", "-1", "0", "1.5", "1e1", "+1", "01", "9223372036854775808", "true", "false", "null", "asc", "NaN", "é", "日本語", "a,b", "1..2", "%", "'; --",
		"2024-02-29T12:00:00Z", "2024-02-30T12:00:00Z", endsOfTheCalendar[0],
		"2024-02-29", "2024-02-30", "1.0", "2", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", strings.Repeat("x", 300),
	}
	items, _ := schema["items"].(object)
	for _, each := range []object{schema, items} {
		for _, value := range bounds(each) {
			if text, ok := value.(string); ok {
				words = append(words, text)
			} else if n, ok := value.(float64); ok {
				words = append(words, string(written(n)))
			}
		}
		enum, _ := each["enum"].([]any)
		for _, value := range enum {
			words = append(words, parameter{}.text(value))
		}
	}
	return words
}
