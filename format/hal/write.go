package hal

import (
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writer writes the values of one type.
type writer struct {
	relations

	typ   *format.Type
	names []string // of its fields
	links bool     // some of them are references
	plans []fieldPlan
}

// fieldPlan is what is done with a field.
type fieldPlan struct {
	*format.TypeMember

	label    string  // a comma, the name and a colon
	relation string  // the same of a reference, in links
	embedded *writer // nil for none
}

func (r relations) newWriter(t *format.Type, met map[*format.Type]*writer) *writer {
	if w := met[t]; w != nil {
		return w
	}
	w := &writer{relations: r, typ: t}
	met[t] = w
	for i := range t.Members {
		of := &t.Members[i]
		p := fieldPlan{TypeMember: of, label: "," + quote(of.Name) + ":", relation: "," + quote(r.prefix+of.Name) + ":"}
		if of.Embedded != nil {
			p.embedded = r.newWriter(of.Embedded, met)
		}
		w.names, w.plans, w.links = append(w.names, of.Name), append(w.plans, p), w.links || of.Reference != nil
	}
	return w
}

// appendItem appends a record, or what a handler answers: what is no object as it is.
func (w *writer) appendItem(b []byte, item format.Item) ([]byte, error) {
	if w.typ.Kind != format.Object {
		return appendValue(b, item)
	}
	fields, err := item.Members()
	if err != nil {
		return b, err
	}
	if fields == nil { // null
		return appendValue(b, item)
	}
	var room [maxFields]int
	places, start := scan.Places(room[:0], w.names, fields), len(b)
	b = w.appendLinks(b, item, fields, places)
	for i, at := range places {
		if at >= 0 && w.plans[at].Reference == nil {
			b = append(append(b, w.plans[at].label...), fields[i].JSON...)
		}
	}
	if w.links {
		if b, err = w.appendEmbedded(b, item, places); err != nil {
			return b, err
		}
	}
	if len(b) == start {
		return append(b, "{}"...), nil
	}
	b[start] = '{' // in place of the comma before each part
	return append(b, '}'), nil
}

// maxFields is how many fields a record may have before the places of them are allocated.
const maxFields = 32

// appendValue appends what is no object, as a member of one: all that HAL answers are resource objects (section 4 of
// the draft).
func appendValue(b []byte, item format.Item) ([]byte, error) {
	b, err := item.AppendJSON(append(b, `{"value":`...))
	return append(b, '}'), err
}

// appendLinks appends the links of a record: itself, and what it refers to.
func (w *writer) appendLinks(b []byte, item format.Item, fields []format.Member, places []int) []byte {
	const open, self = `,"_links":{`, `"self":{"href":"`
	b = append(b, open+self...)
	address := len(b)
	start := address - len(self)
	if b = item.AppendAddress(b); len(b) > address {
		b = append(b, `"}`...)
	} else { // what a handler answers need be no record
		b = b[:start]
	}
	for i := 0; w.links && i < len(fields); i++ {
		if at := places[i]; at >= 0 && w.plans[at].Reference != nil && fields[i].JSON[0] != 'n' {
			b = w.plans[at].appendReference(b, fields[i].JSON, len(b) > start)
		}
	}
	if len(b) == start {
		return b[:start-len(open)]
	}
	return append(w.appendCuries(b), '}')
}

// appendReference appends the links of a reference: one, or an array of them.
func (m *fieldPlan) appendReference(b []byte, value json.RawMessage, further bool) []byte {
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
	for i := 1; value[i] != ']'; {
		end := scan.Value(value, i)
		b = appendReferred(b, m.Reference, value[i:end])
		if i = end; value[i] == ',' {
			b, i = append(b, ','), i+1
		}
	}
	return append(b, ']')
}

func appendReferred(b []byte, r *format.Reference, value json.RawMessage) []byte {
	if !r.Identifiers { // it is the address already, as JSON
		return append(append(append(b, `{"href":`...), value...), '}')
	}
	return append(r.AppendAddress(append(b, `{"href":"`...), value), `"}`...)
}

// appendEmbedded appends the records that the client has asked for. One that is gone or hidden is
// left out: HAL knows no null there.
func (w *writer) appendEmbedded(b []byte, item format.Item, places []int) ([]byte, error) {
	const open = `,"_embedded":`
	before := len(b)
	b = append(b, open...)
	start := len(b)
	for _, at := range places {
		if at < 0 || w.plans[at].embedded == nil {
			continue
		}
		m := &w.plans[at]
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
	b[start] = '{' // in place of the comma
	return append(b, '}'), nil
}

// appendRecords appends what is embedded for one reference.
func (m *fieldPlan) appendRecords(b []byte, records []format.Item, shown bool) ([]byte, error) {
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

// appendPage appends what stands behind the records of a collection.
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

// appendSearch appends the template of what clients may ask of the collection.
func appendSearch(b []byte, page format.Page) []byte {
	parameters := page.Parameters()
	if len(parameters) == 0 {
		return b
	}
	var room [512]byte
	template := append(append(room[:0], page.Address()...), "{?"...)
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

// appendVariable appends the name of a parameter as that of a variable of a template (RFC 6570,
// section 2.3), which has letters, digits, dots and underscores, and all else percent-encoded alone.
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
	return append(appendQuoted(append(b, `{"href":`...), address), '}')
}

// root returns the address of the entry point.
func root(prefix string) string {
	if prefix == "" {
		return "/"
	}
	return prefix
}

func quote(text string) string { return string(appendQuoted(nil, text)) }

// appendQuoted appends a text as JSON. What is no UTF-8 in it becomes U+FFFD.
func appendQuoted(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}
