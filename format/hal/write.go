package hal

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writer writes the values of one type.
type writer struct {
	relations

	typ        *format.Type
	attributes []attribute
	references []reference
	embeds     []reference // references that can embed records
}

// attribute is a field that is not a reference.
type attribute struct {
	name, label string // as it is, and in JSON between a comma and a colon
	place       int    // in the type
}

// reference is a field that refers to other records.
type reference struct {
	*format.TypeField

	relation string // a comma, the name and a colon
	place    int    // in the type
	embedded *writer
}

func (r relations) newWriter(t *format.Type, met map[*format.Type]*writer) *writer {
	if w := met[t]; w != nil {
		return w
	}
	w := &writer{relations: r, typ: t}
	met[t] = w
	for i := range t.Fields {
		of := &t.Fields[i]
		if of.Reference == nil {
			w.attributes = append(w.attributes, attribute{of.Name, "," + quote(of.Name) + ":", i})
			continue
		}
		m := reference{of, "," + quote(r.prefix+of.Name) + ":", i, nil}
		if of.Embedded != nil {
			m.embedded = r.newWriter(of.Embedded, met)
			w.embeds = append(w.embeds, m)
		}
		w.references = append(w.references, m)
	}
	return w
}

// appendItem appends a record, or the result of a handler. What is not an object is appended as it is.
func (w *writer) appendItem(b []byte, item format.Item) ([]byte, error) {
	if w.typ.Kind != format.Object {
		return appendValue(b, item)
	}
	list, err := item.Fields()
	if err != nil {
		return b, err
	}
	if list == nil { // null
		return appendValue(b, item)
	}
	fields, start := scan.Fields{List: list}, len(b)
	b = w.appendLinks(b, item, fields)
	for i := range w.attributes {
		a := &w.attributes[i]
		if value := fields.Find(a.place, a.name); value != nil {
			b = append(append(b, a.label...), value...)
		}
	}
	if w.embeds != nil {
		if b, err = w.appendEmbedded(b, item, fields); err != nil {
			return b, err
		}
	}
	return scan.CloseObject(b, start), nil
}

// appendValue appends a value that is not an object as a field of one, because HAL documents are objects (section 4 of
// the draft).
func appendValue(b []byte, item format.Item) ([]byte, error) {
	b, err := item.AppendJSON(append(b, `{"value":`...))
	return append(b, '}'), err
}

// appendLinks appends the links of a record: self and references.
func (w *writer) appendLinks(b []byte, item format.Item, fields scan.Fields) []byte {
	const open, self = `,"_links":{`, `"self":{"href":"`
	b = append(b, open+self...)
	address := len(b)
	start := address - len(self)
	if b = item.AppendPath(b); len(b) > address {
		b = append(b, `"}`...)
	} else { // the result of a handler may not be a record
		b = b[:start]
	}
	for i := range w.references {
		m := &w.references[i]
		if value := fields.Find(m.place, m.Name); value != nil && value[0] != 'n' {
			b = m.appendReference(b, value, len(b) > start)
		}
	}
	if len(b) == start {
		return b[:start-len(open)]
	}
	return append(w.appendCuries(b), '}')
}

// appendReference appends the links of a reference: one, or an array of them.
func (m *reference) appendReference(b []byte, value json.RawMessage, further bool) []byte {
	relation := m.relation
	if !further {
		relation = relation[1:]
	}
	b = append(b, relation...)
	switch {
	case m.Reference.Inverse:
		return append(append(append(b, `{"href":`...), value...), '}')
	case !m.Reference.Many:
		return appendReferred(b, m.Reference, value)
	}
	b = append(b, '[')
	for element := range scan.Elements(value) {
		b = append(appendReferred(b, m.Reference, element), ',')
	}
	return append(bytes.TrimSuffix(b, []byte(",")), ']')
}

func appendReferred(b []byte, r *format.Reference, value json.RawMessage) []byte {
	if !r.Identifiers { // JSON has the path already
		return append(append(append(b, `{"href":`...), value...), '}')
	}
	return append(r.AppendPath(append(b, `{"href":"`...), value), `"}`...)
}

// appendEmbedded appends the records that the client requested. Deleted and hidden records are left out, because HAL
// has no null there.
func (w *writer) appendEmbedded(b []byte, item format.Item, fields scan.Fields) ([]byte, error) {
	const open = `,"_embedded":`
	before := len(b)
	b = append(b, open...)
	start := len(b)
	for i := range w.embeds {
		m := &w.embeds[i]
		if fields.Find(m.place, m.Name) == nil { // the record omits it
			continue
		}
		records, shown, err := item.Embedded(m.Name)
		if err != nil {
			return b, err
		}
		if b, err = m.appendRecords(b, records, shown); err != nil {
			return b, err
		}
	}
	if len(b) == start {
		return b[:before], nil
	}
	return scan.CloseObject(b, start), nil
}

// appendRecords appends the records that one reference embeds.
func (m *reference) appendRecords(b []byte, records []format.Item, shown bool) ([]byte, error) {
	if !shown || !m.Reference.Many && (len(records) == 0 || records[0] == nil) {
		return b, nil
	}
	b = append(b, m.relation...)
	if !m.Reference.Many {
		return m.embedded.appendItem(b, records[0])
	}
	b = append(b, '[')
	start := len(b)
	for _, record := range records {
		if record == nil {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		var err error
		if b, err = m.embedded.appendItem(b, record); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

// appendPage appends what follows the records of a collection.
func (r relations) appendPage(b []byte, page format.Page) ([]byte, error) {
	links, err := page.Links()
	if err != nil {
		return b, err
	}
	b = append(b, "]},"...)
	if total, known := page.Total(); known {
		b = append(strconv.AppendInt(append(b, `"totalItems":`...), int64(total), 10), ',')
	}
	if b = append(b, `"_links":{`...); links.Self == "" {
		return append(append(b, r.curies...), "}}"...), nil
	}
	b = appendLink(append(b, `"self":`...), links.Self)
	for _, other := range []struct{ relation, address string }{
		{"first", links.First}, {"prev", links.Prev}, {"next", links.Next}, {"last", links.Last},
	} {
		if other.address != "" {
			b = append(append(append(b, `,"`...), other.relation...), `":`...)
			b = appendLink(b, other.address)
		}
	}
	b = appendSearch(b, page)
	return append(r.appendCuries(b), "}}"...), nil
}

// appendSearch appends the URI template for the query of the collection.
func appendSearch(b []byte, page format.Page) []byte {
	parameters := page.Parameters()
	if len(parameters) == 0 {
		return b
	}
	var room [512]byte
	template := append(append(room[:0], page.Path()...), "{?"...)
	for i := range parameters {
		if i > 0 {
			template = append(template, ',')
		}
		template = appendVariable(template, parameters[i].Name)
		if parameters[i].Many {
			template = append(template, '*')
		}
	}
	template = append(template, '}')
	b, _ = jsontext.AppendQuote(append(b, `,"search":{"href":`...), template)
	return append(b, `,"templated":true}`...)
}

// appendVariable appends the name of a parameter as a variable of a URI template (RFC 6570, section 2.3): letters,
// digits, dots and underscores as they are, all else percent-encoded.
func appendVariable(b []byte, name string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '.':
			b = append(b, c)
		default:
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return b
}

func (r relations) appendCuries(b []byte) []byte {
	if r.curies == "" {
		return b
	}
	return append(append(b, ','), r.curies...)
}

func appendLink(b []byte, address string) []byte {
	return append(scan.AppendQuoted(append(b, `{"href":`...), address), '}')
}

func quote(text string) string { return string(scan.AppendQuoted(nil, text)) }
