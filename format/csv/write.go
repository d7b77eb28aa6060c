package csv

import (
	"bytes"
	"slices"
	"strings"

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

// appendHeader appends the names of the columns: of the members that the client asked for, nil
// for all.
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
			b = appendText(b, leaf.path, false)
			b = append(b, ',')
		})
	}
	return endRow(b, begin)
}

// endRow replaces the comma behind the last cell of the row by the end of the row. A row of one
// empty cell would be an empty line, which readers skip: it gets quotation marks.
func endRow(b []byte, begin int) []byte {
	if len(b) > begin {
		b = b[:len(b)-1]
	}
	if len(b) == begin {
		b = append(b, `""`...)
	}
	return append(b, crlf...)
}

// appendRow appends a record. Its JSON is made behind the row's place, and goes when the row is
// there: it needs no room of its own.
func (t *table) appendRow(b []byte, item format.Item) ([]byte, error) {
	begin := len(b)
	b, err := item.AppendJSON(b)
	if err != nil {
		return b, err
	}
	end := len(b)
	b = t.appendValue(b, b[begin:end], item.Fields())
	return append(b[:begin], b[end:]...), nil
}

// appendRows appends each element of a list.
func (t *table) appendRows(b []byte, item format.Item) ([]byte, error) {
	begin := len(b)
	b, err := item.AppendJSON(b)
	if err != nil {
		return b, err
	}
	end := len(b)
	text := b[begin:end]
	if i := scan.Space(text, 0); i < len(text) && text[i] == '[' { // and not null
		for i = scan.Space(text, i+1); i < len(text) && text[i] != ']'; i = scan.Space(text, i) {
			if text[i] == ',' {
				i++
				continue
			}
			behind := scan.Value(text, i)
			b = t.appendValue(b, text[i:behind], nil)
			i = behind
		}
	}
	return append(b[:begin], b[end:]...), nil
}

// appendValue appends a row.
func (t *table) appendValue(b, text []byte, fields []string) []byte {
	begin := len(b)
	if t.root.typ.Kind == format.Object && t.root.children[0].typ != t.root.typ {
		b = appendObject(b, t.root.children, text, fields)
	} else {
		b = append(appendCell(b, &t.root.children[0], text), ',')
	}
	return endRow(b, begin)
}

// appendObject appends the cells of an object, a comma behind each. Its members come in the
// order of the columns; one that is missing leaves its cells empty, and one that has no column is
// passed over.
func appendObject(b []byte, columns []node, text []byte, fields []string) []byte {
	next, i := 0, scan.Space(text, 0)
	if i == len(text) || text[i] != '{' {
		return appendEmpty(b, columns, fields)
	}
	for i = scan.Space(text, i+1); i < len(text) && text[i] == '"'; i = behindComma(text, i) {
		at := next
		if next < len(columns) && isNext(text[i:], columns[next].begins) {
			i += len(columns[next].begins)
		} else {
			at, i = findMember(columns, next, text, i)
		}
		if at < 0 {
			i = scan.Value(text, i)
			continue
		}
		b = appendEmpty(b, columns[next:at], fields)
		b, i = appendMember(b, &columns[at], text, i)
		next = at + 1
	}
	return appendEmpty(b, columns[next:], fields)
}

// behindComma returns where the member behind a value begins, or the object's end.
func behindComma(text []byte, i int) int {
	if i = scan.Space(text, i); i < len(text) && text[i] == ',' {
		return scan.Space(text, i+1)
	}
	return i
}

// isNext reports whether a text begins with a member, and its value without a space.
func isNext(text []byte, begins string) bool {
	return len(text) > len(begins) && string(text[:len(begins)]) == begins && text[len(begins)] > ' '
}

// findMember returns the index of the column of the member that begins at i, -1 for none, and
// the index of its value.
func findMember(columns []node, next int, text []byte, i int) (at, value int) {
	name := i + 1
	i, _ = scan.String(text, i)
	return indexOf(columns, next, text[name:i-1]), scan.Space(text, scan.Space(text, i)+1)
}

// appendMember appends the cells of the value that begins at i, and returns the index behind
// it.
func appendMember(b []byte, n *node, text []byte, i int) ([]byte, int) {
	if n.children == nil && n.typ.Kind == format.Text && text[i] == '"' {
		end, escaped := scan.String(text, i)
		return append(appendString(b, text[i:end], escaped, n.empty), ','), end
	}
	end := scan.Value(text, i)
	if n.plain && text[i] != 'n' {
		return append(append(b, text[i:end]...), ','), end
	}
	if n.children != nil {
		return appendObject(b, n.children, text[i:end], nil), end
	}
	return append(appendCell(b, n, text[i:end]), ','), end
}

// indexOf returns the index of the column of a name from next on, -1 for none.
func indexOf(columns []node, next int, name []byte) int {
	if bytes.IndexByte(name, '\\') >= 0 {
		quoted := append(append([]byte{'"'}, name...), '"')
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

// appendEmpty appends empty cells.
func appendEmpty(b []byte, columns []node, fields []string) []byte {
	for i := range columns {
		switch c := &columns[i]; {
		case fields != nil && !slices.Contains(fields, c.name):
		case c.children != nil:
			b = appendEmpty(b, c.children, nil)
		default:
			b = append(b, ',')
		}
	}
	return b
}

// appendCell appends a value as a cell.
func appendCell(b []byte, n *node, text []byte) []byte {
	switch text = text[scan.Space(text, 0):]; {
	case len(text) == 0 || text[0] == 'n':
		return b
	case text[0] == '"' && n.typ.Kind == format.Text:
		end, escaped := scan.String(text, 0)
		return appendString(b, text[:end], escaped, n.empty)
	case text[0] == '[' && n.typ.Kind == format.List:
		if joined, isText, ok := join(text); ok {
			return appendGuarded(b, joined, isText, false)
		}
	}
	return appendGuarded(b, string(text), false, false)
}

// appendString appends a JSON string. Most have neither escapes nor commas, and are copied.
func appendString(b, quoted []byte, escaped, empty bool) []byte {
	inner := quoted[1 : len(quoted)-1]
	if !escaped && len(inner) > 0 && !isFirstOfGuarded(inner[0]) && inner[0] < bom {
		if bytes.IndexByte(inner, ',') < 0 {
			return append(b, inner...)
		}
		b = append(append(b, '"'), inner...)
		return append(b, '"')
	}
	if !escaped {
		return appendGuarded(b, string(inner), true, empty)
	}
	plain, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return b // of well-formed JSON there is none
	}
	return appendGuarded(b, string(plain), true, empty)
}

// bom is the first byte of a byte order mark.
const bom = 0xef

// appendText appends a text of our own.
func appendText(b []byte, text string, empty bool) []byte { return appendGuarded(b, text, true, empty) }

// appendGuarded appends a cell: a text is guarded against spreadsheets, and what has a comma,
// a quotation mark or a line break is put in quotation marks.
func appendGuarded(b []byte, text string, isText, empty bool) []byte {
	guard := ""
	if isText && needsGuard(text) {
		guard = "'"
	}
	if text == "" {
		if empty {
			return append(b, `""`...)
		}
		return b
	}
	if strings.IndexByte(text, ',') < 0 && !strings.ContainsAny(text, "\"\r\n\ufeff") {
		return append(append(b, guard...), text...)
	}
	b = append(append(b, '"'), guard...)
	for {
		before, behind, more := strings.Cut(text, `"`)
		if b = append(b, before...); !more {
			return append(b, '"')
		}
		b, text = append(b, `""`...), behind
	}
}

// isFirstOfGuarded reports whether texts that begin with the byte may need a guard.
func isFirstOfGuarded(c byte) bool {
	return c == '=' || c == '+' || c == '-' || c == '@' || c == '\t' || c == '\r' || c == '\''
}

// needsGuard reports whether spreadsheets would take a text for a formula, or readers would
// take a ' away that is the text's own.
func needsGuard(text string) bool {
	text = strings.TrimLeft(text, "'")
	return text != "" && text[0] != '\'' && isFirstOfGuarded(text[0])
}

// join joins the elements of a list of scalars by spaces, and reports whether they are texts. It
// is not ok where they could not be told apart.
func join(list []byte) (joined string, isText, ok bool) {
	var b []byte
	for i := scan.Space(list, 1); i < len(list) && list[i] != ']'; i = scan.Space(list, i) {
		if list[i] == ',' {
			i++
			continue
		}
		end := scan.Value(list, i)
		element := list[i:end]
		switch element[0] {
		case '"':
			plain, err := jsontext.AppendUnquote(nil, element)
			if err != nil || len(plain) == 0 || bytes.ContainsAny(plain, " \t\r\n") || len(b) == 0 && (plain[0] == '[' || plain[0] == '\'') {
				return "", false, false
			}
			element, isText = plain, true
		case '{', '[', 'n':
			return "", false, false
		}
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b, i = append(b, element...), end
	}
	return string(b), isText, len(b) > 0
}
