package openapitest

import "slices"

// exampleOf returns the example of an operation's body, else one made of its schema, and whether there is one.
func (c *conformity) exampleOf(op operation) (any, bool) {
	if example, ok := op.example(); ok || op.body() == "" {
		return example, ok
	}
	made, known := c.composed[op.name()]
	if !known {
		content, _ := c.document.resolve(op.object["requestBody"])["content"].(object)
		media, _ := content[op.body()].(object)
		made = c.compose(op, nil, media["schema"], namesIn("#"+op.bodySchema(op.body())))
		if valid, err := c.document.valid(op.bodySchema(op.body()), written(made)); !valid || err != nil {
			made = nil
		}
		c.composed[op.name()] = made
	}
	return made, made != nil
}

// compose returns a value of a schema: of an object its required fields, else the first of its candidates that is
// valid, and of a reference a record that exists. It is nil where none is.
func (c *conformity) compose(op operation, names []string, schema any, at []string) any {
	if field, target := c.field(op, names); target != nil {
		return c.reference(field, target, false)
	}
	pointer := c.document.through(schema, at)
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
