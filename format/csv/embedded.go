package csv

import (
	"bytes"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// appendEmbedded appends the cells of the records that a reference embeds, with a comma after each. They are empty if
// there is no such record.
func appendEmbedded(b []byte, n *node, item format.Item) ([]byte, error) {
	records, _, err := item.Embedded(n.name)
	if err != nil {
		return b, err
	}
	if n.many {
		return appendLists(b, n, records)
	}
	if len(records) == 0 || records[0] == nil {
		return appendEmpty(b, n), nil
	}
	begin := len(b)
	if b, err = records[0].AppendJSON(b); err != nil {
		return b, err
	}
	end := len(b)
	return cut(appendObject(b, n.children, b[begin:end]), begin, end), nil
}

// appendLists appends the values of several records, one cell per field.
func appendLists(b []byte, n *node, records []format.Item) ([]byte, error) {
	lists := make([][]byte, len(n.children))
	for _, record := range records {
		if record == nil {
			continue
		}
		members, err := record.Fields()
		if err != nil {
			return b, err
		}
		for i := range n.children {
			for _, m := range members {
				if m.Name == n.children[i].name {
					lists[i] = append(append(lists[i], m.JSON...), ',')
				}
			}
		}
	}
	for i := range n.children {
		text := append([]byte{'['}, bytes.TrimSuffix(lists[i], []byte(","))...)
		b = append(appendCell(b, &n.children[i], append(text, ']')), ',')
	}
	return b, nil
}

// join appends the elements of a list of scalars, joined by spaces, and reports whether they are strings. It is not ok
// if they could not be distinguished again.
func join(b, list []byte) (_ []byte, isText, ok bool) {
	begin := len(b)
	for i := scan.Space(list, 1); i < len(list) && list[i] != ']'; i = scan.Space(list, i) {
		if list[i] == ',' {
			i++
			continue
		}
		end := scan.Value(list, i)
		element, isFirst := list[i:end], len(b) == begin
		if i = end; !isFirst {
			b = append(b, ' ')
		}
		switch element[0] {
		case '"':
			before := len(b)
			b = scan.AppendText(b, element)
			plain := b[before:]
			if len(plain) == 0 || bytes.ContainsAny(plain, " \t\r\n") || isFirst && (plain[0] == '[' || plain[0] == '\'') {
				return b, false, false
			}
			isText = true
		case '{', '[', 'n':
			return b, false, false
		default:
			b = append(b, element...)
		}
	}
	return b, isText, len(b) > begin
}
