package csv

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// reader makes JSON of a header and rows. What is wrong with values it leaves to whoever reads
// the JSON: an unknown column is an unknown member there, a column that is there twice a member
// that is, and a word that is no number a string, so that all of it is told at once and in one
// shape.
type reader struct {
	root node
	many bool // a list of records is read, not one
	most int  // how many columns a body may have: those there are, and some that are told to be wrong
}

func newReader(row *format.Type, many bool) *reader {
	made := &reader{root: plan(row, false), many: many}
	made.most = 2*len(made.root.names()) + 64
	return made
}

// column is a column of a body.
type column struct {
	leaf *node  // nil for one that there is not
	in   *node  // the object that it would be in, then
	name string // what it is called there
}

// grow bounds what many short rows become, each of which repeats the names of its members.
const grow = 16

func (r *reader) read(body *format.Body) ([]byte, error) {
	p, err := newParser(body.Bytes, r.most)
	if err != nil {
		return nil, err
	}
	header, err := p.row(nil)
	if err != nil {
		return nil, err
	}
	if header == nil {
		return nil, &format.Error{Detail: "The body is empty: send a row with the names of the columns, and one with the values."}
	}
	columns := r.columns(header)
	cells := make([]cell, 0, len(header))
	var text []byte
	rows := 0
	for ; ; rows++ {
		if cells, err = p.row(cells); err != nil {
			return nil, err
		}
		if cells == nil {
			break
		}
		if !r.many && rows > 0 {
			return nil, malformedRows("There is more than one row behind the header: send one record.")
		}
		if text = r.appendRow(text, columns, cells); len(text) > grow*len(body.Bytes)+grow<<10 {
			return nil, &format.Error{Status: http.StatusRequestEntityTooLarge, Detail: "The body has too many rows."}
		}
	}
	switch {
	case r.many:
		return append(append([]byte{'['}, bytes.TrimSuffix(text, []byte(","))...), ']'), nil
	case rows == 0:
		return nil, malformedRows("There is no row behind the header: send one record.")
	}
	return text[:len(text)-1], nil
}

func malformedRows(detail string) error { return &format.Error{Detail: detail} }

// columns finds the columns that a header names.
func (r *reader) columns(header []cell) []column {
	columns := make([]column, len(header))
	for i, c := range header {
		found, rest := r.root.find(string(unguard(c.text)))
		if rest == "" && found.children == nil {
			columns[i] = column{leaf: found}
		} else {
			columns[i] = column{in: found, name: rest}
		}
	}
	return columns
}

// appendRow appends the JSON of a row, and a comma.
func (r *reader) appendRow(b []byte, columns []column, cells []cell) []byte {
	if r.root.typ.Kind != format.Object {
		for i := range columns {
			if columns[i].leaf != nil {
				return append(appendJSON(b, columns[i].leaf, cells[i]), ',')
			}
		}
		return append(b, "null,"...)
	}
	return append(appendMembers(b, &r.root, columns, cells), ',')
}

// appendMembers appends an object of its columns.
func appendMembers(b []byte, n *node, columns []column, cells []cell) []byte {
	b = append(b, '{')
	begin := len(b)
	for i := range n.children {
		child := &n.children[i]
		switch {
		case child.children == nil:
			for j := range columns {
				if columns[j].leaf == child && !isLeftOut(child, cells[j]) {
					b = appendJSON(scan.AppendName(b, child.name), child, cells[j])
					b = append(b, ',')
				}
			}
		case !has(child, columns, nil):
		case has(child, columns, cells):
			b = appendMembers(scan.AppendName(b, child.name), child, columns, cells)
			b = append(b, ',')
		case child.typ.Nullable:
			b = append(scan.AppendName(b, child.name), "null,"...)
		}
	}
	for j := range columns {
		if columns[j].in == n {
			b = scan.AppendQuoted(scan.AppendName(b, columns[j].name), cells[j].text)
			b = append(b, ',')
		}
	}
	if len(b) > begin {
		b = b[:len(b)-1]
	}
	return append(b, '}')
}

// has reports whether there are columns of what is in an object; with cells, ones that are not
// empty.
func has(n *node, columns []column, cells []cell) bool {
	for i := range columns {
		c := &columns[i]
		if cells != nil && cells[i].isEmpty() && c.leaf != nil {
			continue
		}
		if c.in == n || c.leaf != nil && strings.HasPrefix(c.leaf.path, n.path+".") || c.in != nil && strings.HasPrefix(c.in.path, n.path+".") {
			return true
		}
	}
	return false
}

// isLeftOut reports whether a cell says nothing.
func isLeftOut(n *node, c cell) bool {
	return len(c.text) == 0 && !n.blank && !n.typ.Nullable && n.typ.Kind != format.Any
}

// appendJSON appends what a cell says.
func appendJSON(b []byte, n *node, c cell) []byte {
	text := c.text
	switch {
	case len(text) == 0 && (n.typ.Kind != format.Text || !c.quoted && n.typ.Nullable):
		return append(b, "null"...)
	case n.typ.Kind == format.List && text[0] != '[':
		b = append(b, '[')
		for element := range bytes.FieldsFuncSeq(unguard(text), func(r rune) bool { return r == ' ' }) {
			if n.typ.Elem.Kind == format.Text { // the guard was before the whole cell
				b = append(scan.AppendQuoted(b, element), ',')
			} else {
				b = append(appendScalar(b, n.typ.Elem.Kind, element), ',')
			}
		}
		return append(bytes.TrimSuffix(b, []byte(",")), ']')
	}
	return appendScalar(b, n.typ.Kind, text)
}

// appendScalar appends what a word says as a value of a kind, a string where it is none of it.
func appendScalar(b []byte, kind format.Kind, text []byte) []byte {
	switch kind {
	case format.Text:
		return scan.AppendQuoted(b, unguard(text))
	case format.Boolean: // which spreadsheets write in capitals
		if bytes.EqualFold(text, []byte("true")) || bytes.EqualFold(text, []byte("false")) {
			return append(b, bytes.ToLower(text)...)
		}
	case format.Integer, format.Number:
		if c := text[len(text)-1]; (text[0] == '-' || '0' <= text[0] && text[0] <= '9') && '0' <= c && c <= '9' && json.Valid(text) {
			return append(b, text...)
		}
	default:
		if json.Valid(text) {
			return append(b, text...)
		}
	}
	return scan.AppendQuoted(b, text)
}

// unguard takes away what writers put before a text for the sake of spreadsheets.
func unguard(text []byte) []byte {
	if len(text) > 1 && text[0] == '\'' && needsGuard(text) {
		return text[1:]
	}
	return text
}
