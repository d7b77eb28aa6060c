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
	where := op.bodySchema(base.mediaType)
	exactly := c.document.exact(op.schemaOf(base.mediaType))
	schema := c.document.resolve(op.schemaOf(base.mediaType))
	for _, text := range malformed(base.body, slices.Contains(typesOf(schema), "array")) {
		c.try(op, base.with(text, false, true))
	}
	example, ok := c.exampleOf(op)
	if !ok {
		_ = json.Unmarshal([]byte(base.body), &example) // it was read as JSON of a format
	}
	bodies := c.variants(example, schema, 0)
	if list, ok := example.([]any); ok {
		bodies = append(bodies, c.lists(list, schema)...)
	}
	for _, body := range bodies {
		if c.isSpent() {
			return
		}
		text := written(body)
		c.try(op, base.with(string(text), c.isValid(where, text), exactly && !isLoose(string(text))))
	}
}

// malformed are bodies that are not one JSON object, or not one JSON array where the schema
// is of lists. Whether an empty list is valid is for the schema to say.
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

// lists are lists with an element that is wrong, or may be, behind one that is right: what
// comes after the first has to be judged like it.
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

// deepest is how many objects deep bodies are varied.
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

// alternatives returns the schema of an object: itself, or the one among its alternatives
// that has properties.
func (c *conformity) alternatives(schema object) object {
	list, _ := schema["anyOf"].([]any)
	for _, each := range list {
		if found := c.document.resolve(each); found["properties"] != nil {
			return found
		}
	}
	return schema
}

// with returns a copy of an object with a member more, or another one.
func with(node object, name string, value any) object {
	copied := maps.Clone(node)
	copied[name] = value
	return copied
}

// otherTypes are the media types of bodies that are not JSON as it is.
func (o operation) otherTypes() []string {
	found := slices.Sorted(maps.Keys(o.content()))
	return slices.DeleteFunc(found, func(mediaType string) bool {
		return mediaType == o.body() || mediaType == "application/merge-patch+json"
	})
}

// otherBodies sends bodies in the other formats of the operation: what is read in a format is sent
// back in it, whole, cut off and, where its schema can be asked, changed in one place. Nothing here
// has to know how a format is written.
func (c *conformity) otherBodies(op operation, base request) {
	if base.mediaType != "application/json" || !base.valid {
		return
	}
	all, most := op.otherTypes(), c.most
	for _, mediaType := range all {
		c.most = min(most, c.sent+max(fewest, most/4/len(all))) // JSON is to have most of what there is
		sent := base
		sent.mediaType = mediaType
		if sample, isWhole := c.sample(op, base, mediaType); sample != "" {
			c.try(op, sent.with(sample, true, isWhole))
			if !op.isText(mediaType) { // of which the beginning may be well formed, as of rows and lines
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

// isText reports whether the document says no more of bodies in a format than that they are texts.
func (o operation) isText(mediaType string) bool {
	return o.document.resolve(o.schemaOf(mediaType))["type"] == "string"
}

// fewest is how many requests a format has in any case.
const fewest = 5

// sample returns what a format writes of the record that an operation is about, "" for nothing,
// and whether the operation has to take all of it.
func (c *conformity) sample(op operation, base request, mediaType string) (body string, isWhole bool) {
	if !op.isItem() {
		answer := c.try(op, base.asking("header", "Accept", mediaType))
		if answer == nil || answer.Code != http.StatusCreated {
			return "", false
		}
		return answer.Body.String(), false // the identifier in it is taken, or is not the client's
	}
	c.restore(op, &base)
	base.body = c.readAs(base.path, "application/json")
	valid, exactly := c.worth(op, base)
	return c.readAs(base.path, mediaType), valid && exactly
}

// mostChanged is how many bodies are sent that differ from a sample in one place.
const mostChanged = 12

// changedBodies sends bodies that differ from a sample in one place, as the schema of the format
// judges them: a few, for JSON has been tried with all of them.
func (c *conformity) changedBodies(op operation, sent request, sample string) {
	var whole any
	if !strings.HasSuffix(sent.mediaType, "json") || json.Unmarshal([]byte(sample), &whole) != nil {
		return
	}
	bodies := c.variants(whole, c.document.resolve(op.schemaOf(sent.mediaType)), 0)
	step := max(1, (len(bodies)+mostChanged-1)/mostChanged)
	for i := 0; i < len(bodies) && !c.isSpent(); i += step {
		text := written(bodies[i])
		c.try(op, sent.with(string(text), c.isValid(op.bodySchema(sent.mediaType), text), false))
	}
}

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

// endsOfTheCalendar are times that RFC 3339 has, and that are in another year, or none, in
// UTC. A service may refuse them.
var endsOfTheCalendar = [...]string{"9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z"}

// isLoose reports whether a body has a value that the document cannot call invalid, and that
// a service may refuse all the same.
func isLoose(body string) bool {
	for _, text := range endsOfTheCalendar {
		if strings.Contains(body, text) {
			return true
		}
	}
	return false
}

// extremes are the values of a schema that few think of.
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

// fits reports whether a value has a type of a schema.
func fits(schema object, value any) bool {
	types := typesOf(schema)
	names := map[string][]string{
		"string": {"string"}, "int": {"integer", "number"}, "bool": {"boolean"}, "[]interface {}": {"array"}, "map[string]interface {}": {"object"},
	}[fmt.Sprintf("%T", value)]
	return types == nil || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(types, name) })
}

// longName is a name with what separates the parts of paths.
func longName() string { return strings.Repeat("long.name[0]", 170) }

// noise is text that no database compresses, the same in each run.
func noise(length int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	random := rand.New(rand.NewPCG(1, uint64(length))) //nolint:gosec // it hides nothing
	var b strings.Builder
	for range length {
		b.WriteByte(letters[random.IntN(len(letters))])
	}
	return b.String()
}
