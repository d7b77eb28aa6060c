package csv

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// reader converts a header and rows to JSON. The reader of the JSON reports invalid values: an unknown column becomes
// an unknown field, a repeated column a repeated field, and a word that is not a number a string. So all errors are
// reported together, in one shape.
type reader struct {
	root node
	many bool // the body is a list of records
	most int  // the maximum number of columns: all known ones, and some unknown ones for the error
}

func newReader(row *format.Type, many bool) *reader {
	made := &reader{root: plan(row, false), many: many}
	made.most = 2*len(made.root.names()) + 64
	return made
}

// column is a column of a body.
type column struct {
	leaf *node  // nil for one that does not exist
	in   *node  // for an unknown column: the object that would contain it
	name string // for an unknown column: its name in that object
}

// grow limits the JSON of many short rows, each of which repeats the names of its fields.
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
		return nil, &format.Error{Detail: "The body is empty. Send a row with the names of the columns and a row with the values."}
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
			return nil, &format.Error{Detail: "The body has more than one row after the header. Send one record."}
		}
		if text = r.appendRow(text, columns, cells); len(text) > grow*len(body.Bytes)+grow<<10 {
			return nil, &format.Error{Status: http.StatusRequestEntityTooLarge, Detail: "The body has too many rows."}
		}
	}
	switch {
	case r.many:
		return append(append([]byte{'['}, bytes.TrimSuffix(text, []byte(","))...), ']'), nil
	case rows == 0:
		return nil, &format.Error{Detail: "The body has no row after the header. Send one record."}
	}
	return text[:len(text)-1], nil
}

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

// appendRow appends a row as JSON, and a comma.
func (r *reader) appendRow(b []byte, columns []column, cells []cell) []byte {
	if r.root.typ.Kind != format.Object {
		for i := range columns {
			if columns[i].leaf != nil {
				return append(appendJSON(b, columns[i].leaf, cells[i]), ',')
			}
		}
		return append(b, "null,"...)
	}
	return append(appendFields(b, &r.root, columns, cells), ',')
}

// appendFields appends an object from its columns.
func appendFields(b []byte, n *node, columns []column, cells []cell) []byte {
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
			b = appendFields(scan.AppendName(b, child.name), child, columns, cells)
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

// has reports whether there are columns for fields of an object; given cells, columns that are not empty.
func has(n *node, columns []column, cells []cell) bool {
	for i := range columns {
		c := &columns[i]
		if cells != nil && len(cells[i].text) == 0 && !cells[i].quoted && c.leaf != nil {
			continue
		}
		if c.in == n || c.leaf != nil && strings.HasPrefix(c.leaf.path, n.path+".") || c.in != nil && strings.HasPrefix(c.in.path, n.path+".") {
			return true
		}
	}
	return false
}

// isLeftOut reports whether a cell has no value.
func isLeftOut(n *node, c cell) bool {
	return len(c.text) == 0 && !n.blank && !n.typ.Nullable && n.typ.Kind != format.Any
}

// appendJSON appends the value of a cell.
func appendJSON(b []byte, n *node, c cell) []byte {
	text := c.text
	switch {
	case len(text) == 0 && (n.typ.Kind != format.Text || !c.quoted && n.typ.Nullable):
		return append(b, "null"...)
	case n.typ.Kind == format.List && text[0] != '[':
		b = append(b, '[')
		for element := range bytes.FieldsFuncSeq(unguard(text), func(r rune) bool { return r == ' ' }) {
			if n.typ.Elem.Kind == format.Text { // the guard is before the whole cell
				b = append(scan.AppendQuoted(b, element), ',')
			} else {
				b = append(appendScalar(b, n.typ.Elem.Kind, element), ',')
			}
		}
		return append(bytes.TrimSuffix(b, []byte(",")), ']')
	}
	return appendScalar(b, n.typ.Kind, text)
}

// appendScalar appends a word as a value of a kind, or as a string if it is not one.
func appendScalar(b []byte, kind format.Kind, text []byte) []byte {
	switch kind {
	case format.Text:
		return scan.AppendQuoted(b, unguard(text))
	case format.Boolean: // spreadsheets write TRUE
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

// unguard removes the ' that writers add for spreadsheets.
func unguard(text []byte) []byte {
	if len(text) > 1 && text[0] == '\'' && needsGuard(text) {
		return text[1:]
	}
	return text
}
