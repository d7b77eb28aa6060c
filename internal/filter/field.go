package filter

import (
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// Field reads the values of one field of records, or of their identifier. It is safe for concurrent use.
type Field struct {
	Name string

	path   model.Path  // from the record to the field; empty for an identifier of several fields
	own    int         // the index of a field of the record itself that is never null; else -1
	typ    *model.Type // of the field, or of the elements of a list; nil for an identifier of several fields
	isList bool        // a list whose elements can be compared
	parts  []*Field    // of an identifier of several fields, or of a reference to one; nil for other fields
}

// FieldOf returns the field of a struct with that JSON name, such as "address.city".
func FieldOf(record *model.Struct, name string) (*Field, error) {
	path, ok := record.Path(name)
	if !ok {
		return nil, fmt.Errorf("a query has the unknown field %q%s", name, naming.Allowed(name, record.PathNames()))
	}
	return fieldAt(path), nil
}

// Identifier returns the field of the identifier of records. If several fields form it, they are one value, in the
// order of the fields.
func Identifier(record *model.Struct) *Field {
	name := record.Identifier().Name()
	if len(record.IDs) > 1 {
		return &Field{Name: name, own: -1, parts: partsOf(record.IDs)}
	}
	return fieldAt(model.Path{Name: name, Fields: record.IDs})
}

func fieldAt(path model.Path) *Field {
	f := &Field{Name: path.Name, path: path, own: -1, typ: path.Leaf().Type}
	if index := path.Fields[0].Index; len(path.Fields) == 1 && len(index) == 1 && !f.typ.Nullable {
		f.own = index[0]
	}
	if f.isList = f.typ.ListsKeys(); f.isList {
		f.typ = f.typ.Elem
	}
	if f.typ.Kind == model.Key {
		f.parts = partsOf(f.typ.Parts)
	}
	return f
}

func partsOf(fields []*model.Field) []*Field {
	parts := make([]*Field, len(fields))
	for i, part := range fields {
		parts[i] = fieldAt(model.Path{Name: part.Name, Fields: fields[i : i+1]})
	}
	return parts
}

// find returns the field of a record, and false if it is null.
func (f *Field) find(record reflect.Value) (v reflect.Value, ok bool) {
	if f.own >= 0 { // as most fields, and faster
		return record.Field(f.own), true
	}
	return f.path.Value(record)
}

// isOrdered reports whether the field has values with an order.
func (f *Field) isOrdered() bool { return !f.isList && (f.typ == nil || f.typ.Ordered()) }

// Of returns the value of the field in a record, given without its pointer. The field must not be a list.
func (f *Field) Of(record reflect.Value) (Value, error) {
	v, ok := f.find(record)
	switch {
	case !ok:
		return Value{}, nil
	case f.parts == nil && f.typ.Kind == model.String: // as most fields that conditions compare, and faster
		return Text(v.String()), nil
	}
	return f.read(v)
}

// All appends the values of a field in a record: one, none for null, or the elements of a list.
func (f *Field) All(record reflect.Value, to []Value) ([]Value, error) {
	v, ok := f.find(record)
	switch {
	case !ok:
		return to, nil
	case !f.isList:
		value, err := f.read(v)
		if !value.IsNull() && err == nil {
			to = append(to, value)
		}
		return to, err
	}
	for i := range v.Len() {
		value, err := f.read(v.Index(i))
		if err != nil {
			return to, err
		}
		to = append(to, value)
	}
	return to, nil
}

// read returns the value of a field that is not null, or of an element.
func (f *Field) read(v reflect.Value) (value Value, err error) {
	if f.parts == nil {
		if value, err = valueOf(f.typ.Kind, v); err != nil {
			return Value{}, fmt.Errorf("%s: %w", f.Name, err)
		}
		return value, nil
	}
	var text []byte
	for _, part := range f.parts {
		if value, err = part.Of(v); err != nil {
			return Value{}, err
		}
		text = appendPart(text, part.typ.Kind, value)
	}
	return Text(string(text)), nil
}

// Value converts a value of a query for the field. Nil is null.
func (f *Field) Value(given any) (Value, error) {
	switch given := given.(type) {
	case nil:
		return Value{}, nil
	case store.Key:
		return f.keyValue(given)
	}
	if f.parts != nil {
		return Value{}, f.misfit(given)
	}
	if reflect.TypeOf(given) != f.typ.Base() {
		converted, ok := f.typ.Convert(given)
		if !ok {
			return Value{}, f.misfit(given)
		}
		given = converted
	}
	switch given := given.(type) { // without reflection, because most values have these types
	case string:
		return Text(given), nil
	case int64:
		return ofInt(given), nil
	case int:
		return ofInt(int64(given)), nil
	}
	return f.read(reflect.ValueOf(given))
}

// keyValue converts an identifier of several fields.
func (f *Field) keyValue(key store.Key) (Value, error) {
	var text []byte
	for i, given := range key {
		switch {
		case i >= len(f.parts) && given == nil && f.parts != nil:
			continue
		case i >= len(f.parts) || given == nil:
			return Value{}, f.misfit(key)
		}
		if part := f.parts[i]; reflect.TypeOf(given) != part.typ.Base() {
			return Value{}, part.misfit(given)
		}
		value, err := f.parts[i].Value(given)
		if err != nil {
			return Value{}, err
		}
		text = appendPart(text, f.parts[i].typ.Kind, value)
	}
	return Text(string(text)), nil
}

func (f *Field) misfit(given any) error {
	want := reflect.TypeFor[store.Key]()
	if f.parts == nil {
		want = f.typ.Base()
	}
	return fmt.Errorf("a value for %s must be of type %s, not %T", f.Name, want, given)
}

// Given returns a value of the field as queries have it. It is not null.
func (f *Field) Given(v reflect.Value) any {
	if f.parts != nil {
		return f.typ.KeyIn(v)
	}
	return v.Interface()
}

// Remove removes a value from a record, given without its pointer: it sets the field to null, or removes the elements
// of a list that have the value.
func (f *Field) Remove(record reflect.Value, removed Value) error {
	if !f.isList {
		f.path.Leaf().Value(record).SetZero()
		return nil
	}
	list, _ := f.find(record) // lists of keys are not nullable
	kept := 0
	for i := range list.Len() {
		value, err := f.read(list.Index(i))
		if err != nil {
			return err
		}
		if value != removed {
			list.Index(kept).Set(list.Index(i))
			kept++
		}
	}
	list.SetLen(kept)
	return nil
}
