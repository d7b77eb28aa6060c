package sqlstore

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// key is an identifier as its columns store it.
type key []any

// bytesKey is a part of a key that is bytes, in a comparable form.
type bytesKey string

// hashable returns the key in a form that a map accepts.
func (k key) hashable() any {
	var parts store.Key
	for i, part := range k {
		if bytes, ok := part.([]byte); ok {
			part = bytesKey(bytes)
		}
		if parts[i] = part; len(k) == 1 {
			return part
		}
	}
	return parts
}

// is reports whether two keys are equal.
func (k key) is(other key) bool { return slices.EqualFunc(k, other, same) }

// keyFor returns an id as the table's columns store it.
func (p *plan) keyFor(id any) (key, error) {
	if !p.key.Accepts(id) {
		return nil, errors.New("sqlstore: an id of " + p.typ.Name() + " must be of type " + p.key.Type())
	}
	values, err := keyFrom(p.ids, id)
	if errors.Is(err, errTooLarge) || errors.Is(err, errTooSmall) || errors.Is(err, errNoText) {
		return nil, store.ErrNotFound // no stored record can have such an id
	}
	return values, err
}

// errNoText is the error of a string that databases cannot store.
var errNoText = errors.New("is not valid text")

// keyFrom returns a value as a column stores it, or a [store.Key] as several columns do.
func keyFrom(columns []*column, value any) (key, error) {
	values := make(key, len(columns))
	parts, _ := value.(store.Key)
	for i, c := range columns {
		if len(columns) > 1 {
			value = parts[i]
		}
		var err error
		if values[i], err = c.stored(value); err == nil && !isText(values[i]) {
			err = errNoText
		}
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// keyOf returns the identifier of a record; v is the struct without its pointer.
func (p *plan) keyOf(v reflect.Value) (key, error) { return keyIn(p.ids, v) }

// keyIn returns the record's values in the columns of a reference, nil for null.
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

// hasKey writes that columns have a key, with a placeholder for each of them.
func hasKey(b *builder, columns []*column) string {
	return strings.Join(mapped(columns, func(c *column) string { return c.quoted + " = " + b.value(nil) }), " AND ")
}

// addKey adds the columns of a reference to records with a composite identifier: one for each part of the key, so that
// they can be a foreign key. They are named after the field and the part, or by the tag db, separated by commas.
func (p *planner) addKey(path model.Path, f *model.Field) {
	parts := f.Type.Parts
	named := strings.Split(f.Column, ",")
	if len(named) > 1 && len(named) != len(parts) {
		p.fail("%s has a tag db with %d columns; it needs one for each of its %d fields", f.Name, len(named), len(parts))
		return
	}
	columns := make([]*column, len(parts))
	for i, part := range parts {
		name := columnName(f) + "_" + columnName(part)
		if len(named) > 1 {
			name = strings.TrimSpace(named[i])
		}
		within := model.Path{Name: path.Name, Fields: []*model.Field{f, part}}
		c := p.column(name, within, f, p.encode(part.Type))
		c.parts, c.nullable, c.sorted = columns, f.Type.Nullable, i == 0
		c.reader = func() columnReader {
			column, read := p.nullable(part.Type)
			return &keyPartReader{column, part, i == 0, read}
		}
		c.limit = p.limitOf(c, p.declared[c.name])
		c.bind = c.limit.bindWithin(c.bind)
		columns[i] = c
	}
	p.columns, p.byName[f.Name] = append(p.columns, columns...), fieldColumns{value: columns[0], compared: columns[0]}
}

// keyPartReader reads a column into the struct with all parts of a key. If a part is null, so is the reference.
type keyPartReader struct {
	column columnReader
	part   *model.Field
	first  bool
	read   reflect.Value // a pointer; nil for null
}

func (r *keyPartReader) dest(reflect.Value) any {
	r.read.SetZero()
	return r.column.dest(r.read)
}

func (r *keyPartReader) done(field reflect.Value) error {
	if err := r.column.done(r.read); err != nil {
		return err
	}
	switch isPointer := field.Kind() == reflect.Pointer; {
	case r.read.IsNil() && !isPointer:
		return errors.New("is null")
	case !isPointer:
		r.part.Value(field).Set(r.read.Elem())
	case r.read.IsNil():
		field.SetZero()
	case r.first || !field.IsNil():
		changed := reflect.New(field.Type().Elem()) // others may share what the field points to
		if !r.first {
			changed.Elem().Set(field.Elem())
		}
		r.part.Value(changed.Elem()).Set(r.read.Elem())
		field.Set(changed)
	}
	return nil
}
