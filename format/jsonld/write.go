package jsonld

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
)

// writer writes the records of a type: what stands in front of their members is made once.
type writer struct {
	vocabulary *vocabulary
	begins     string // the context of what is no record of a resource, up to its members
	first      string // of a node that stands alone, up to its address
	inner      string // of one within another, up to its address
	class      string // behind the address, up to the members
	nameless   string // in place of it all, where there is no address
	embeds     []embed
	labels     []label // of all members, in the order of JSON
}

// embed is a member that may have nodes in place of addresses.
type embed struct {
	name string
	of   *writer
}

// label is how a member begins.
type label struct {
	name  string
	text  string // a comma, the name and a colon
	embed int    // which one of the embeds it is, -1 for none
}

func newWriter(v *vocabulary, t *format.Type) *writer {
	w := &writer{vocabulary: v}
	if t.Name == "" {
		w.begins = `{"@context":` + string(v.ownContext(t))
		return w
	}
	context, class := `{"@context":"`+v.context(t.Name)+`"`, `"@type":"`+t.Name+`"`
	w.first, w.inner, w.class, w.nameless = context+`,"@id":"`, `{"@id":"`, `",`+class, "{"+class
	for _, m := range t.Members {
		l := label{m.Name, string(appendName([]byte{','}, m.Name)), -1}
		if m.Embedded != nil {
			l.embed, w.embeds = len(w.embeds), append(w.embeds, embed{m.Name, newWriter(v, m.Embedded)})
		}
		w.labels = append(w.labels, l)
	}
	return w
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
	if b = item.AppendAddress(b); len(b) > address {
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

// appendNameless appends what stands in front of the members of a node without an address.
func (w *writer) appendNameless(b []byte, begins string) []byte {
	if begins == w.inner {
		return append(b, w.nameless...)
	}
	b = append(b, begins[:len(begins)-len(`"@id":"`)]...)
	return append(b, w.nameless[1:]...)
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
	members, err := item.Members()
	at := 0
	for i := range members {
		m := &members[i]
		for at < len(w.labels) && w.labels[at].name != m.Name { // one that is left out
			at++
		}
		if at == len(w.labels) {
			return b, true, errors.New("jsonld: a record has a member that its type does not have")
		}
		b = append(b, w.labels[at].text...)
		if e := w.labels[at].embed; e >= 0 && len(found[e]) > 0 {
			b, err = w.embeds[e].of.appendReferred(b, found[e], m.JSON)
		} else {
			b = append(b, m.JSON...)
		}
		if err != nil {
			return b, true, err
		}
	}
	return append(b, '}'), true, err
}

// appendReferred appends the records that a member refers to. One that is gone, or that the caller
// may not see, stays the address that it is.
func (w *writer) appendReferred(b []byte, records []format.Item, value json.RawMessage) ([]byte, error) {
	if value[0] != '[' {
		return w.appendOne(b, records[0], value)
	}
	var references []json.RawMessage
	if err := json.Unmarshal(value, &references); err != nil {
		return b, err //nolint:wrapcheck // it was written by an encoder
	}
	b = append(b, '[')
	for i, reference := range references {
		if i > 0 {
			b = append(b, ',')
		}
		var record format.Item
		if i < len(records) {
			record = records[i]
		}
		var err error
		if b, err = w.appendOne(b, record, reference); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func (w *writer) appendOne(b []byte, record format.Item, reference json.RawMessage) ([]byte, error) {
	if record == nil {
		return append(b, reference...), nil
	}
	return w.appendMember(b, record)
}

// appendOther appends what is no record: an object with a context of its own, or another value as
// that of a node.
func (w *writer) appendOther(b []byte, item format.Item) ([]byte, error) {
	start := len(b)
	b = append(b, w.begins...)
	members := len(b)
	b, err := item.AppendJSON(b)
	switch {
	case err != nil:
		return b, err
	case b[members] == '{' && b[members+1] == '}':
		return append(b[:members], '}'), nil
	case b[members] == '{':
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
	b = append(append(b, w.first...), page.Address()...)
	b = append(b, `","@type":"Collection"`...)
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
	b = append(b, `],"view":{"@id":`...)
	b = append(appendText(b, links.Self), `,"@type":"PartialCollectionView"`...)
	b = appendLink(b, "first", links.First)
	b = appendLink(b, "last", links.Last)
	b = appendLink(b, "previous", links.Prev)
	b = appendLink(b, "next", links.Next)
	b = append(b, '}')
	b = appendSearch(b, page.Address(), page.Parameters())
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
