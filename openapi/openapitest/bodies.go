package openapitest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// tryBodies sends bodies that differ from the example in one place.
func (c *conformity) tryBodies(op *operation, base request) {
	schema := c.document.resolve(op.schemaOf(base.mediaType))
	for _, text := range malformed(base.body, slices.Contains(typesOf(schema), "array")) {
		c.try(op, base.with(text, false, true))
	}
	example, ok := c.exampleOf(op)
	if !ok {
		_ = json.Unmarshal([]byte(base.body), &example) // the body comes from a Get, in a JSON format
	}
	bodies := c.variants(example, schema, 0)
	if list, ok := example.([]any); ok && len(list) > 0 {
		bodies = append(bodies, c.lists(list, schema)...)
	}
	for _, body := range bodies {
		if c.isSpent() {
			return
		}
		c.try(op, c.withBody(op, base, string(toJSON(body))))
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
	found := []any{[]any{nil, example[0]}, []any{[]any{example[0]}}, []any{example[0], nil, 1, "a"}}
	items := c.document.resolve(schema["items"])
	for _, element := range c.variants(example[0], items, 1) {
		found = append(found, []any{example[0], element})
	}
	return found
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
		found = append(found, with(node, "thisMemberIsNotKnown", 1), with(node, longName(), 1), node)
		properties, _ := c.alternatives(schema)["properties"].(object)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			less := maps.Clone(node)
			delete(less, name)
			found = append(found, less)
			for _, value := range c.variants(node[name], c.document.resolve(properties[name]), depth+1) {
				found = append(found, with(node, name, value))
			}
		}
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

// tryOtherFormats sends bodies in the other formats of the operation. It reads a record in the format, and sends it back
// complete and cut off. So it needs no encoder of the format.
func (c *conformity) tryOtherFormats(op *operation, base request) {
	if base.mediaType != "application/json" || !base.valid {
		return
	}
	most := c.most
	all := slices.DeleteFunc(slices.Sorted(maps.Keys(op.content())), func(mediaType string) bool {
		return mediaType == base.mediaType || mediaType == "application/merge-patch+json"
	})
	for _, mediaType := range all {
		c.most = min(most, c.sent+max(fewest, most/4/len(all))) // leave most requests for JSON
		sent := base
		sent.mediaType = mediaType
		if sample, isAccepted := c.sample(op, base, mediaType); sample != "" {
			c.try(op, sent.with(sample, true, isAccepted))
			if c.document.resolve(op.schemaOf(mediaType))["type"] != "string" { // a cut off CSV or NDJSON body can be well-formed
				c.try(op, sent.with(sample[:len(sample)-1], false, true))
			}
			for _, text := range []string{"", "\xff\x00", `{"a":`} {
				c.try(op, sent.with(text, false, true))
			}
		}
	}
	c.most = most
}

// fewest is the minimum number of requests for each format.
const fewest = 5

// sample returns the operation's record in a format, "" for none. It reports whether the operation must accept it.
func (c *conformity) sample(op *operation, base request, mediaType string) (body string, isAccepted bool) {
	if !op.isItem() {
		response := c.try(op, base.withParameter("header", "Accept", mediaType))
		if response == nil || response.Code != http.StatusCreated {
			return "", false
		}
		return response.Body.String(), false // its identifier is in use, or clients must not set it
	}
	c.restore(op, &base)
	read := c.withBody(op, base, c.readAs(base.path, "application/json"))
	return c.readAs(base.path, mediaType), read.valid && read.exactly
}
