package csv

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// table writes records of a type as rows.
type table struct {
	root   node
	header []byte // of all columns
}

func newTable(t *format.Type) *table {
	made := &table{root: plan(t, true)}
	made.header = made.appendNames(nil, nil)
	return made
}

// appendHeader appends the names of the columns: of the fields that the client selected, nil for all.
func (t *table) appendHeader(b []byte, fields []string) []byte {
	if fields == nil {
		return append(b, t.header...)
	}
	return t.appendNames(b, fields)
}

func (t *table) appendNames(b []byte, fields []string) []byte {
	begin := len(b)
	for i := range t.root.children {
		if fields != nil && !slices.Contains(fields, t.root.children[i].name) {
			continue
		}
		t.root.children[i].leaves(func(leaf *node) {
			b = appendText(b, leaf.path)
			b = append(b, ',')
		})
	}
	return endRow(b, begin)
}

// endRow replaces the comma after the last cell with the end of the row. A row of one empty cell would be an empty
// line, which readers skip, so it gets quotation marks.
func endRow(b []byte, begin int) []byte {
	if len(b) > begin {
		b = b[:len(b)-1]
	}
	if len(b) == begin {
		b = append(b, `""`...)
	}
	return append(b, crlf...)
}

// appendRow appends a record.
func (t *table) appendRow(b []byte, item format.Item) ([]byte, error) {
	if !t.isObject() {
		return t.appendOther(b, item)
	}
	values, err := item.Fields()
	if err != nil {
		return b, err
	}
	if values == nil { // null
		return t.appendOther(b, item)
	}
	var split []opened
	found, begin, fields := scan.Fields{List: values}, len(b), item.Selected()
	for i := range t.root.children {
		n := &t.root.children[i]
		if fields != nil && !slices.Contains(fields, n.name) {
			continue
		}
		if n.embedded {
			if b, split, err = appendEmbedded(b, n, item, split); err != nil {
				return b, err
			}
			continue
		}
		switch value := found.Find(n.place, n.name); {
		case value == nil:
			b = appendEmpty(b, n)
		case value[0] == '"' && n.text:
			b = append(appendString(b, value, n.empty), ',')
		default:
			b = appendColumn(b, n, value)
		}
	}
	return endRow(b, begin), nil
}

// isObject reports whether the columns are fields.
func (t *table) isObject() bool {
	return t.root.typ.Kind == format.Object && t.root.children[0].typ != t.root.typ
}

// appendOther appends a value without fields. It writes the JSON after the row's place and removes it afterwards, so
// it needs no memory of its own.
func (t *table) appendOther(b []byte, item format.Item) ([]byte, error) {
	begin := len(b)
	b, err := item.AppendJSON(b)
	if err != nil {
		return b, err
	}
	end := len(b)
	return cut(t.appendValue(b, b[begin:end]), begin, end), nil
}

// cut removes a part.
func cut(b []byte, begin, end int) []byte { return append(b[:begin], b[end:]...) }

// appendRows appends each element of a list.
func (t *table) appendRows(b []byte, item format.Item) ([]byte, error) {
	begin := len(b)
	b, err := item.AppendJSON(b)
	if err != nil {
		return b, err
	}
	end := len(b)
	text := b[begin:end]
	for element := range scan.Elements(text) { // none of null
		b = t.appendValue(b, element)
	}
	return cut(b, begin, end), nil
}

// appendValue appends a row. The value is null, or of a type that no view has put into another order.
func (t *table) appendValue(b, text []byte) []byte {
	begin := len(b)
	if t.isObject() {
		b = appendObject(b, t.root.children, text)
	} else {
		b = append(appendCell(b, &t.root.children[0], text), ',')
	}
	return endRow(b, begin)
}

// appendObject appends the cells of a nested object, with a comma after each. The fields come in the order of the
// columns. A missing field leaves its cells empty, and a field without a column is skipped.
func appendObject(b []byte, columns []node, text []byte) []byte {
	next := 0
	for name, value := range scan.Members(text) { // none of null
		at := indexOf(columns, next, name)
		if at < 0 {
			continue
		}
		for ; next < at; next++ {
			b = appendEmpty(b, &columns[next])
		}
		b, next = appendColumn(b, &columns[at], value), at+1
	}
	for ; next < len(columns); next++ {
		b = appendEmpty(b, &columns[next])
	}
	return b
}

// appendColumn appends the cells of a JSON value, with a comma after each.
func appendColumn(b []byte, n *node, value []byte) []byte {
	switch c := value[0]; {
	case n.children != nil:
		return appendObject(b, n.children, value)
	case n.plain && c != 'n':
		return append(append(b, value...), ',')
	}
	return append(appendCell(b, n, value), ',')
}

// indexOf returns the index of the column with a name, which is a JSON string, from next on; -1 for none.
func indexOf(columns []node, next int, quoted []byte) int {
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		if plain, err := jsontext.AppendUnquote(nil, quoted); err == nil {
			name = plain
		}
	}
	for i := next; i < len(columns); i++ {
		if columns[i].name == string(name) {
			return i
		}
	}
	return -1
}

// appendEmpty appends empty cells, with a comma after each.
func appendEmpty(b []byte, n *node) []byte {
	if n.children == nil {
		return append(b, ',')
	}
	for i := range n.children {
		b = appendEmpty(b, &n.children[i])
	}
	return b
}

// appendCell appends a value as a cell.
func appendCell(b []byte, n *node, text []byte) []byte {
	switch text = text[scan.Space(text, 0):]; {
	case len(text) == 0 || text[0] == 'n':
		return b
	case text[0] == '"' && n.typ.Kind == format.Text:
		return appendString(b, text, n.empty)
	case text[0] == '[' && n.typ.Kind == format.List:
		begin := len(b)
		joined, isText, ok := join(b, text)
		if end := len(joined); ok {
			return cut(appendGuarded(joined, joined[begin:end], isText, false), begin, end)
		}
	}
	return appendGuarded(b, text, false, false)
}

// appendString appends the cell of a JSON string. A string without escapes has no quotation marks and no line breaks.
func appendString(b, quoted []byte, empty bool) []byte {
	text := quoted[1 : len(quoted)-1]
	switch {
	case bytes.IndexByte(text, '\\') >= 0:
	case len(text) == 0 || isFirstOfGuarded(text[0]) || text[0] >= bom:
		return appendGuarded(b, text, true, empty)
	case bytes.IndexByte(text, ',') >= 0:
		return append(b, quoted...)
	default:
		return append(b, text...)
	}
	begin := len(b)
	b, _ = jsontext.AppendUnquote(b, quoted) // it was written by an encoder
	end := len(b)
	return cut(appendGuarded(b, b[begin:end], true, empty), begin, end)
}

// bom is the first byte of a byte order mark.
const bom = 0xef

// appendText appends a string of our own.
func appendText(b []byte, text string) []byte { return appendGuarded(b, []byte(text), true, false) }

// appendGuarded appends a cell. It guards a string against spreadsheets, and adds quotation marks around commas,
// quotation marks and line breaks.
func appendGuarded(b, text []byte, isText, empty bool) []byte {
	guard := ""
	if isText && needsGuard(text) {
		guard = "'"
	}
	if len(text) == 0 {
		if empty {
			return append(b, `""`...)
		}
		return b
	}
	if !needsQuotes(text) {
		return append(append(b, guard...), text...)
	}
	b = append(append(b, '"'), guard...)
	for {
		quote := bytes.IndexByte(text, '"')
		if quote < 0 {
			return append(append(b, text...), '"')
		}
		b = append(append(b, text[:quote]...), `""`...)
		text = text[quote+1:]
	}
}

// needsQuotes reports whether a string needs quotation marks. The searches use wide machine words, so all of them are
// faster than a loop over the bytes.
func needsQuotes(text []byte) bool {
	for _, c := range []byte(",\"\n\r") {
		if bytes.IndexByte(text, c) >= 0 {
			return true
		}
	}
	return bytes.Contains(text, []byte("\ufeff"))
}

// isFirstOfGuarded reports whether strings that begin with the byte may need a guard.
func isFirstOfGuarded(c byte) bool {
	return c <= '@' && (c == '=' || c == '+' || c == '-' || c == '@' || c == '\t' || c == '\r' || c == '\'')
}

// needsGuard reports whether spreadsheets would treat a string as a formula, or readers would remove a ' of the string
// itself.
func needsGuard(text []byte) bool {
	text = bytes.TrimLeft(text, "'")
	return len(text) > 0 && isFirstOfGuarded(text[0])
}
