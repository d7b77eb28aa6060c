package sqlstore

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/fulltext"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// column is one column of a table: that of a field, or one that the store fills in for queries.
type column struct {
	encodingOf

	name, quoted string
	read         string                  // the expression that reads it
	write        func(sql string) string // the expression that converts a value for it; nil if none is needed
	path         model.Path              // the field whose value it stores
	field        *model.Field
	limit        limit
	nullable     bool
	unique       bool
	indexed      bool // has an index for conditions
	sorted       bool // has an index for sorting, or for a reference to one record
	keyed        bool // stores the order key of the field
	shadow       bool // does not store a field of the struct
	constrained  bool // is in the index of a constraint, or in a key of the table of a list
	lists        bool // stores lists that can be filtered
	searched     bool // has an index of its trigrams, in databases with such indexes

	parts []*column  // all columns of a composite key, including this one; nil for other columns
	list  *listTable // the table of the list's elements; nil if the field is in the table itself
}

// column returns a column for a field, or for a part of one.
func (p *planner) column(name string, path model.Path, f *model.Field, encoding encodingOf) *column {
	quoted := p.dialect.Quote(name)
	c := &column{encodingOf: encoding, name: name, quoted: quoted, read: quoted, path: path, field: f, lists: f.Type.ListsKeys()}
	if c.typ == day || c.typ == decimal {
		// Without COALESCE, PostgreSQL gives the result the name of the column, and ORDER BY would sort by the text.
		c.read = "COALESCE(CAST(" + quoted + " AS " + p.dialect.facts.CastText + "))"
	}
	return c
}

// valueIn returns the record's value for the column; v is the struct without its pointer.
func (c *column) valueIn(v reflect.Value) (any, error) {
	field, ok := c.path.Value(v)
	if !ok {
		return nil, nil //nolint:nilnil // null is a value
	}
	value, err := c.bind(field)
	if exceeded := c.exceeds(value, err); exceeded != nil {
		return nil, exceeded
	}
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %s %w", c.path.Name, err)
	}
	return value, nil
}

// written returns the expression that writes an argument to the column.
func (c *column) written(argument string) string {
	if c.write == nil {
		return argument
	}
	return c.write(argument)
}

// allParts returns the columns that store the column's field: itself, except for a composite key.
func (c *column) allParts() []*column {
	if c.parts != nil {
		return c.parts
	}
	return []*column{c}
}

// isFirst reports whether the column represents its field. All do except the later columns of a composite key.
func (c *column) isFirst() bool { return c.parts == nil || c.parts[0] == c }

// isKey reports whether the column is in a key or an index, such that its strings have the type KeyText.
func (p *plan) isKey(c *column) bool {
	return c.unique || c.sorted || c.constrained || c.parts != nil || p.isID(c) || c.indexed && p.facts.KeyLength == 0
}

// shadowSeparator joins the parts of the name of a column that does not store a field.
const shadowSeparator = "__"

// addShadows adds the columns that queries need in addition to those of the fields: one for each field within an object, and
// one for each string that is searched regardless of case.
func (p *planner) addShadows(path model.Path) {
	leaf := path.Leaf()
	requested, hasKey := leaf.Filters != nil || leaf.Sort || leaf.Search || leaf.Group || leaf.Aggregate, p.hasKey(leaf.Type)
	if !requested && (!hasKey || len(path.Fields) > 1) {
		return
	}
	add := func(name string, encoding encodingOf) *column {
		c := p.column(name, path, leaf, encoding)
		c.nullable, c.shadow = path.Nullable(), true
		p.columns = append(p.columns, c)
		return c
	}
	parts := []string{columnName(path.Fields[0])}
	for _, f := range path.Fields[1:] {
		parts = append(parts, snake(f.Name))
	}
	name, columns := strings.Join(parts, shadowSeparator), p.byName[path.Name]
	if len(parts) > 1 {
		c := add(name, p.encode(leaf.Type))
		c.indexed, c.sorted = c.needsIndex(leaf) && !hasKey, leaf.Sort && !hasKey
		columns.value, columns.compared = c, c
	}
	if hasKey { // the column of the key has the field's indexes
		c := add(name+shadowSeparator+"order", encodingOf{typ: text, bind: func(v reflect.Value) (any, error) { return model.OrderTextOf(v) }})
		c.keyed, c.unique = true, leaf.Unique && len(parts) == 1
		c.indexed, c.sorted = c.needsIndex(leaf) && !leaf.Unique, leaf.Sort
		columns.compared = c
	}
	if isSearched(leaf) {
		columns.folded = add(name+shadowSeparator+"folded", encodingOf{typ: text, bind: func(v reflect.Value) (any, error) { return store.Fold(v.String()), nil }})
		columns.folded.indexed = hasFilter(leaf, "iexact", "start")
		columns.folded.searched = leaf.Search && !leaf.FullText || hasFilter(leaf, "partial", "end", "word_start")
	}
	if leaf.FullText {
		columns.words = add(name+shadowSeparator+"words", encodingOf{typ: words, bind: func(v reflect.Value) (any, error) {
			return p.words().Words(fulltext.Words(leaf.Language, v.String())), nil
		}})
		columns.words.write = p.words().Written
	}
	p.byName[path.Name] = columns
}

// needsIndex reports whether an index helps with filters on the field's exact value, or its tag requests one. A
// long text that is only searched cannot be in one, nor can JSON or a list.
func (c *column) needsIndex(f *model.Field) bool {
	return f.Indexed || c.typ != document && f.Type.Kind != model.List && hasFilter(f, "exact", "range", "exists")
}

// isSearched reports whether clients can search within the field's string.
func isSearched(f *model.Field) bool {
	return f.Type.Kind == model.String && (f.Search && !f.FullText || slices.ContainsFunc(f.Filters, func(word string) bool {
		_, isSearch := filter.SearchOf(word)
		return isSearch
	}))
}

// hasFilter reports whether a field has one of the filters.
func hasFilter(f *model.Field, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(f.Filters, word) })
}

// given returns a value of a query in the form of the column. If the column cannot hold it, the result equals no stored
// value.
func (c *column) given(value any) any {
	stored, err := c.stored(value)
	if err != nil {
		return nil
	}
	return stored
}

// stored returns a value of a query, checked by checkTypes, in the form of the column.
func (c *column) stored(value any) (any, error) {
	v := reflect.ValueOf(value)
	typ := c.field.Type
	if c.lists {
		typ = typ.Elem
	}
	if v.Type() != typ.Base() && typ.Kind != model.Key {
		if converted, ok := typ.Convert(value); ok {
			v = reflect.ValueOf(converted)
		}
	}
	return c.bind(v)
}
