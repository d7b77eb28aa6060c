package html

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
	"github.com/trove-api/trove/internal/naming"
)

// A page needs all its records at once, because its columns are the fields that any of them has. So rows are first written
// behind this text, each as its path and its JSON, and End replaces them by the page.
const beginRows = "\x00rows\x00"

// table is the records of a page.
type table struct {
	Columns           []column
	Rows              []row
	Count             string
	More              []link // to what the table leaves out
	First, Prev, Next string
	Last              string
	Empty             string
}

// row is a record.
type row struct{ Cells []cell }

// cell is a value of a record. With a path it is the link to the record.
type cell struct {
	value

	Path     string
	IsLong   bool // the column must not be narrow
	IsNumber bool // the column has numbers
}

// appendRow appends a record for End.
func appendRow(b []byte, item format.Item) ([]byte, error) {
	start := len(b)
	b = append(b, make([]byte, 8)...)
	b = item.AppendPath(b)
	path := len(b) - start - 8
	b, err := item.AppendJSON(b)
	binary.BigEndian.PutUint32(b[start:], uint32(path))             //nolint:gosec // shorter than a URL
	binary.BigEndian.PutUint32(b[start+4:], uint32(len(b)-start-8)) //nolint:gosec // responses are shorter
	return b, err
}

// written is a record that appendRow has written.
type written struct {
	path             string
	text             []byte
	fields, embedded map[string][]byte
}

// readRows returns the records and where they begin in b.
func readRows(b []byte) (rows []written, start int) {
	start = bytes.Index(b, []byte(beginRows))
	for at := start + len(beginRows); at+8 <= len(b); {
		path, all := int(binary.BigEndian.Uint32(b[at:])), int(binary.BigEndian.Uint32(b[at+4:]))
		at += 8
		r := written{path: string(b[at : at+path]), text: b[at+path : at+all]}
		r.fields, r.embedded = split(r.text)
		rows = append(rows, r)
		at += all
	}
	return rows, start
}

// split returns the fields of a record, and those of the records that it embeds.
func split(text []byte) (fields, embedded map[string][]byte) {
	fields, embedded = map[string][]byte{}, map[string][]byte{}
	for _, v := range scan.Values(text) {
		fields[v.Name] = v.Text
	}
	for _, v := range scan.Values(fields["_embedded"]) {
		embedded[v.Name] = v.Text
	}
	return fields, embedded
}

// writePage writes a collection.
func (s *site) writePage(b []byte, list format.Page, t *format.Type) ([]byte, error) {
	rows, start := readRows(b)
	links, err := list.Links()
	if err != nil {
		return b, err
	}
	r := s.known().resources[list.Type()]
	made := s.newContent(naming.Label(list.Type()))
	if r != nil {
		made = s.newContent(naming.Label(r.Plural))
		made.Lead = r.Description
	}
	made.Crumbs = []link{{made.Heading, ""}}
	path, _, _ := strings.Cut(links.Self, "?")
	made.session(s, list.SignedIn(), links.Self)
	made.Table = s.table(rows, t, list, links)
	if links.Self != "" {
		made.Search = s.search(list, t, path, queryOf(links.Self))
		made.Forms, made.Links = s.ofCollection(list, list.Path())
	}
	var text []byte
	for i := range rows {
		text = append(append(text, ','), rows[i].text...)
	}
	if len(text) == 0 {
		text = []byte{'['}
	}
	text[0] = '['
	jsonPath := ""
	if links.Self != "" && s.known().hasJSON(list.Path()) {
		jsonPath = withSuffix(links.Self, ".json")
	}
	made.withJSON(append(text, ']'), jsonPath)
	return s.write(b[:start], made)
}

// table makes the table of a page.
func (s *site) table(rows []written, t *format.Type, list format.Page, links format.Links) *table {
	made := &table{First: links.First, Prev: links.Prev, Next: links.Next, Last: links.Last, Empty: "Nothing here."}
	if links.Prev == "" && links.Last != "" {
		made.First = "" // this page; pages of cursors have no Prev
	}
	if links.Next == "" && links.Prev != "" {
		made.Last = ""
	}
	made.Count = count(len(rows), "record", "records")
	if total, known := list.Total(); known && total != len(rows) {
		made.Count = strconv.Itoa(len(rows)) + " of " + count(total, "record", "records")
	}
	if len(queryOf(links.Self)) > 0 {
		made.Empty = "No record matches."
	}
	var fields []*format.TypeField
	for i := range t.Fields {
		f := &t.Fields[i]
		if slices.ContainsFunc(rows, func(r written) bool { _, has := r.fields[f.Name]; return has }) {
			fields = append(fields, f)
		}
	}
	shown := choose(fields, t, list, sortedBy(list, links.Self))
	for _, f := range shown {
		made.Columns = append(made.Columns, s.column(f, list, links.Self))
	}
	if made.More = more(fields, shown, list, links.Self, rows); len(shown) < len(fields) {
		made.Count += " · " + strconv.Itoa(len(shown)) + " of " + strconv.Itoa(len(fields)) + " fields"
	}
	lead := leading(shown, t)
	for _, r := range rows {
		made.Rows = append(made.Rows, rowOf(r, shown, made.Columns, lead))
	}
	return made
}

// rowOf makes the row of a record. The cell at lead is the link to it.
func rowOf(r written, shown []*format.TypeField, columns []column, lead int) row {
	var made row
	for i, f := range shown {
		c := cell{value: showField(r.fields[f.Name], f, r.embedded[f.Name], ofCell())}
		if i == lead {
			c.Path = r.path
		}
		c.IsLong, c.IsNumber = c.Kind == "text" && len(c.Text) > 24, c.Kind == "number" || columns[i].IsNumber
		if c.Kind == "null" && c.Path != "" {
			c.value = value{Kind: "text", Text: "Open"}
		}
		made.Cells = append(made.Cells, c)
	}
	return made
}
