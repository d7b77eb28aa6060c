package jsonapi

import (
	"slices"

	"github.com/trove-api/trove/format"
)

// appendIncluded appends the records that a document includes. The list is nil if the client
// requested none, and may be empty. Fields are those of the type that is asked for, nil for all: they are
// chosen for each record of the type, wherever in the document it stands (section "Sparse Fieldsets" of JSON:API).
func (w *writer) appendIncluded(b []byte, list []format.Item, fields []string) (_ []byte, err error) {
	if list == nil {
		return b, nil
	}
	var sparse *writer
	b = append(b, `,"included":[`...)
	for i, record := range list {
		if i > 0 {
			b = append(b, ',')
		}
		inner := w.included[record.Type()]
		if inner == nil {
			inner = newWriter(w.types, &format.Type{Name: record.Type(), Kind: format.Object})
		}
		if fields != nil && record.Type() == w.typ.Name {
			if sparse == nil {
				sparse = inner.only(fields)
			}
			inner = sparse
		}
		if b, err = inner.appendRecord(b, record); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

// only returns a writer of some of the members, for one answer.
func (w *writer) only(fields []string) *writer {
	some := *w
	some.attributes = slices.DeleteFunc(slices.Clone(w.attributes), func(a attribute) bool { return !slices.Contains(fields, w.names[a.place]) })
	some.references = slices.DeleteFunc(slices.Clone(w.references), func(m reference) bool { return !slices.Contains(fields, m.Name) })
	return &some
}
