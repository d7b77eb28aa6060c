package jsonld

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writer writes the records of a type. It prepares what comes before their fields.
type writer struct {
	vocabulary *vocabulary
	isObject   bool              // not a map, list or scalar
	begins     string            // for a type without a resource: the context up to the fields
	first      string            // the beginning of a node on its own, up to its path
	inner      string            // the beginning of an inner node, up to its path
	class      string            // what follows the path, up to the fields
	properties map[string]string // of fields, in the context of a collection
	id         string            // the field that identifies a record, "" for none
	fields     []field
	embeds     []embed
}

// field is a field of the type.
type field struct {
	name, label string // as it is, and in JSON between a comma and a colon
	embed       int    // its index in embeds, -1 for none
}

// embed is a field that can have nodes instead of paths.
type embed struct {
	name    string
	inverse bool // the field is the path of a collection, and its nodes are a list
	of      *writer
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
			at, w.embeds = len(w.embeds), append(w.embeds, embed{m.Name, m.Reference.Inverse, newWriter(v, m.Embedded)})
		}
		w.fields = append(w.fields, field{m.Name, "," + string(scan.AppendName(nil, m.Name)), at})
	}
	return w
}

// properties returns the names of a class's properties in its context: those of the fields, except fields scoped to
// the class, which have the name of the documentation.
func (v *vocabulary) properties(t *format.Type) map[string]string {
	names, taken := make(map[string]string, len(t.Fields)), v.taken(t)
	for _, m := range t.Fields {
		if names[m.Name] = m.Name; slices.Contains(taken, m.Name) {
			names[m.Name] = propertyOf(t.Name, m.Name)
		}
	}
	return names
}

// appendItem appends a response with one value.
func (w *writer) appendItem(b []byte, item format.Item) ([]byte, error) {
	if w.begins != "" {
		return w.appendOther(b, item)
	}
	return w.appendNode(b, item, w.first)
}

// appendRecord appends a record of a collection, whose context applies.
func (w *writer) appendRecord(b []byte, item format.Item) ([]byte, error) {
	return w.appendNode(b, item, w.inner)
}

// appendNode appends a record. It writes the fields in place, after the keywords, and turns their opening brace into a
// comma.
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
	case b[members] != '{': // null: the handler returned none
		return append(b[:start], b[members:]...), nil
	case b[members+1] == '}':
		return append(b[:members], '}'), nil
	}
	b[members] = ','
	return b, nil
}

// appendNameless appends what comes before the fields of a node without a path: no "@id".
func (w *writer) appendNameless(b []byte, begins string) []byte {
	b = append(b, begins[:len(begins)-len(`"@id":"`)]...)
	return append(b, w.class[len(`",`):]...)
}

// appendEmbedding appends the fields of a record with nodes instead of paths, and reports whether the response has
// any.
func (w *writer) appendEmbedding(b []byte, item format.Item) (_ []byte, done bool, err error) {
	found, has := make([][]format.Item, len(w.embeds)), false
	for i := range w.embeds {
		records, shown, err := item.Embedded(w.embeds[i].name)
		if err != nil {
			return b, false, err
		}
		found[i], has = records, has || shown
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
		switch {
		case f.embed >= 0 && w.embeds[f.embed].inverse:
			b, err = w.embeds[f.embed].of.appendNodes(b, found[f.embed])
		case f.embed < 0 || len(found[f.embed]) == 0:
			b = append(b, value...)
		default:
			b, err = w.embeds[f.embed].of.appendReferred(b, found[f.embed], value)
		}
		if err != nil {
			return b, true, err
		}
	}
	return append(b, '}'), true, err
}

// appendNodes appends a list of records.
func (w *writer) appendNodes(b []byte, records []format.Item) (_ []byte, err error) {
	b = append(b, '[')
	for _, record := range records {
		if b, err = w.appendRecord(b, record); err != nil {
			return b, err
		}
		b = append(b, ',')
	}
	return append(bytes.TrimSuffix(b, []byte(",")), ']'), nil
}

// appendReferred appends the records that a field refers to. A deleted or hidden one stays a path.
func (w *writer) appendReferred(b []byte, records []format.Item, value []byte) (_ []byte, err error) {
	if value[0] != '[' {
		return w.appendOne(b, records[0], value)
	}
	b = append(b, '[')
	n := 0
	for reference := range scan.Elements(value) {
		var record format.Item
		if n < len(records) {
			record = records[n]
		}
		if b, err = w.appendOne(b, record, reference); err != nil {
			return b, err
		}
		b = append(b, ',')
		n++
	}
	return append(bytes.TrimSuffix(b, []byte(",")), ']'), nil
}

func (w *writer) appendOne(b []byte, record format.Item, reference []byte) ([]byte, error) {
	if record == nil {
		return append(b, reference...), nil
	}
	return w.appendRecord(b, record)
}

// appendOther appends a value that is not a record: an object with a context of its own, or another value as a node
// with that value. A map is such a value, because its names are data: one could be @context.
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

// valueContext is the node with a value that is not an object: any JSON, as it is (JSON-LD 1.1, section 4.2.2).
const valueContext = `{"@context":{"value":{"@id":"http://www.w3.org/1999/02/22-rdf-syntax-ns#value","@type":"@json"}},"value":`

// begin appends what comes before the records of a collection.
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

// end appends what comes after the records: the URLs of other pages and the query template.
func (w *writer) end(b []byte, page format.Page) ([]byte, error) {
	links, err := page.Links()
	if err != nil {
		return b, err
	}
	if b = append(b, ']'); links.Self == "" {
		return append(b, '}'), nil
	}
	b = append(b, `,"view":{"@id":`...)
	b = append(scan.AppendQuoted(b, links.Self), `,"@type":"PartialCollectionView"`...)
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
	return scan.AppendQuoted(b, address)
}

// searchParameters are the roles of the parameters that filter or sort.
var searchParameters = []string{"filter", "search", "sort", "order"}

// appendSearch appends the URI template for the collection's filters. It omits the filter by identifier, because Hydra clients
// know records by their URLs and would send those. Variables have the names of parameters, brackets
// included: RFC 6570 requires percent-encoding, but the libraries that expand templates would encode that again. The
// property is a field of the record. A parameter for a field of something else, of a referenced record or of what is
// stored, has none.
func (w *writer) appendSearch(b []byte, address string, parameters []format.Parameter) []byte {
	parameters = slices.DeleteFunc(slices.Clone(parameters), func(p format.Parameter) bool {
		return !slices.Contains(searchParameters, p.Role) || w.id != "" && p.Field == w.id
	})
	if len(parameters) == 0 {
		return b
	}
	names := make([]string, len(parameters))
	for i := range parameters {
		names[i] = parameters[i].Name
	}
	b = append(append(b, `,"search":{"@type":"IriTemplate","template":"`...), address...)
	b = append(append(b, "{?"...), strings.Join(names, ",")...)
	b = append(b, `}","variableRepresentation":"BasicRepresentation","mapping":[`...)
	for _, p := range parameters {
		b = scan.AppendQuoted(append(b, `{"@type":"IriTemplateMapping","variable":`...), p.Name)
		if property := w.properties[p.Field]; property != "" {
			b = scan.AppendQuoted(append(b, `,"property":`...), property)
		}
		b = append(b, `,"required":false},`...)
	}
	return append(bytes.TrimSuffix(b, []byte(",")), "]}"...)
}
