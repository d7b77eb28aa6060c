package sqlstore

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// column is one column of a table: of a field of the struct, or one that the store fills
// in for queries.
type column struct {
	encodingOf

	name     string
	path     model.Path // the field whose value it has
	field    *model.Field
	nullable bool
	unique   bool
	indexed  bool // has an index for conditions
	sorted   bool // has an index for orders, and for what refers to one record
	folded   bool // has the text of the field as store.Fold writes it
	keyed    bool // has the order key of the field
	shadow   bool // is no field of the struct

	parts []*column  // of a key of several parts, of which this is one; nil for all others
	list  *listTable // that has the elements of the field; nil for what is in the table itself
}

// valueIn returns what a record has for the column; v is the struct without its pointer.
func (c *column) valueIn(v reflect.Value) (any, error) {
	field, ok := c.path.Value(v)
	if !ok {
		return nil, nil //nolint:nilnil // null is a value
	}
	value, err := c.bound(field)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %s %w", c.path.Name, err)
	}
	return value, nil
}

// bound returns a value of the field's type, without its pointer, as the column has it.
func (c *column) bound(v reflect.Value) (any, error) {
	if c.folded {
		return store.Fold(v.String()), nil
	}
	if c.keyed {
		return model.OrderTextOf(v)
	}
	return c.bind(v)
}

// isList reports whether the column has lists that can be asked for their elements.
func (c *column) isList() bool { return c.field.Type.ListsKeys() }

// shadowSeparator stands between the parts of the name of a column that is no field.
const shadowSeparator = "__"

// shadowsOf lists the columns that queries need besides those of the fields: one for what
// is within an object, one for text that is looked into in any case.
func (p *plan) shadowsOf(path model.Path) []*column {
	leaf := path.Leaf()
	asked, hasKey := leaf.Filters != nil || leaf.Sort || leaf.Search, leaf.Type.HasOrderKey()
	if !asked && (!hasKey || len(path.Fields) > 1) {
		return nil
	}
	var shadows []*column
	parts := []string{columnName(path.Fields[0])}
	for _, f := range path.Fields[1:] {
		parts = append(parts, snake(f.Name))
	}
	name := strings.Join(parts, shadowSeparator)
	if len(parts) > 1 {
		shadows = append(shadows, &column{
			encodingOf: p.encode(leaf.Type), name: name, path: path, field: leaf, nullable: path.Nullable(), shadow: true,
			indexed: comparesValues(leaf) && !hasKey, sorted: leaf.Sort && !hasKey,
		})
	}
	if hasKey { // one text more would be in order, so that it has the indexes of the field
		shadows = append(shadows, &column{
			encodingOf: encodingOf{typ: text}, name: name + shadowSeparator + "order", path: path, field: leaf,
			nullable: path.Nullable(), shadow: true, keyed: true,
			unique: leaf.Unique && len(parts) == 1, indexed: comparesValues(leaf) && !leaf.Unique, sorted: leaf.Sort,
		})
	}
	if looksInto(leaf) {
		shadows = append(shadows, &column{
			encodingOf: encodingOf{typ: text}, name: name + shadowSeparator + "folded", path: path, field: leaf,
			nullable: path.Nullable(), shadow: true, folded: true, indexed: comparesFolded(leaf),
		})
	}
	return shadows
}

// comparesValues reports whether an index helps with the filters of a field as it is, or its tag asks for one. A long
// text that is only looked into must not be in one, and a list cannot be.
func comparesValues(f *model.Field) bool {
	return f.Indexed || f.Type.Kind != model.List && slices.ContainsFunc(f.Filters, func(filter string) bool {
		return filter == "exact" || filter == "range" || filter == "exists"
	})
}

// looksInto reports whether clients can look into the text of a field.
func looksInto(f *model.Field) bool {
	if f.Type.Kind != model.String {
		return false
	}
	for _, filter := range f.Filters {
		switch filter {
		case "iexact", "partial", "start", "end", "word_start":
			return true
		}
	}
	return f.Search
}

// comparesFolded reports whether an index helps with looking into the text of a field.
func comparesFolded(f *model.Field) bool {
	for _, filter := range f.Filters {
		if filter == "iexact" || filter == "start" {
			return true
		}
	}
	return false
}
