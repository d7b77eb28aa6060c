package openapitest

import (
	"maps"
	"slices"
)

// undocumented returns the path of a field that a value has and its schema does not list, "" for none.
// Schemas of responses let new fields pass, because clients have to; a test does not.
func (c *conformity) undocumented(schema, value any) string {
	s := c.alternatives(c.document.resolve(schema))
	switch node := value.(type) {
	case []any:
		for _, each := range node {
			if found := c.undocumented(s["items"], each); found != "" {
				return "[]." + found
			}
		}
	case object:
		properties, _ := s["properties"].(object)
		isOpen := properties == nil || s["additionalProperties"] != nil || s["allOf"] != nil || s["oneOf"] != nil
		for _, name := range slices.Sorted(maps.Keys(node)) {
			if properties[name] == nil {
				if isOpen {
					continue
				}
				return name
			}
			if found := c.undocumented(properties[name], node[name]); found != "" {
				return name + "." + found
			}
		}
	}
	return ""
}
