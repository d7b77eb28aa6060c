package mcp

import (
	"slices"

	"github.com/trove-api/trove/internal/schema"
)

// known reports whether clients know a format. The document uses other formats for rules that keywords cannot express.
// They make validators complain about each value, and help a model less than the description does.
func known(format string) bool {
	switch format {
	case "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid", "regex", "json-pointer",
		"int32", "int64", "float", "double", "byte":
		return true
	}
	return false
}

// leaveKnown removes unknown formats from a schema and all that it refers to. The schemas belong to the tools alone.
func leaveKnown(of *schema.Schema) {
	simplify := func(s *schema.Schema) {
		if !known(s.Format) {
			s.Format = ""
		}
		s.AllOf = slices.DeleteFunc(s.AllOf, func(part *schema.Schema) bool {
			return part.IsEmpty() || !known(part.Format) && part.Equal(&schema.Schema{Format: part.Format})
		})
	}
	if of == nil {
		return
	}
	of.Each(simplify)
	for _, d := range of.Definitions() {
		d.Schema.Each(simplify)
	}
}
