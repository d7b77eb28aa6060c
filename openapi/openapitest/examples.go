package openapitest

import "slices"

// exampleOf returns the example of an operation's body, or one generated from its schema. It reports whether there is
// one.
func (c *conformity) exampleOf(op operation) (any, bool) {
	if example, ok := op.example(); ok || op.body() == "" {
		return example, ok
	}
	generated, known := c.composed[op.name()]
	if !known {
		generated = c.compose(op, nil, op.schemaOf(op.body()), namesIn("#"+op.bodySchema(op.body())))
		if valid, err := c.document.valid(op.bodySchema(op.body()), written(generated)); !valid || err != nil {
			generated = nil
		}
		c.composed[op.name()] = generated
	}
	return generated, generated != nil
}

// compose generates a value of a schema: an object with its required fields, a reference to a record, or the first
// valid candidate. It returns nil if none is valid.
func (c *conformity) compose(op operation, names []string, schema any, at []string) any {
	if field, target := c.field(op, names); target != nil {
		return c.reference(field, target, false)
	}
	pointer := c.document.pointerIn(schema, at)
	resolved := c.document.resolve(schema)
	properties, _ := resolved["properties"].(object)
	if properties != nil && (resolved["type"] == nil || slices.Contains(typesOf(resolved), "object")) {
		body := object{}
		for _, name := range requiredOf(resolved) {
			body[name] = c.compose(op, append(slices.Clone(names), name), properties[name], append(namesIn("#"+pointer), "properties", name))
		}
		return body
	}
	for _, value := range c.document.candidates(resolved) {
		if valid, err := c.document.valid(pointer, written(value)); valid && err == nil {
			return value
		}
	}
	return nil
}

// minimal returns a body with only the required fields, for an operation that creates records. It reports whether there
// is one.
func (c *conformity) minimal(creator operation) (string, bool) {
	example, ok := c.exampleOf(creator)
	if _, isObject := example.(object); !ok || !isObject {
		return "", false
	}
	return string(written(c.required(example, c.document.resolve(creator.schemaOf(creator.body()))))), true
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
