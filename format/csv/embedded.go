package csv

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// opened are the records that a reference embeds in a row, with their fields. Columns at several places share them,
// because their bytes count when they are read.
type opened struct {
	name    string
	records [][]format.Field
}

// appendEmbedded appends the cells of the records that a reference embeds, with a comma after each. They are empty if
// there is no such record. It returns the records that the row has opened, with these if other columns need them.
func appendEmbedded(b []byte, n *node, item format.Item, known []opened) ([]byte, []opened, error) {
	var records [][]format.Field
	if i := slices.IndexFunc(known, func(o opened) bool { return o.name == n.name }); i >= 0 {
		records = known[i].records
	} else {
		var err error
		if records, err = open(item, n.name); err != nil {
			return b, known, err
		}
		if n.split {
			known = append(known, opened{n.name, records})
		}
	}
	switch {
	case n.many:
		return appendLists(b, n, records), known, nil
	case len(records) == 0:
		return appendEmpty(b, n), known, nil
	}
	return appendColumns(b, n.children, records[0]), known, nil
}

// open returns the fields of the records that a reference embeds.
func open(item format.Item, name string) ([][]format.Field, error) {
	records, _, err := item.Embedded(name)
	if err != nil {
		return nil, err
	}
	made := make([][]format.Field, 0, len(records))
	for _, record := range records {
		if record == nil {
			continue
		}
		fields, err := record.Fields()
		if err != nil {
			return nil, err
		}
		made = append(made, fields)
	}
	return made, nil
}

// appendColumns appends the cells of columns in any order, with a comma after each.
func appendColumns(b []byte, columns []node, fields []format.Field) []byte {
	found := scan.Fields{List: fields}
	for i := range columns {
		if value := found.Find(columns[i].place, columns[i].name); value != nil {
			b = appendColumn(b, &columns[i], value)
		} else {
			b = appendEmpty(b, &columns[i])
		}
	}
	return b
}

// appendLists appends the values of several records, one cell per field.
func appendLists(b []byte, n *node, records [][]format.Field) []byte {
	for i := range n.children {
		text := []byte{'['}
		for _, fields := range records {
			for _, f := range fields {
				if f.Name == n.children[i].name {
					text = append(append(text, f.JSON...), ',')
				}
			}
		}
		text = append(bytes.TrimSuffix(text, []byte(",")), ']')
		b = append(appendCell(b, &n.children[i], text), ',')
	}
	return b
}

// join appends the elements of a list of scalars, joined by spaces, and reports whether they are strings. It is not ok
// if they could not be distinguished again.
func join(b, list []byte) (_ []byte, isText, ok bool) {
	begin := len(b)
	for element := range scan.Elements(list) {
		isFirst := len(b) == begin
		if !isFirst {
			b = append(b, ' ')
		}
		switch element[0] {
		case '"':
			before := len(b)
			b, _ = jsontext.AppendUnquote(b, element) // it was written by an encoder
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
