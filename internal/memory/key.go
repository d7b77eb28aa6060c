package memory

import (
	"encoding/binary"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// keyColumn returns the column of an identifier that several columns make. Its values are texts
// in the order of the parts, the first one weighing most, so that everything else has one value to
// compare, as of any other identifier.
func keyColumn(name string, parts []*column) *column {
	key := &column{name: name, field: &model.Field{Name: name, Type: &model.Type{Kind: model.String}}, parts: parts, tree: noTree}
	for _, part := range parts {
		// Two values of one text would be two records of one address.
		key.unique = key.unique || part.field.Type.Kind == model.Text
	}
	key.read = key.readParts
	return key
}

// readParts reads the parts of a key as one value. They are fields of the value that it is given.
func (c *column) readParts(in reflect.Value) (value, error) {
	var text []byte
	for _, part := range c.parts {
		found, err := part.readIn(in)
		if err != nil {
			return value{}, err
		}
		text = part.appendPart(text, &found)
	}
	return ofText(string(text)), nil
}

// partsOf returns the columns of the parts of a key.
func partsOf(path model.Path, key *model.Type) []*column {
	parts := make([]*column, len(key.Parts))
	for i, part := range key.Parts {
		parts[i] = newColumn(model.Path{Name: path.Name, Fields: []*model.Field{part}})
	}
	return parts
}

// appendPart appends a value so that the bytes have its order, and none is the beginning of
// another.
func (c *column) appendPart(b []byte, of *value) []byte {
	const (
		sign   = 1 << 63
		zero   = 0x00
		end    = 0x01 // behind a zero: the text ends, which comes before whatever goes on
		escape = 0xff // behind a zero: it is one of the text
	)
	if c.field.Type.Kind.IsInteger() {
		return binary.BigEndian.AppendUint64(b, uint64(of.integer)^sign) //nolint:gosec // all its bits are kept
	}
	for i := range len(of.text) {
		if b = append(b, of.text[i]); of.text[i] == zero {
			b = append(b, escape)
		}
	}
	return append(b, zero, end)
}

// position returns the value of a key whose parts a query has.
func (c *column) position(after []any) (value, error) {
	var text []byte
	for i, part := range c.parts {
		found, err := part.value(after[i])
		if err != nil {
			return value{}, err
		}
		text = part.appendPart(text, &found)
	}
	return ofText(string(text)), nil
}

// width returns how many fields of an order the column stands for.
func (c *column) width() int { return max(len(c.parts), 1) }

// isKey reports whether an order goes on with all parts of the identifier in their order, all in
// one direction: then it is that of the tree.
func (c *columns) isKey(rest []store.Order) bool {
	parts := c.trees[0].parts
	if parts == nil || len(rest) < len(parts) {
		return false
	}
	for i, part := range parts {
		if rest[i].Field != part.name || rest[i].Through != "" || rest[i].Descending != rest[0].Descending || len(rest[i].NullUnless) > 0 {
			return false
		}
	}
	return true
}

// isTotal reports whether an order has all parts of the identifier in it, wherever they are.
func (c *columns) isTotal(of order) bool {
	parts := c.trees[0].parts
	for _, part := range parts {
		named := false
		for i := range of {
			named = named || of[i].column == part && of[i].reach == nil && of[i].nullUnless == nil
		}
		if !named {
			return false
		}
	}
	return parts != nil
}
