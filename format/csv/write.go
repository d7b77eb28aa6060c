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
	plan   scan.Plan[[]span]
}

// span is what stands side by side in a record and in its row: members that are most often the same in both.
// Others, which have to be looked at, are each by itself.
type span struct {
	columns []*node
	at      int  // which member of the record is the first; -1 for one that it does not have
	alike   bool // numbers, truth values, and texts that are never null
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
			b = appendText(b, leaf.path)
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

// planOf returns where the columns that the client asked for are in records with such members.
func (t *table) planOf(names, fields []string) []span {
	var spans []span
	for i := range t.root.children {
		n := &t.root.children[i]
		if fields != nil && !slices.Contains(fields, n.name) {
			continue
		}
		if n.embedded {
			spans = append(spans, span{[]*node{n}, -1, false})
			continue
		}
		at, alike := slices.Index(names, n.name), n.children == nil && !n.empty && (n.plain || n.typ.Kind == format.Text)
		if last := len(spans) - 1; alike && at > 0 && last >= 0 && spans[last].alike && spans[last].at+len(spans[last].columns) == at {
			spans[last].columns = append(spans[last].columns, n)
			continue
		}
		spans = append(spans, span{[]*node{n}, at, alike && at >= 0})
	}
	return spans
}

// appendRow appends a record.
func (t *table) appendRow(b []byte, item format.Item) ([]byte, error) {
	if !t.isObject() {
		return t.appendOther(b, item)
	}
	names, ends, text, err := item.Cells()
	if err != nil {
		return b, err
	}
	if names == nil { // null
		return t.appendOther(b, item)
	}
	begin := len(b)
	spans := *t.plan.Of(names, func(names []string) []span { return t.planOf(names, item.Fields()) })
	for i := range spans {
		switch s := &spans[i]; {
		case s.columns[0].embedded:
			if b, err = appendEmbedded(b, s.columns[0], item); err != nil {
				return b, err
			}
		case s.at < 0:
			b = appendEmpty(b, s.columns[0])
		case s.alike:
			b = s.append(b, text, ends)
		default: // by itself
			b = appendMember(b, s.columns[0], text[ends[s.at]:ends[s.at+1]])
		}
	}
	return endRow(b, begin), nil
}

// append appends the members of the span: those side by side that are the same in the row in one piece.
func (s *span) append(b, text []byte, ends []int) []byte {
	from := ends[s.at]
	for j, n := range s.columns {
		begin, end := ends[s.at+j], ends[s.at+j+1]
		if n.isCell(text[begin:end]) {
			continue
		}
		b = appendMember(append(b, text[from:begin]...), n, text[begin:end])
		from = end
	}
	return append(b, text[from:ends[s.at+len(s.columns)]]...)
}

// isCell reports whether the value of a member of a span, with its comma, is its cell: there is no other comma, and
// it does not begin with what is to be looked at. A text with quotation marks or line breaks, which JSON escapes,
// begins with a quotation mark.
func (n *node) isCell(value []byte) bool {
	if len(value) == 0 || n.plain {
		return len(value) > 0
	}
	c := value[0]
	return c != '"' && !isFirstOfGuarded(c) && c < bom && bytes.IndexByte(value, ',') == len(value)-1
}

// appendMember appends the cells of a member, a comma behind each. Its value has one, too, unless the record leaves
// the member out.
func appendMember(b []byte, n *node, value []byte) []byte {
	if len(value) == 0 {
		return appendEmpty(b, n)
	}
	if value[0] == '"' || n.typ.Kind != format.Text || n.typ.Nullable {
		return appendColumn(b, n, value[:len(value)-1])
	}
	// What JSON escapes nothing in has no quotation marks and no line breaks.
	switch text := value[:len(value)-1]; {
	case len(text) == 0 || isFirstOfGuarded(text[0]) || text[0] >= bom:
		return append(appendGuarded(b, text, true, n.empty), ',')
	case bytes.IndexByte(text, ',') >= 0:
		return append(append(append(b, '"'), text...), `",`...)
	}
	return append(b, value...)
}

// isObject reports whether columns are members.
func (t *table) isObject() bool {
	return t.root.typ.Kind == format.Object && t.root.children[0].typ != t.root.typ
}

// appendOther appends a value that has no members. Its JSON is made behind the row's place, and goes when
// the row is there: it needs no room of its own.
func (t *table) appendOther(b []byte, item format.Item) ([]byte, error) {
	begin := len(b)
	b, err := item.AppendJSON(b)
	if err != nil {
		return b, err
	}
	end := len(b)
	return cut(t.appendValue(b, b[begin:end]), begin, end), nil
}

// cut cuts a part out.
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
	if i := scan.Space(text, 0); i < len(text) && text[i] == '[' { // and not null
		for i = scan.Space(text, i+1); i < len(text) && text[i] != ']'; i = scan.Space(text, i) {
			if text[i] == ',' {
				i++
				continue
			}
			behind := scan.Value(text, i)
			b = t.appendValue(b, text[i:behind])
			i = behind
		}
	}
	return cut(b, begin, end), nil
}

// appendValue appends a row.
func (t *table) appendValue(b, text []byte) []byte {
	begin := len(b)
	if t.isObject() {
		b = appendObject(b, t.root.children, text)
	} else {
		b = append(appendCell(b, &t.root.children[0], text), ',')
	}
	return endRow(b, begin)
}

// appendObject appends the cells of an object within a record, a comma behind each. Its members come in the
// order of the columns; one that is missing leaves its cells empty, and one that has no column is
// passed over.
func appendObject(b []byte, columns []node, text []byte) []byte {
	next, i := 0, scan.Space(text, 0)
	if i == len(text) || text[i] != '{' {
		i = len(text) // null: all cells are empty
	}
	for i = scan.Space(text, i+1); i < len(text) && text[i] == '"'; i = behindComma(text, i) {
		behind, _ := scan.String(text, i)
		at := indexOf(columns, next, text[i+1:behind-1])
		value := scan.Space(text, scan.Space(text, behind)+1)
		if i = scan.Value(text, value); at < 0 {
			continue
		}
		for ; next < at; next++ {
			b = appendEmpty(b, &columns[next])
		}
		b, next = appendColumn(b, &columns[at], text[value:i]), at+1
	}
	for ; next < len(columns); next++ {
		b = appendEmpty(b, &columns[next])
	}
	return b
}

// behindComma returns where the member behind a value begins, or the object's end.
func behindComma(text []byte, i int) int {
	if i = scan.Space(text, i); i < len(text) && text[i] == ',' {
		return scan.Space(text, i+1)
	}
	return i
}

// appendColumn appends the cells of a value of JSON, a comma behind each.
func appendColumn(b []byte, n *node, value []byte) []byte {
	switch c := value[0]; {
	case n.children != nil:
		return appendObject(b, n.children, value)
	case n.plain && c != 'n':
		return append(append(b, value...), ',')
	}
	return append(appendCell(b, n, value), ',')
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

// appendEmpty appends empty cells, a comma behind each.
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
		if made, ok := appendEscaped(b, text); ok {
			return made
		}
		begin := len(b)
		b = scan.AppendText(b, text)
		end := len(b)
		return cut(appendGuarded(b, b[begin:end], true, n.empty), begin, end)
	case text[0] == '[' && n.typ.Kind == format.List:
		begin := len(b)
		joined, isText, ok := join(b, text)
		if end := len(joined); ok {
			return cut(appendGuarded(joined, joined[begin:end], isText, false), begin, end)
		}
	}
	return appendGuarded(b, text, false, false)
}

// bom is the first byte of a byte order mark.
const bom = 0xef

// appendText appends a text of our own.
func appendText(b []byte, text string) []byte { return appendGuarded(b, []byte(text), true, false) }

// appendGuarded appends a cell: a text is guarded against spreadsheets, and what has a comma,
// a quotation mark or a line break is put in quotation marks.
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

// needsQuotes reports whether a text is put in quotation marks. Each of the searches is of the machine's
// widest words, which all together are faster than to look at each byte.
func needsQuotes(text []byte) bool {
	for _, c := range []byte(",\"\n\r") {
		if bytes.IndexByte(text, c) >= 0 {
			return true
		}
	}
	return bytes.Contains(text, []byte("\ufeff"))
}

// isFirstOfGuarded reports whether texts that begin with the byte may need a guard.
func isFirstOfGuarded(c byte) bool {
	return c <= '@' && (c == '=' || c == '+' || c == '-' || c == '@' || c == '\t' || c == '\r' || c == '\'')
}

// needsGuard reports whether spreadsheets would take a text for a formula, or readers would
// take a ' away that is the text's own.
func needsGuard(text []byte) bool {
	text = bytes.TrimLeft(text, "'")
	return len(text) > 0 && isFirstOfGuarded(text[0])
}
