package mcp

import (
	"slices"

	"github.com/trove-api/trove/internal/schema"
)

// known reports whether clients know a format. Those that they do not know, which stand in the
// document for what keywords cannot say, make validators complain for each value, and tell a
// model less than the description beside them.
func known(format string) bool {
	switch format {
	case "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid", "regex", "json-pointer",
		"int32", "int64", "float", "double", "byte":
		return true
	}
	return false
}

// leaveKnown takes the formats that clients do not know out of a schema, and out of those that it leads
// to. They are the tools' own, so that nobody else misses them.
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
