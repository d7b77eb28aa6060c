package jsonapi

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writer writes the values of one type.
type writer struct {
	types *types

	typ        *format.Type
	head       func() string // the beginning of a resource object, up to the text of its id
	names      []string      // of its fields
	id         int           // the place of the identifier in names, -1 for none
	attributes []attribute
	references []reference
	embeds     bool               // responses can embed records that this one refers to
	included   map[string]*writer // the writers of those, by resource
}

// attribute is a field that is not a reference.
type attribute struct {
	name, label string // as it is, and in JSON between a comma and a colon
	place       int    // in names
}

// reference is a field that refers to other records.
type reference struct {
	*format.TypeField

	label string        // a comma, the name and a colon
	place int           // in names
	head  func() string // the beginning of a resource identifier, up to the text of its id
}

// newWriter returns the writer of a type, with those of the records that responses include: one per resource,
// regardless of how it is reached.
func newWriter(n *types, t *format.Type) *writer {
	w := &writer{types: n, typ: t, id: -1, included: map[string]*writer{}}
	if isRecord(t) {
		w.head = n.head(t.Name)
		w.add(t, w.included)
	}
	return w
}

// head returns the beginning of an object that names a record of a resource.
func (n *types) head(resource string) func() string {
	return sync.OnceValue(func() string { return `{"type":` + quote(n.name(resource)) + `,"id":` })
}

// add adds the fields of a type to those that the writer knows, and writers for what they refer to.
func (w *writer) add(t *format.Type, included map[string]*writer) {
	for i := range t.Fields {
		of := &t.Fields[i]
		if !slices.Contains(w.names, of.Name) {
			w.addField(t, of)
		}
		if of.Embedded == nil {
			continue
		}
		w.embeds = true
		inner := included[of.Embedded.Name]
		if inner == nil {
			inner = &writer{types: w.types, typ: of.Embedded, id: -1, head: w.types.head(of.Embedded.Name), included: included}
			included[of.Embedded.Name] = inner
		}
		inner.add(of.Embedded, included)
	}
}

// addField adds a field to those that the writer knows.
func (w *writer) addField(t *format.Type, of *format.TypeField) {
	switch place := len(w.names); {
	case t.ID != "" && of.Name == t.ID:
		w.id = place
	case of.Reference != nil:
		w.references = append(w.references, reference{of, "," + quote(of.Name) + ":", place, w.types.head(of.Reference.To)})
	default:
		w.attributes = append(w.attributes, attribute{of.Name, "," + quote(of.Name) + ":", place})
	}
	w.names = append(w.names, of.Name)
}

// appendDocument appends the document of a record, or of the result of a handler.
func (w *writer) appendDocument(b []byte, item format.Item) (_ []byte, err error) {
	b = append(b, opening...)
	if !isRecord(w.typ) {
		return w.appendMeta(b, item)
	}
	if b, err = w.appendRecord(append(b, `"data":`...), item); err != nil {
		return b, err
	}
	if w.embeds {
		included, err := item.Included()
		if err != nil {
			return b, err
		}
		if b, err = w.appendIncluded(b, included, item.Selected()); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

// appendMeta appends a value that is not a record of a resource, as meta.
func (w *writer) appendMeta(b []byte, item format.Item) (_ []byte, err error) {
	b = append(b, `"meta":`...)
	start := len(b)
	if b, err = item.AppendJSON(b); err != nil {
		return b, err
	}
	if at := scan.Space(b, start); at < len(b) && b[at] == '{' {
		return append(b, '}'), nil
	}
	text := string(b[start:])
	return append(append(append(b[:start], `{"value":`...), text...), "}}"...), nil
}

// appendRecord appends the resource object of a record, null for none.
func (w *writer) appendRecord(b []byte, item format.Item) ([]byte, error) {
	list, err := item.Fields()
	if err != nil {
		return b, err
	}
	if list == nil {
		return item.AppendJSON(b)
	}
	fields := scan.Fields{List: list}
	b = w.appendID(append(b, w.head()...), item, fields)
	b = append(b, `,"attributes":`...)
	start := len(b)
	for i := range w.attributes {
		a := &w.attributes[i]
		if value := fields.Find(a.place, a.name); value != nil {
			b = append(append(b, a.label...), value...)
		}
	}
	if b, err = w.appendRelationships(scan.CloseObject(b, start), item, fields); err != nil {
		return b, err
	}
	const links = `,"links":{"self":"`
	b = append(b, links...)
	address := len(b)
	if b = item.AppendPath(b); len(b) == address {
		return append(b[:address-len(links)], '}'), nil
	}
	return append(b, `"}}`...), nil
}

// appendID appends the identifier of a record as a string.
func (w *writer) appendID(b []byte, item format.Item, fields scan.Fields) []byte {
	if w.id >= 0 {
		switch id := fields.Find(w.id, w.names[w.id]); {
		case id == nil:
		case id[0] == '"':
			return append(b, id...)
		default:
			return append(append(append(b, '"'), id...), '"')
		}
	}
	return scan.AppendQuoted(b, item.ID())
}

// appendRelationships appends the references of a record, if it has any.
func (w *writer) appendRelationships(b []byte, item format.Item, fields scan.Fields) (_ []byte, err error) {
	const open = `,"relationships":`
	b = append(b, open...)
	start := len(b)
	for i := range w.references {
		m := &w.references[i]
		value := fields.Find(m.place, m.Name)
		if value == nil {
			continue
		}
		b = m.appendRelationship(append(b, m.label...), value)
		if m.Reference.Inverse && m.Embedded != nil {
			if b, err = m.appendLinked(bytes.TrimSuffix(b, []byte("}")), item); err != nil {
				return b, err
			}
		}
	}
	if len(b) == start {
		return b[:start-len(open)], nil
	}
	return scan.CloseObject(b, start), nil
}

// appendLinked completes the relationship of a list whose records the response includes.
func (m *reference) appendLinked(b []byte, item format.Item) ([]byte, error) {
	records, _, err := item.Embedded(m.Name)
	b = append(b, `,"data":[`...)
	for _, record := range records {
		b = append(scan.AppendQuoted(append(b, m.head()...), record.ID()), "},"...)
	}
	return append(bytes.TrimSuffix(b, []byte(",")), "]}"...), err
}

// needsEscape reports whether a text needs escapes in JSON.
func needsEscape(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return true
		}
	}
	return false
}

// appendRelationship appends what a reference refers to: which records, and their path if they have one.
func (m *reference) appendRelationship(b []byte, value json.RawMessage) []byte {
	switch r := m.Reference; {
	case r.Inverse:
		return append(append(append(b, `{"links":{"related":`...), value...), "}}"...)
	case value[0] == 'n':
		b = append(b, `{"data":null`...)
	case !r.Many:
		b = m.appendIdentifier(append(b, `{"data":`...), value)
	default:
		b = append(b, `{"data":[`...)
		for element := range scan.Elements(value) {
			b = append(m.appendIdentifier(b, element), ',')
		}
		b = append(bytes.TrimSuffix(b, []byte(",")), ']')
	}
	if value[0] != 'n' && !m.Reference.Many {
		b = appendRelated(b, m.Reference, value)
	}
	return append(b, '}')
}

// appendIdentifier appends the resource identifier of a referenced record.
func (m *reference) appendIdentifier(b []byte, value json.RawMessage) []byte {
	b = append(b, m.head()...)
	if m.Reference.Identifiers && value[0] == '"' {
		return append(append(b, value...), '}')
	}
	b = append(b, '"')
	start := len(b)
	if b = m.Reference.AppendID(b, value); needsEscape(b[start:]) {
		return append(scan.AppendQuoted(b[:start-1], string(b[start:])), '}')
	}
	return append(b, `"}`...)
}

// appendRelated appends the link to the referenced record, if it has a path.
func appendRelated(b []byte, r *format.Reference, value json.RawMessage) []byte {
	const open = `,"links":{"related":`
	if !r.Identifiers { // JSON has the path already
		return append(append(append(b, open...), value...), '}')
	}
	before := len(b)
	b = append(append(b, open...), '"')
	start := len(b)
	if b = r.AppendPath(b, value); len(b) == start {
		return b[:before]
	}
	return append(b, `"}`...)
}

func quote(text string) string { return string(scan.AppendQuoted(nil, text)) }
