package jsonld

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writer writes the records of a type: what stands in front of their members is made once.
type writer struct {
	vocabulary *vocabulary
	isObject   bool              // and no map, list or scalar
	begins     string            // the context of what is no record of a resource, up to its members
	first      string            // of a node that stands alone, up to its address
	inner      string            // of one within another, up to its address
	class      string            // behind the address, up to the members
	properties map[string]string // of members, in the context of a collection
	id         string            // the member that identifies a record, "" for none
	fields     []field
	embeds     []embed
}

// field is a field of the type.
type field struct {
	name, label string // as it is, and as JSON between a comma and a colon
	embed       int    // its index in embeds, -1 for none
}

// embed is a field that may have nodes in place of addresses.
type embed struct {
	name string
	of   *writer
}

func newWriter(v *vocabulary, t *format.Type) *writer {
	w := &writer{vocabulary: v, isObject: t.Kind == format.Object}
	if t.Name == "" {
		w.begins = `{"@context":` + string(v.ownContext(t))
		return w
	}
	context, class := `{"@context":"`+v.context(t.Name)+`"`, `"@type":"`+t.Name+`"`
	w.first, w.inner, w.class = context+`,"@id":"`, `{"@id":"`, `",`+class
	w.properties, w.id = v.properties(t), t.ID
	for _, m := range t.Fields {
		at := -1
		if m.Embedded != nil {
			at, w.embeds = len(w.embeds), append(w.embeds, embed{m.Name, newWriter(v, m.Embedded)})
		}
		w.fields = append(w.fields, field{m.Name, "," + string(scan.AppendName(nil, m.Name)), at})
	}
	return w
}

// properties returns how the properties of a class are called in its context: as the members are but for those
// that are scoped to the class, which are called as the documentation has them.
func (v *vocabulary) properties(t *format.Type) map[string]string {
	names, taken := make(map[string]string, len(t.Fields)), v.taken(t)
	for _, m := range t.Fields {
		if names[m.Name] = m.Name; slices.Contains(taken, m.Name) {
			names[m.Name] = propertyOf(t.Name, m.Name)
		}
	}
	return names
}

// appendItem appends an answer of its own.
func (w *writer) appendItem(b []byte, item format.Item) ([]byte, error) {
	if w.begins != "" {
		return w.appendOther(b, item)
	}
	return w.appendNode(b, item, w.first)
}

// appendMember appends a record of a collection, whose context it has.
func (w *writer) appendMember(b []byte, item format.Item) ([]byte, error) {
	return w.appendNode(b, item, w.inner)
}

// appendNode appends a record. Its members are written where they stand, behind what names it:
// the brace that they begin with becomes a comma.
func (w *writer) appendNode(b []byte, item format.Item, begins string) ([]byte, error) {
	start := len(b)
	b = append(b, begins...)
	address := len(b)
	if b = item.AppendPath(b); len(b) > address {
		b = append(b, w.class...)
	} else {
		b = w.appendNameless(b[:start], begins)
	}
	if w.embeds != nil {
		made, done, err := w.appendEmbedding(b, item)
		if done || err != nil {
			return made, err
		}
	}
	members := len(b)
	b, err := item.AppendJSON(b)
	switch {
	case err != nil:
		return b, err
	case b[members] != '{': // null: a handler has answered none
		return append(b[:start], b[members:]...), nil
	case b[members+1] == '}':
		return append(b[:members], '}'), nil
	}
	b[members] = ','
	return b, nil
}

// appendNameless appends what stands in front of the members of a node without an address: no "@id".
func (w *writer) appendNameless(b []byte, begins string) []byte {
	b = append(b, begins[:len(begins)-len(`"@id":"`)]...)
	return append(b, w.class[len(`",`):]...)
}

// maxFound is how many references an answer may have nodes for without room of its own for them.
const maxFound = 4

// appendEmbedding appends the members of a record with nodes in place of their addresses, if the
// answer has any, and reports whether it has.
func (w *writer) appendEmbedding(b []byte, item format.Item) (_ []byte, done bool, err error) {
	var room [maxFound][]format.Item
	found, has := room[:0], false
	for i := range w.embeds {
		records, shown, err := item.Embedded(w.embeds[i].name)
		if err != nil {
			return b, false, err
		}
		found, has = append(found, records), has || shown
	}
	if !has {
		return b, false, nil
	}
	list, err := item.Fields()
	fields := scan.Fields{List: list}
	for i := range w.fields {
		f := &w.fields[i]
		value := fields.Find(i, f.name)
		if value == nil {
			continue
		}
		b = append(b, f.label...)
		if f.embed < 0 || len(found[f.embed]) == 0 {
			b = append(b, value...)
			continue
		}
		if b, err = w.embeds[f.embed].of.appendReferred(b, found[f.embed], value); err != nil {
			return b, true, err
		}
	}
	return append(b, '}'), true, err
}

// appendReferred appends the records that a member refers to. One that is gone, or that the caller
// may not see, stays the address that it is.
func (w *writer) appendReferred(b []byte, records []format.Item, value []byte) (_ []byte, err error) {
	if value[0] != '[' {
		return w.appendOne(b, records[0], value)
	}
	b = append(b, '[')
	for n, i := 0, scan.Space(value, 1); value[i] != ']'; n++ {
		end := scan.Value(value, i)
		var record format.Item
		if n < len(records) {
			record = records[n]
		}
		if b, err = w.appendOne(b, record, value[i:end]); err != nil {
			return b, err
		}
		if i = scan.Space(value, end); value[i] == ',' {
			b, i = append(b, ','), scan.Space(value, i+1)
		}
	}
	return append(b, ']'), nil
}

func (w *writer) appendOne(b []byte, record format.Item, reference []byte) ([]byte, error) {
	if record == nil {
		return append(b, reference...), nil
	}
	return w.appendMember(b, record)
}

// appendOther appends what is no record: an object with a context of its own, or another value as
// that of a node. A map is such a value, for its names are data: one could be @context.
func (w *writer) appendOther(b []byte, item format.Item) ([]byte, error) {
	start := len(b)
	b = append(b, w.begins...)
	members := len(b)
	b, err := item.AppendJSON(b)
	switch {
	case err != nil:
		return b, err
	case !w.isObject || b[members] != '{':
	case b[members+1] == '}':
		return append(b[:members], '}'), nil
	default:
		b[members] = ','
		return b, nil
	}
	value := append([]byte(nil), b[members:]...)
	b = append(append(b[:start], valueContext...), value...)
	return append(b, '}'), nil
}

// valueContext is the node that has a value which is no object: any JSON, as it is (JSON-LD 1.1,
// section 4.2.2).
const valueContext = `{"@context":{"value":{"@id":"http://www.w3.org/1999/02/22-rdf-syntax-ns#value","@type":"@json"}},"value":`

// begin appends what stands before the records of a collection.
func (w *writer) begin(b []byte, page format.Page) ([]byte, error) {
	if address := page.Path(); address != "" {
		b = append(append(append(b, w.first...), address...), `","@type":"Collection"`...)
	} else {
		b = append(append(b, w.first[:len(w.first)-len(`"@id":"`)]...), `"@type":"Collection"`...)
	}
	if total, known := page.Total(); known {
		b = strconv.AppendInt(append(b, `,"totalItems":`...), int64(total), 10)
	}
	return append(b, `,"member":[`...), nil
}

// end appends what stands behind the records: where other pages are, and what can be asked for.
func (w *writer) end(b []byte, page format.Page) ([]byte, error) {
	links, err := page.Links()
	if err != nil {
		return b, err
	}
	if b = append(b, ']'); links.Self == "" {
		return append(b, '}'), nil
	}
	b = append(b, `,"view":{"@id":`...)
	b = append(appendText(b, links.Self), `,"@type":"PartialCollectionView"`...)
	b = appendLink(b, "first", links.First)
	b = appendLink(b, "last", links.Last)
	b = appendLink(b, "previous", links.Prev)
	b = appendLink(b, "next", links.Next)
	b = append(b, '}')
	b = w.appendSearch(b, page.Path(), page.Parameters())
	return append(b, '}'), nil
}

func appendLink(b []byte, name, address string) []byte {
	if address == "" {
		return b
	}
	b = append(append(append(b, `,"`...), name...), `":`...)
	return appendText(b, address)
}

// appendText appends a text as JSON. Addresses have nothing that needs to be escaped.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			b, _ = jsontext.AppendQuote(b, text) // what is not UTF-8 is replaced
			return b
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// asks are the roles of the parameters that ask for some of the records, or for an order.
var asks = []string{"filter", "search", "sort", "order"}

// isAsked reports whether the template has a parameter. The filter by the identifier is left out: clients of Hydra know
// records by their URLs, and would send these in place of identifiers.
func (w *writer) isAsked(p *format.Parameter) bool {
	return slices.Contains(asks, p.Role) && (w.id == "" || p.Field != w.id)
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
		if property := w.properties[p.Field]; property != "" {
			b = appendText(append(b, `,"property":`...), property)
		}
		b = append(b, `,"required":false}`...)
	}
	return append(b, "]}"...)
}
