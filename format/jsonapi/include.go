package jsonapi

import (
	"slices"

	"github.com/trove-api/trove/format"
)

// nameOf names a record among all of an API.
func nameOf(item format.Item) string { return item.Type() + "\x00" + item.ID() }

// include adds what a record refers to, and the client has asked for, to a list: each once. What
// was met before is not added, but looked into.
func (w *writer) include(list []format.Item, item format.Item, met map[string]bool) (_ []format.Item, asked bool, err error) {
	for i := range w.members {
		m := &w.members[i]
		if m.Reference == nil || m.Reference.Inverse {
			continue
		}
		records, shown, err := item.Embedded(m.Name)
		if err != nil {
			return nil, false, err
		}
		asked = asked || shown
		records = slices.DeleteFunc(records, func(record format.Item) bool { return record == nil }) // gone, or hidden
		for _, record := range records {
			if name := nameOf(record); !met[name] {
				met[name], list = true, append(list, record)
			}
			if inner := w.included[record.Type()]; inner != nil && inner.embeds {
				if list, _, err = inner.include(list, record, met); err != nil {
					return nil, false, err
				}
			}
		}
	}
	return list, asked, nil
}

// appendIncluded appends the records that a document includes. Who has asked for some is answered
// with a list, though it may be empty. Fields are those of the type that is asked for, nil for all: they are
// chosen for each record of the type, wherever in the document it stands (section "Sparse Fieldsets" of JSON:API).
func (w *writer) appendIncluded(b []byte, list []format.Item, asked bool, fields []string) (_ []byte, err error) {
	if !asked {
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
	members := slices.DeleteFunc(slices.Clone(w.members), func(m memberWriter) bool { return !slices.Contains(fields, m.key) })
	return &writer{types: w.types, typ: w.typ, head: w.head, members: members}
}
