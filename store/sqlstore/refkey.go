package sqlstore

import (
	"errors"
	"reflect"
	"strings"

	"github.com/huandu/go-sqlbuilder"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// addKey adds the columns of a field that refers to records of several fields: one for each part of
// its key, so that they can be a foreign key. They are called after the field and the part, or as the
// tag db says, with commas.
func (p *plan) addKey(path model.Path, f *model.Field) {
	parts := f.Type.Parts
	named := strings.Split(f.Column, ",")
	if len(named) > 1 && len(named) != len(parts) {
		p.fail("%s has the tag db with %d columns; allowed: one for each of its %d fields", f.Name, len(named), len(parts))
		return
	}
	columns := make([]*column, len(parts))
	for i, part := range parts {
		name := columnName(f) + "_" + columnName(part)
		if len(named) > 1 {
			name = strings.TrimSpace(named[i])
		}
		within := model.Path{Name: path.Name, Fields: []*model.Field{f, part}}
		c := &column{encodingOf: p.encode(part.Type), name: name, path: within, field: f, parts: columns, nullable: f.Type.Nullable}
		c.reader, c.sorted = p.partReader(part, i == 0), i == 0
		columns[i] = c
	}
	p.columns, p.find[f.Name] = append(p.columns, columns...), fieldColumns{value: columns[0]}
}

// whole lists the columns that have the value of the column's field: itself, but for a key of several
// parts.
func (c *column) whole() []*column {
	if c.parts != nil {
		return c.parts
	}
	return []*column{c}
}

// isFirst reports whether the column stands for its field: all do but the later parts of a key.
func (c *column) isFirst() bool { return c.parts == nil || c.parts[0] == c }

// tuple writes columns as one value.
func tuple(columns []*column) string {
	if len(columns) == 1 {
		return quote(columns[0].name)
	}
	return "(" + strings.Join(names(columns), ", ") + ")"
}

// keyIn returns what a record has in the columns of a reference, nil for null.
func keyIn(columns []*column, record reflect.Value) (key, error) {
	values := make(key, len(columns))
	for i, c := range columns {
		var err error
		if values[i], err = c.valueIn(record); values[i] == nil || err != nil {
			return nil, err
		}
	}
	return values, nil
}

// isOneOfKeys writes that a key of several parts is one of the values. One that no row can have is
// left out.
func (p *plan) isOneOfKeys(b *sqlbuilder.SelectBuilder, columns []*column, values []any) string {
	keys := make([]key, 0, len(values))
	for _, value := range values {
		if held := heldKey(columns, value); held != nil {
			keys = append(keys, held)
		}
	}
	return anyOf(b, columns, keys)
}

func heldKey(columns []*column, value any) key {
	given, _ := value.(store.Key)
	held := make(key, len(columns))
	for i, c := range columns {
		var err error
		if held[i], err = c.bound(reflect.ValueOf(given[i])); err != nil || c.typ == text && !isText(held[i]) {
			return nil
		}
	}
	return held
}

// isNull writes that a reference of several parts is null: a part is, in a table of others perhaps
// one alone.
func isNull(b *sqlbuilder.SelectBuilder, columns []*column) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = b.IsNull(quote(c.name))
	}
	return b.Or(parts...)
}

// keyPartReader reads a column into the struct that has all parts of a key. A row with a part that
// is null refers to nothing.
type keyPartReader struct {
	column columnReader
	part   *model.Field
	first  bool
	read   reflect.Value // a pointer, nil for null
}

// partReader returns what makes the readers of a part of a field's key.
func (p *plan) partReader(part *model.Field, first bool) func() columnReader {
	t := *part.Type
	t.Go, t.Nullable = reflect.PointerTo(part.Type.Go), true
	encoding := p.encode(&t)
	return func() columnReader {
		return &keyPartReader{column: encoding.reader(), part: part, first: first, read: reflect.New(t.Go).Elem()}
	}
}

func (r *keyPartReader) dest(reflect.Value) any {
	r.read.SetZero()
	return r.column.dest(r.read)
}

func (r *keyPartReader) done(field reflect.Value) error {
	err := r.column.done(r.read)
	if err != nil || field.Kind() != reflect.Pointer {
		if err == nil && r.read.IsNil() {
			return errors.New("is null")
		} else if err == nil {
			r.part.Value(field).Set(r.read.Elem())
		}
		return err
	}
	switch {
	case r.read.IsNil():
		field.SetZero()
	case r.first || !field.IsNil():
		made := reflect.New(field.Type().Elem()) // others may have what the field points to
		if !r.first {
			made.Elem().Set(field.Elem())
		}
		r.part.Value(made.Elem()).Set(r.read.Elem())
		field.Set(made)
	}
	return nil
}
