package openapitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

// bodies sends bodies that differ from the example in one place.
func (c *conformity) bodies(op operation, base request) {
	schema := c.document.resolve(op.schemaOf(base.mediaType))
	for _, text := range malformed(base.body, slices.Contains(typesOf(schema), "array")) {
		c.try(op, base.with(text, false, true))
	}
	example, ok := c.exampleOf(op)
	if !ok {
		_ = json.Unmarshal([]byte(base.body), &example) // the body comes from a Get, in a JSON format
	}
	bodies := c.variants(example, schema, 0)
	if list, ok := example.([]any); ok {
		bodies = append(bodies, c.lists(list, schema)...)
	}
	for _, body := range bodies {
		if c.isSpent() {
			return
		}
		r := base
		r.body = string(written(body))
		r.valid, r.exactly = c.validity(op, r)
		c.try(op, r)
	}
}

// malformed returns bodies that are not a single JSON object, or not a single JSON array if the schema is a list. An
// empty list is not among them, because the schema may permit it.
func malformed(example string, isList bool) []string {
	cut := example[:len(example)-1]
	found := []string{
		"", " ", "{", "}", "null", "1", `"a"`, cut, example + "x", example + example, "\xff", `{"a":1,"a":2}`, `{"a":"\ud800"}`, `{a:1}`, "{'a':1}", `{"a":1,}`,
		strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000),
	}
	if !isList {
		return append(found, "[]")
	}
	return append(found, "{}", "[", "]", "[,]", cut+",]", cut+" 1]", `[{"a":1,"a":2}]`, `[{"a":"\ud800"}]`,
		strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000))
}

// lists returns lists with a valid item and then one that may be invalid, because the API must validate every item.
func (c *conformity) lists(example []any, schema object) []any {
	var found []any
	if len(example) == 0 {
		return found
	}
	items := c.document.resolve(schema["items"])
	for _, element := range c.variants(example[0], items, 1) {
		found = append(found, []any{example[0], element})
	}
	return append(found, []any{nil, example[0]}, []any{[]any{example[0]}}, []any{example[0], nil, 1, "a"})
}

// deepest is the number of nested objects in which bodies are varied.
const deepest = 4

// variants returns copies of a value that differ from it in one place.
func (c *conformity) variants(value any, schema object, depth int) []any {
	found := c.document.candidates(schema)
	if depth > deepest {
		return found
	}
	switch node := value.(type) {
	case object:
		found = append(found, c.objectVariants(node, schema, depth)...)
	case []any:
		if len(node) == 0 {
			break
		}
		for _, element := range c.variants(node[0], c.document.resolve(schema["items"]), depth+1) {
			found = append(found, append([]any{element}, node[1:]...))
		}
	}
	return found
}

func (c *conformity) objectVariants(node, schema object, depth int) []any {
	found := []any{with(node, "thisMemberIsNotKnown", 1), with(node, longName(), 1), node}
	properties, _ := c.alternatives(schema)["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		less := maps.Clone(node)
		delete(less, name)
		found = append(found, less)
		for _, value := range c.variants(node[name], c.document.resolve(properties[name]), depth+1) {
			found = append(found, with(node, name, value))
		}
	}
	return found
}

// alternatives returns the alternative of a schema that has properties, or the schema itself.
func (c *conformity) alternatives(schema object) object {
	list, _ := schema["anyOf"].([]any)
	for _, each := range list {
		if found := c.document.resolve(each); found["properties"] != nil {
			return found
		}
	}
	return schema
}

// with returns a copy of an object in which a field has a new value.
func with(node object, name string, value any) object {
	copied := maps.Clone(node)
	copied[name] = value
	return copied
}

// otherTypes returns the media types of the request body other than the main one.
func (o operation) otherTypes() []string {
	found := slices.Sorted(maps.Keys(o.content()))
	return slices.DeleteFunc(found, func(mediaType string) bool {
		return mediaType == o.body() || mediaType == "application/merge-patch+json"
	})
}

// otherBodies sends bodies in the other formats of the operation. It reads a record in the format, and sends it back
// complete, cut off, and changed in one place if the schema can validate it. So it needs no encoder of the format.
func (c *conformity) otherBodies(op operation, base request) {
	if base.mediaType != "application/json" || !base.valid {
		return
	}
	all, most := op.otherTypes(), c.most
	for _, mediaType := range all {
		c.most = min(most, c.sent+max(fewest, most/4/len(all))) // leave most requests for JSON
		sent := base
		sent.mediaType = mediaType
		if sample, isAccepted := c.sample(op, base, mediaType); sample != "" {
			c.try(op, sent.with(sample, true, isAccepted))
			if !op.isText(mediaType) { // a cut off CSV or NDJSON body can be well-formed
				c.try(op, sent.with(sample[:len(sample)-1], false, true))
			}
			for _, text := range []string{"", "\xff\x00", `{"a":`} {
				c.try(op, sent.with(text, false, true))
			}
			c.changedBodies(op, sent, sample)
		}
	}
	c.most = most
}

// isText reports whether the schema of a format is just a string.
func (o operation) isText(mediaType string) bool {
	return o.document.resolve(o.schemaOf(mediaType))["type"] == "string"
}

// fewest is the minimum number of requests for each format.
const fewest = 5

// sample returns the operation's record in a format, "" for none. It reports whether the operation must accept it.
func (c *conformity) sample(op operation, base request, mediaType string) (body string, isAccepted bool) {
	if !op.isItem() {
		response := c.try(op, base.withParameter("header", "Accept", mediaType))
		if response == nil || response.Code != http.StatusCreated {
			return "", false
		}
		return response.Body.String(), false // its identifier is in use, or clients must not set it
	}
	c.restore(op, &base)
	base.body = c.readAs(base.path, "application/json")
	valid, exactly := c.validity(op, base)
	return c.readAs(base.path, mediaType), valid && exactly
}

// mostChanged is the maximum number of changed samples for each format.
const mostChanged = 12

// changedBodies sends bodies that differ from a sample in one place, and validates them with the schema of the format.
// It sends only a few, because JSON was tested with all of them.
func (c *conformity) changedBodies(op operation, sent request, sample string) {
	var value any
	if !strings.HasSuffix(sent.mediaType, "json") || json.Unmarshal([]byte(sample), &value) != nil {
		return
	}
	bodies := c.variants(value, c.document.resolve(op.schemaOf(sent.mediaType)), 0)
	step := max(1, (len(bodies)+mostChanged-1)/mostChanged)
	for i := 0; i < len(bodies) && !c.isSpent(); i += step {
		text := written(bodies[i])
		c.try(op, sent.with(string(text), c.isValid(op.bodySchema(sent.mediaType), text), false))
	}
}

// pool returns values of every type, including some that most schemas reject.
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

// candidates returns values to test a schema with: the pool, its enumeration, and values at and beyond its limits.
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
	text, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := text.Float64()
	return n, err == nil
}

// texts returns the strings that a parameter is sent with.
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

// endsOfTheCalendar are valid times of RFC 3339 that have a different year in UTC, or one that cannot be written. An
// API may reject them.
var endsOfTheCalendar = [...]string{"9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z"}

// isLoose reports whether a body has a value that its schema permits and the API may still reject.
func isLoose(body string) bool {
	for _, text := range endsOfTheCalendar {
		if strings.Contains(body, text) {
			return true
		}
	}
	return false
}

// extremes returns rarely tested values of a schema, such as integers beyond 64 bits.
func (d *document) extremes(schema object) []any {
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
			found = append(found, noise(4<<10))
		case kind == "object" && schema["additionalProperties"] != nil:
			element := d.resolve(schema["additionalProperties"])
			for _, value := range []any{"a", 1, true, []any{}, make([]any, 100), object{}} {
				if fits(element, value) {
					found = append(found, object{longName(): value})
				}
			}
		}
	}
	return found
}

// fits reports whether a value has a type that a schema permits.
func fits(schema object, value any) bool {
	types := typesOf(schema)
	names := map[string][]string{
		"string": {"string"}, "int": {"integer", "number"}, "bool": {"boolean"}, "[]interface {}": {"array"}, "map[string]interface {}": {"object"},
	}[fmt.Sprintf("%T", value)]
	return types == nil || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(types, name) })
}

// longName returns a long field name with the separators of error paths.
func longName() string { return strings.Repeat("long.name[0]", 170) }

// noise returns a string that databases cannot compress. It is the same in each run.
func noise(length int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	random := rand.New(rand.NewPCG(1, uint64(length))) //nolint:gosec // it hides nothing
	var b strings.Builder
	for range length {
		b.WriteByte(letters[random.IntN(len(letters))])
	}
	return b.String()
}
