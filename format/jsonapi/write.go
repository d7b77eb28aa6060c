package jsonapi

import (
	"bytes"
	"encoding/json"
	"slices"
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
	plan     scan.Plan[plan]
}

// plan is what is done with members of such names.
type plan struct {
	head       string // what the writer's head returns, at hand, and a quotation mark
	id         int    // the place of the identifier, -1 for none
	idLabel    int    // how much of the text stands before its value
	attributes []scan.Run
	links      []link
}

// link is a relationship among the members.
type link struct {
	*memberWriter

	at    int    // its place
	label int    // how much of the text stands before its value
	one   string // what stands before the id of the one record that it is to, where all else is known; "" for others
}

type memberWriter struct {
	*format.TypeMember

	key  string        // its name, at hand
	name string        // with quotes and a colon
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
		if w.find(of.Name) < 0 {
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
	m := memberWriter{TypeMember: of, key: of.Name, name: quote(of.Name) + ":"}
	if of.Reference != nil {
		m.head, m.tail = n.head(of.Reference.To), func() string { return "" }
	}
	if of.Reference != nil && of.Reference.Many { // else there is a link already, to the record itself
		m.tail = n.tail(t.Name, of.Name)
	}
	return m
}

// find returns the index of a member, -1 for none.
func (w *writer) find(name string) int {
	return slices.IndexFunc(w.members, func(m memberWriter) bool { return m.key == name })
}

// planOf plans what is done with members. Those that the type has not are left out.
func (w *writer) planOf(names []string) plan {
	made := plan{head: w.head() + `"`, id: -1}
	made.attributes = scan.Runs(len(names), func(i int) bool {
		at, label := w.find(names[i]), len(quote(names[i]))+len(",:")
		switch {
		case w.typ.ID != "" && names[i] == w.typ.ID:
			made.id, made.idLabel = i, label
			return false
		case at >= 0 && w.members[at].head != nil:
			made.links = append(made.links, link{&w.members[at], i, label, w.members[at].one()})
			return false
		}
		return at >= 0
	})
	return made
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
		included, err := item.Included()
		if err != nil {
			return b, err
		}
		if b, err = w.appendIncluded(b, included, item.Fields()); err != nil {
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
	names, ends, text, err := item.Parts()
	if err != nil {
		return b, err
	}
	if names == nil {
		return item.AppendJSON(b)
	}
	p := w.plan.Of(names, w.planOf)
	b = append(b, p.head...)
	if p.id < 0 || ends[p.id] == ends[p.id+1] {
		b = append(appendQuoted(b[:len(b)-1], item.ID()), `,"attributes":`...)
	} else if id := text[ends[p.id]+p.idLabel : ends[p.id+1]]; id[0] == '"' {
		b = append(append(b, id[1:]...), `,"attributes":`...)
	} else {
		b = append(append(b, id...), `","attributes":`...)
	}
	start := len(b)
	for _, run := range p.attributes {
		b = append(b, text[ends[run.From]:ends[run.To]]...)
	}
	var at place
	b = p.appendRelationships(closeObject(b, start), item, &at, ends, text)
	const links = `,"links":{"self":"`
	b = append(b, links...)
	address := len(b)
	if b = at.append(b, item); len(b) == address {
		return append(b[:address-len(links)], '}'), nil
	}
	return append(b, `"}}`...), nil
}

// appendRelationships appends the references of a record, if it has any.
func (p *plan) appendRelationships(b []byte, item format.Item, record *place, ends []int, text []byte) []byte {
	const open = `,"relationships":`
	b = append(b, open...)
	start := len(b)
	for i := range p.links {
		m := &p.links[i]
		value := text[ends[m.at]:ends[m.at+1]]
		if len(value) == 0 {
			continue
		}
		if value = value[m.label:]; m.one != "" && value[0] == '"' {
			if made := m.appendOne(b, value); made != nil {
				b = made
				continue
			}
		}
		b = m.appendRelationship(append(append(b, ','), m.name...), item, record, value)
	}
	if len(b) == start {
		return b[:start-len(open)]
	}
	return closeObject(b, start)
}

// closeObject makes an object of the members that begin at a place, each with a comma before it.
func closeObject(b []byte, start int) []byte {
	if len(b) == start {
		return append(b, "{}"...)
	}
	b[start] = '{'
	return append(b, '}')
}

// one returns the relationship to a record, as far as the id, where what follows it is the address that JSON has.
func (m *memberWriter) one() string {
	if r := m.Reference; r.Many || r.Inverse || r.Identifiers || m.tail() != "" {
		return ""
	}
	return "," + m.name + `{"data":` + m.head() + `"`
}

// appendOne appends a relationship to one record, which most are, in a few pieces; nil where the id is to be escaped.
func (m *link) appendOne(b []byte, address json.RawMessage) []byte {
	b = append(b, m.one...)
	start := len(b)
	b = m.Reference.AppendID(b, address)
	if needsEscape(b[start:]) {
		return nil
	}
	b = append(b, `"},"links":{"related":`...)
	return append(append(b, address...), "}}"...)
}

// needsEscape reports whether a text may not stand in JSON as it is.
func needsEscape(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return true
		}
	}
	return false
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
	if b = m.Reference.AppendID(b, value); needsEscape(b[start:]) {
		return append(appendQuoted(b[:start-1], string(b[start:])), '}')
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
