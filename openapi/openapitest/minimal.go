package openapitest

import "slices"

// minimal returns a body of an operation that creates, with no more than the required fields, and
// whether there is one.
func (c *conformity) minimal(creator operation) (string, bool) {
	example, ok := c.exampleOf(creator)
	if _, isObject := example.(object); !ok || !isObject {
		return "", false
	}
	content, _ := c.document.resolve(creator.object["requestBody"])["content"].(object)
	media, _ := content[creator.body()].(object)
	return string(written(c.required(example, c.document.resolve(media["schema"])))), true
}

// createMinimal creates a record with no more than the required fields.
func (c *conformity) createMinimal(op operation, base request) {
	if declared := c.declared[op.key()]; declared == nil || !declared.Creates {
		return
	}
	if body, ok := c.minimal(op); ok {
		base.body = body
		base.valid, base.exactly = c.worth(op, base)
		c.try(op, base)
	}
}

// afterMinimal changes records that were created with no more than the required fields, because
// what was left out must not prevent it. The document calls a patch without fields valid, and one of
// its example.
func (c *conformity) afterMinimal(op operation, base request) {
	declared := c.declared[op.key()]
	if declared == nil || !declared.Item || op.method != "patch" && op.method != "put" {
		return
	}
	for _, creator := range c.creators(declared.Resource) {
		body, ok := c.minimal(creator)
		if !ok {
			continue
		}
		r := base
		for _, text := range []string{"{}", base.body} {
			record := c.create(creator, body)
			if record == nil {
				break
			}
			path, ok := c.pathOf(op, record)
			if !ok {
				break
			}
			r.path, r.body = path, text
			r.valid, r.exactly = c.worth(op, r)
			c.send(op, r)
		}
		c.changed = true
		return
	}
}

// required returns what is left of an example when all goes that may.
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
