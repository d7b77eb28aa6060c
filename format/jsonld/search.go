package jsonld

import (
	"slices"

	"github.com/trove-api/trove/format"
)

// asks are the roles of the parameters that ask for some of the records, or for an order.
var asks = []string{"filter", "search", "sort", "order"}

// isAsked reports whether the template has a parameter. The filter by the identifier is left out: clients of Hydra know
// records by their URLs, and would send these in place of identifiers.
func (w *writer) isAsked(p *format.Parameter) bool {
	return slices.Contains(asks, p.Role) && (w.id == "" || p.Member != w.id)
}

// appendSearch appends the template by which a collection can be asked for some of its records.
// Variables are called as the parameters are, brackets included: they stand for what RFC 6570 would
// have percent-encoded, which the libraries that expand templates encode once more.
// The property is told of a member that records have, and is no property of theirs where it is a member of
// something else: of a record that they refer to, or of what is stored in place of the answer.
func (w *writer) appendSearch(b []byte, address string, parameters []format.Parameter) []byte {
	start := len(b)
	b = append(b, `,"search":{"@type":"IriTemplate","template":"`...)
	b = append(append(b, address...), "{?"...)
	names := len(b)
	for i := range parameters {
		if !w.isAsked(&parameters[i]) {
			continue
		}
		if len(b) > names {
			b = append(b, ',')
		}
		b = append(b, parameters[i].Name...)
	}
	if len(b) == names {
		return b[:start]
	}
	b = append(b, `}","variableRepresentation":"BasicRepresentation","mapping":[`...)
	mappings := len(b)
	for i := range parameters {
		p := &parameters[i]
		if !w.isAsked(p) {
			continue
		}
		if len(b) > mappings {
			b = append(b, ',')
		}
		b = append(b, `{"@type":"IriTemplateMapping","variable":`...)
		b = appendText(b, p.Name)
		if property := w.properties[p.Member]; property != "" {
			b = appendText(append(b, `,"property":`...), property)
		}
		b = append(b, `,"required":false}`...)
	}
	return append(b, "]}"...)
}
