package openapitest

import (
	"net/http"
	"slices"
)

// afterMinimal changes records that were created with no more than the required members:
// what was left out then must not be in the way. The document calls a patch without members
// valid, and one of its example.
func (c *conformity) afterMinimal(op operation, base request) {
	creator, example, ok := c.creator(op)
	if !ok || op.method != "patch" && op.method != "put" {
		return
	}
	content, _ := c.document.resolve(creator.object["requestBody"])["content"].(object)
	media, _ := content[creator.body()].(object)
	body := written(c.required(example, c.document.resolve(media["schema"])))
	r := base
	for _, text := range []string{"{}", base.body} {
		made := c.make(creator, string(body))
		if made.Code >= http.StatusBadRequest || made.Header().Get("Location") == "" {
			return // what else it must have is not said
		}
		r.path, r.body = c.under(op, made.Header().Get("Location")), text
		r.valid, r.exactly = c.worth(op, r)
		c.send(op, r)
	}
	c.changed = true
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
