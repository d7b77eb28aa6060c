package openapitest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// bodies sends bodies that differ from the example in one place.
func (c *conformity) bodies(op operation, base request) {
	where := op.bodySchema(base.mediaType)
	content, _ := c.document.resolve(op.object["requestBody"])["content"].(object)
	media, _ := content[base.mediaType].(object)
	exactly := c.document.exact(media["schema"])
	schema := c.document.resolve(media["schema"])
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
		valid, err := c.document.valid(where, text)
		if err != nil {
			c.t.Fatalf("openapitest: %v", err)
		}
		c.try(op, base.with(string(text), valid, exactly && !isLoose(string(text))))
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
