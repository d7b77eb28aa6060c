package jsonapi

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writer writes the values of one type.
type writer struct {
	types *types

	typ      *format.Type
	head     func() string // of a resource object, as far as the text of its id
	members  []memberWriter
	embeds   bool               // answers may have records that this one refers to
	included map[string]*writer // of those, by resource
}

type memberWriter struct {
	*format.TypeMember

	key  string        // its name, at hand
	name string        // with quotes and a colon
	isID bool          // it is the identifier, and no attribute
	head func() string // of a resource identifier, as far as the text of its id; nil for no reference
	tail func() string // of the address that it is said to have, behind that of the record; "" for none
}

// newWriter makes the writer of a type, with those of what answers include: one for each resource,
// whatever the ways to it are.
func newWriter(n *types, t *format.Type) *writer {
	w := &writer{types: n, typ: t, included: map[string]*writer{}}
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

// add adds the members of a type to those that the writer knows, and writers for what they refer to.
func (w *writer) add(t *format.Type, included map[string]*writer) {
	for i := range t.Members {
		of := &t.Members[i]
		if w.find(of.Name, 0) < 0 {
			w.members = append(w.members, newMemberWriter(w.types, t, of))
		}
		if of.Embedded == nil {
			continue
		}
		w.embeds = true
		inner := included[of.Embedded.Name]
		if inner == nil {
			inner = &writer{types: w.types, typ: of.Embedded, head: w.types.head(of.Embedded.Name), included: included}
			included[of.Embedded.Name] = inner
		}
		inner.add(of.Embedded, included)
	}
}

func newMemberWriter(n *types, t *format.Type, of *format.TypeMember) memberWriter {
	m := memberWriter{TypeMember: of, key: of.Name, name: quote(of.Name) + ":", isID: of.Name == t.ID}
	if of.Reference != nil {
		m.head, m.tail = n.head(of.Reference.To), func() string { return "" }
	}
	if of.Reference != nil && of.Reference.Many { // else there is a link already, to the record itself
		m.tail = n.tail(t.Name, of.Name)
	}
	return m
}

// find returns the index of a member, which is mostly the one at the index or behind it: answers
// leave members out, and keep their order.
func (w *writer) find(name string, at int) int {
	for i := at; i < len(w.members); i++ {
		if w.members[i].key == name {
			return i
		}
	}
	for i := range min(at, len(w.members)) {
		if w.members[i].key == name {
			return i
		}
	}
	return -1
}

// appendDocument appends the document of a record, or of what a handler answers.
func (w *writer) appendDocument(b []byte, item format.Item) (_ []byte, err error) {
	b = append(b, opening...)
	if !isRecord(w.typ) {
		return w.appendMeta(b, item)
	}
	if b, err = w.appendRecord(append(b, `"data":`...), item); err != nil {
		return b, err
	}
	if w.embeds {
		list, asked, err := w.include(nil, item, map[string]bool{nameOf(item): true})
		if err != nil {
			return b, err
		}
		if b, err = w.appendIncluded(b, list, asked); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

// appendMeta appends what is no record of a resource, as meta.
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
	members, err := item.Members()
	if err != nil {
		return b, err
	}
	if members == nil {
		return item.AppendJSON(b)
	}
	b = appendID(append(b, w.head()...), item, w.typ.ID, members)
	var at place
	b = w.appendFields(b, item, &at, members)
	const links = `,"links":{"self":"`
	b = append(b, links...)
	address := len(b)
	if b = at.append(b, item); len(b) == address {
		return append(b[:address-len(links)], '}'), nil
	}
	return append(b, `"}}`...), nil
}

// appendFields appends the attributes, and behind them the relationships.
func (w *writer) appendFields(b []byte, item format.Item, record *place, members []format.Member) []byte {
	b = append(b, `,"attributes":{`...)
	type link struct{ from, at int } // where a relationship is among the members, and what it is
	var room [16]link
	linked := room[:0]
	start, at := len(b), 0
	for i := range members {
		if at = w.find(members[i].Name, at); at < 0 {
			at = 0
			continue
		}
		switch m := &w.members[at]; {
		case m.head != nil:
			linked = append(linked, link{i, at})
		case !m.isID:
			b = append(append(append(b, m.name...), members[i].JSON...), ',')
		}
		at++
	}
	if len(b) > start {
		b = b[:len(b)-1]
	}
	b = append(b, '}')
	if len(linked) == 0 {
		return b
	}
	b = append(b, `,"relationships":{`...)
	for _, l := range linked {
		m := &w.members[l.at]
		b = append(m.appendRelationship(append(b, m.name...), item, record, members[l.from].JSON), ',')
	}
	b[len(b)-1] = '}' // in place of the comma
	return b
}

// appendID appends the id of a record: that of its members, if they have it.
func appendID(b []byte, item format.Item, id string, members []format.Member) []byte {
	for i := range members {
		switch {
		case id == "" || members[i].Name != id:
		case members[i].JSON[0] == '"':
			return append(b, members[i].JSON...)
		default:
			return append(append(append(b, '"'), members[i].JSON...), '"')
		}
	}
	return appendQuoted(b, item.ID())
}

// appendRelationship appends what a reference refers to: which records, and where they are as far as
// they have one address.
func (m *memberWriter) appendRelationship(b []byte, item format.Item, record *place, value json.RawMessage) []byte {
	switch r := m.Reference; {
	case r.Inverse:
		return append(append(append(b, `{"links":{"related":`...), value...), "}}"...)
	case value[0] == 'n':
		b = append(b, `{"data":null`...)
	case !r.Many:
		b = m.appendIdentifier(append(b, `{"data":`...), value)
	default:
		b = m.appendIdentifiers(append(b, `{"data":`...), value)
	}
	return append(m.appendLinks(b, item, record, value), '}')
}

// appendIdentifiers appends the records that a list refers to.
func (m *memberWriter) appendIdentifiers(b []byte, value json.RawMessage) []byte {
	b = append(b, '[')
	for i := scan.Space(value, 1); value[i] != ']'; i = scan.Space(value, i) {
		end := scan.Value(value, i)
		b = m.appendIdentifier(b, value[i:end])
		if i = scan.Space(value, end); value[i] == ',' {
			b, i = append(b, ','), i+1
		}
	}
	return append(b, ']')
}

// appendIdentifier appends the resource identifier of a record that is referred to.
func (m *memberWriter) appendIdentifier(b []byte, value json.RawMessage) []byte {
	b = append(b, m.head()...)
	if m.Reference.Identifiers && value[0] == '"' {
		return append(append(b, value...), '}')
	}
	b = append(b, '"')
	start := len(b)
	b = m.Reference.AppendID(b, value)
	for _, c := range b[start:] {
		if c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return append(appendQuoted(b[:start-1], string(b[start:])), '}')
		}
	}
	return append(b, `"}`...)
}

// appendLinks appends where a relationship itself is, and the one record that it is to.
func (m *memberWriter) appendLinks(b []byte, item format.Item, record *place, value json.RawMessage) []byte {
	const open = `,"links":{`
	start := len(b)
	b = append(b, open...)
	if m.tail() != "" {
		b = append(m.appendSelf(append(b, `"self":"`...), item, record), '"')
	}
	if value[0] != 'n' && !m.Reference.Many {
		b = appendRelated(b, m.Reference, value, len(b) > start+len(open))
	}
	if len(b) == start+len(open) {
		return b[:start]
	}
	return append(b, '}')
}

// appendSelf appends the address of a relationship: that of the record with a tail, unless it has a dot, for the
// end of an identifier that looks like a suffix is twice in the address of a record alone.
func (m *memberWriter) appendSelf(b []byte, item format.Item, record *place) []byte {
	start := len(b)
	if b = record.append(b, item); bytes.IndexByte(b[start:], '.') < 0 {
		return append(b, m.tail()...)
	}
	*record = place{} // it is written over
	return item.AppendRelationship(b[:start], m.key)
}

// place is where a buffer has the address of a record, once it has been written: to find it out costs more than
// to copy it. The zero value is nowhere.
type place struct{ from, to int }

// append appends the address.
func (p *place) append(b []byte, item format.Item) []byte {
	if p.to > 0 {
		return append(b, b[p.from:p.to]...)
	}
	p.from = len(b)
	b = item.AppendAddress(b)
	p.to = len(b)
	return b
}

// appendRelated appends the address of a record that is referred to, if it has one.
func appendRelated(b []byte, r *format.Reference, value json.RawMessage, isSecond bool) []byte {
	before := len(b)
	if isSecond {
		b = append(b, ',')
	}
	b = append(b, `"related":`...)
	if !r.Identifiers { // it is the address already, as JSON
		return append(b, value...)
	}
	b = append(b, '"')
	start := len(b)
	if b = r.AppendAddress(b, value); len(b) == start {
		return b[:before]
	}
	return append(b, '"')
}

func quote(text string) string { return string(appendQuoted(nil, text)) }

// appendQuoted appends a text as JSON. What is no UTF-8 in it becomes U+FFFD.
func appendQuoted(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}
