package hal

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writer writes the values of one type.
type writer struct {
	relations

	typ     *format.Type
	members []memberWriter
	linked  bool // one of them is a reference
	embeds  bool // answers may have records that one refers to
}

type memberWriter struct {
	*format.TypeMember

	name     string  // with quotes and a colon
	relation string  // the same for a link; "" for no reference
	embedded *writer // nil for none
}

func (r relations) newWriter(t *format.Type, met map[*format.Type]*writer) *writer {
	if w := met[t]; w != nil {
		return w
	}
	w := &writer{relations: r, typ: t}
	met[t] = w
	for i := range t.Members {
		m := memberWriter{TypeMember: &t.Members[i], name: quote(t.Members[i].Name) + ":"}
		if m.Reference != nil {
			m.relation, w.linked = quote(r.prefix+m.Name)+":", true
		}
		if m.Embedded != nil {
			m.embedded, w.embeds = r.newWriter(m.Embedded, met), true
		}
		w.members = append(w.members, m)
	}
	return w
}

// appendItem appends a record, or what a handler answers: what is no object as it is.
func (w *writer) appendItem(b []byte, item format.Item) ([]byte, error) {
	if w.typ.Kind != format.Object {
		return item.AppendJSON(b)
	}
	members, err := item.Members()
	if err != nil {
		return b, err
	}
	if members == nil { // null
		return item.AppendJSON(b)
	}
	var room [24]int
	places := w.find(room[:0], members)
	b = append(b, '{')
	start := len(b)
	if b = w.appendLinks(b, item, members, places); len(b) > start {
		b = append(b, ',')
	}
	for i, at := range places {
		if at >= 0 && w.members[at].relation == "" {
			b = append(append(append(b, w.members[at].name...), members[i].JSON...), ',')
		}
	}
	if w.embeds {
		if b, err = w.appendEmbedded(b, item, places); err != nil {
			return b, err
		}
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return append(b, '}'), nil
}

// find appends the index of each member, -1 for one that the type has not. Each is mostly right
// behind the one before: answers leave members out, and keep their order.
func (w *writer) find(places []int, members []format.Member) []int {
	next := 0
	for i := range members {
		at := next
		for at < len(w.members) && w.members[at].Name != members[i].Name {
			at++
		}
		if at == len(w.members) {
			at = slices.IndexFunc(w.members[:next], func(m memberWriter) bool { return m.Name == members[i].Name })
		}
		if places = append(places, at); at >= 0 {
			next = at + 1
		}
	}
	return places
}

// appendLinks appends the links of a record: itself, and what it refers to.
func (w *writer) appendLinks(b []byte, item format.Item, members []format.Member, places []int) []byte {
	const open = `"_links":{`
	b = append(b, open...)
	start := len(b)
	b = append(b, `"self":{"href":"`...)
	address := len(b)
	if b = item.AppendAddress(b); len(b) > address {
		b = append(b, `"}`...)
	} else { // what a handler answers need be no record
		b = b[:start]
	}
	for i := 0; w.linked && i < len(places); i++ {
		if at := places[i]; at >= 0 && w.members[at].relation != "" {
			b = w.appendReference(b, &w.members[at], members[i].JSON, len(b) > start)
		}
	}
	if len(b) == start {
		return b[:start-len(open)]
	}
	return append(w.appendCuries(b), '}')
}

// appendReference appends the links of a reference: one, none for null, or an array of them.
func (w *writer) appendReference(b []byte, m *memberWriter, value json.RawMessage, further bool) []byte {
	if value[0] == 'n' {
		return b
	}
	if further {
		b = append(b, ',')
	}
	b = append(b, m.relation...)
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
	const open = `"_embedded":{`
	before := len(b)
	b = append(b, open...)
	for _, at := range places {
		if at < 0 || w.members[at].embedded == nil {
			continue
		}
		m := &w.members[at]
		records, shown, err := item.Embedded(m.Name)
		if err != nil {
			return b, err
		}
		if b, err = m.appendRecords(b, records, shown); err != nil {
			return b, err
		}
	}
	if len(b) == before+len(open) {
		return b[:before], nil
	}
	b[len(b)-1] = '}' // in place of the comma
	return b, nil
}

// appendRecords appends what is embedded for one reference, with a comma behind it.
func (m *memberWriter) appendRecords(b []byte, records []format.Item, shown bool) ([]byte, error) {
	if !shown || !m.Reference.Many && (len(records) == 0 || records[0] == nil) {
		return b, nil
	}
	b = append(b, m.relation...)
	if !m.Reference.Many {
		b, err := m.embedded.appendItem(b, records[0])
		return append(b, ','), err
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
	return append(b, "],"...), nil
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
	b = appendLink(append(b, `"_links":{"self":`...), links.Self)
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
// section 2.3), which has brackets percent-encoded alone.
func appendVariable(b []byte, name string) []byte {
	for i := range len(name) {
		switch name[i] {
		case '[':
			b = append(b, "%5B"...)
		case ']':
			b = append(b, "%5D"...)
		default:
			b = append(b, name[i])
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

// lowerFirst returns the name of a resource as that of a relation.
func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }

func quote(text string) string { return string(appendQuoted(nil, text)) }

// appendQuoted appends a text as JSON. What is no UTF-8 in it becomes U+FFFD.
func appendQuoted(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}
