package openapitest

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// exampleOf returns the example of an operation's body, or one generated from its schema: documents have examples in JSON
// alone. It reports whether there is one.
func (c *conformity) exampleOf(op *operation) (any, bool) {
	if example, ok := op.example(); ok || op.body() == "" {
		return example, ok
	}
	if !op.isGenerated {
		op.isGenerated = true
		generated := c.generate(op, nil, op.schemaOf(op.body()))
		if c.isValid(op.schemaOf(op.body()), toJSON(generated)) {
			op.generated = generated
		}
	}
	return op.generated, op.generated != nil
}

// generate generates a value of a schema: an object with its required fields, a reference to a record, or the first
// valid candidate. It returns nil if none is valid.
func (c *conformity) generate(op *operation, names []string, schema any) any {
	if field, target := c.field(op, names); target != nil {
		return c.reference(field, target, false)
	}
	resolved := c.document.resolve(schema)
	properties, _ := resolved["properties"].(object)
	if properties != nil && (resolved["type"] == nil || slices.Contains(typesOf(resolved), "object")) {
		body := object{}
		for _, name := range requiredOf(resolved) {
			body[name] = c.generate(op, append(slices.Clone(names), name), properties[name])
		}
		return body
	}
	for _, value := range c.document.candidates(resolved) {
		if c.isValid(schema, toJSON(value)) {
			return value
		}
	}
	return nil
}

// minimal returns a body with only the required fields, for an operation that creates records. It reports whether there
// is one.
func (c *conformity) minimal(creator *operation) (string, bool) {
	example, ok := c.exampleOf(creator)
	if _, isObject := example.(object); !ok || !isObject {
		return "", false
	}
	return string(toJSON(c.required(example, c.document.resolve(creator.schemaOf(creator.body()))))), true
}

// required returns an example with only its required fields.
func (c *conformity) required(value any, schema object) any {
	node, ok := value.(object)
	schema = c.alternatives(schema)
	properties, _ := schema["properties"].(object)
	if !ok || properties == nil {
		return value
	}
	left := object{}
	for name, inner := range node {
		if slices.Contains(requiredOf(schema), name) {
			left[name] = c.required(inner, c.document.resolve(properties[name]))
		}
	}
	return left
}

// candidates returns values to test a schema with: values of every type, including some that most schemas reject, its
// enumeration, and values at and beyond its limits.
func (d *document) candidates(schema object) []any {
	found := []any{
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
	found = append(append(found, bounds(schema)...), extremes(schema)...)
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

// bounds returns values at the limits of a schema, and one step beyond.
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

// maxLength is the longest string that is generated for a limit.
const maxLength = 10_000

// lengths returns the lengths at the limits of a schema, and one step beyond.
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
	text, _ := value.(json.Number)
	n, err := text.Float64()
	return n, err == nil
}

// parameterStrings returns the strings that a parameter is sent with.
func parameterStrings(schema object) []string {
	words := []string{
		"", " ", "a", "1", "-1", "0", "1.5", "1e1", "+1", "01", "9223372036854775808", "true", "false", "null", "asc", "NaN", "é", "日本語", "a,b", "1..2", "%", "'; --",
		"2024-02-29T12:00:00Z", "2024-02-30T12:00:00Z", endsOfTheCalendar[0],
		"2024-02-29", "2024-02-30", "1.0", "2", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", strings.Repeat("x", 300),
	}
	items, _ := schema["items"].(object)
	for _, each := range []object{schema, items} {
		enum, _ := each["enum"].([]any)
		for _, value := range append(bounds(each), enum...) {
			words = append(words, parameter{}.text(value))
		}
	}
	return words
}

// endsOfTheCalendar are valid times of RFC 3339 that have a different year in UTC, or one that cannot be written. An
// API may reject them.
var endsOfTheCalendar = [...]string{"9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z"}

// isLoose reports whether a body has a value that its schema permits and the API may still reject.
func isLoose(body string) bool {
	return slices.ContainsFunc(endsOfTheCalendar[:], func(text string) bool { return strings.Contains(body, text) })
}

// extremes returns rarely tested values of a schema, such as integers beyond 64 bits.
func extremes(schema object) []any {
	var found []any
	for _, kind := range typesOf(schema) {
		switch {
		case kind == "integer":
			for _, number := range []string{"9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616"} {
				found = append(found, json.Number(number))
			}
		case kind == "string" && schema["format"] == "date-time":
			for _, text := range endsOfTheCalendar {
				found = append(found, text)
			}
		case kind == "string" && schema["format"] == nil && schema["enum"] == nil:
			found = append(found, noise())
		case kind == "object" && schema["additionalProperties"] != nil:
			for _, value := range []any{"a", 1, true, []any{}, make([]any, 100), object{}} {
				found = append(found, object{longName(): value})
			}
		}
	}
	return found
}

// longName returns a long field name with the separators of error paths.
func longName() string { return strings.Repeat("long.name[0]", 170) }

// noise returns a string that databases cannot compress. It is the same in each run.
func noise() string {
	b := make([]byte, 3<<10)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b) // it never fails
	return base64.URLEncoding.EncodeToString(b)
}
