package model

import (
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/store"
)

// A struct that references a record with a composite identifier is one JSON field and several columns. Other packages
// see its text, or the [store.Key] of the other record. This file converts between the two.

// partsOf returns the fields of a struct that can reference a composite identifier, or why it cannot.
func partsOf(t *Type) (parts []*Field, problem string) {
	switch {
	case !t.Base().Comparable():
		return nil, "which cannot be compared"
	case t.Struct.Others:
		return nil, "which has fields without JSON, so that two equal paths could differ"
	case len(t.Struct.Fields) < 2 || len(t.Struct.Fields) > len(store.Key{}):
		return nil, "which does not have two to four fields"
	case slices.ContainsFunc(t.Struct.Fields, func(f *Field) bool {
		return f.Type.Nullable || f.Type.HasOrderKey() || !isKeyKind(f.Type.Kind)
	}):
		return nil, "whose fields are not all integers, strings or types that marshal themselves as text"
	}
	return t.Struct.Fields, ""
}

// asKey returns the type of a composite identifier for a struct with the word ref, or t if it cannot be one.
func asKey(t *Type) *Type {
	if t.Kind != Object {
		return t
	}
	parts, problem := partsOf(t)
	if problem != "" {
		return t
	}
	return &Type{Go: t.Go, Nullable: t.Nullable, Kind: Key, Parts: parts}
}

// Identifier returns the identifier that a key's parts make.
func (t *Type) Identifier() Identifier { return Identifier{t.Parts} }

// KeyIn returns the identifier in a value of a reference's type, given without a pointer.
func (t *Type) KeyIn(v reflect.Value) any {
	if t.Kind != Key {
		return v.Interface()
	}
	return t.Identifier().ValueIn(v).Interface()
}

// SetKey sets a value of a reference's type, without a pointer, to an identifier.
func (t *Type) SetKey(v reflect.Value, id any) {
	if t.Kind != Key {
		v.Set(reflect.ValueOf(id))
		return
	}
	for n, part := range t.Parts {
		part.Value(v).Set(reflect.ValueOf(t.Identifier().part(id, n)))
	}
}

// SetKeyText sets a key from a text of [Identifier.Text]. Unlike [Identifier.Parse] it accepts everything a program may
// have set, such as an empty part.
func (t *Type) SetKeyText(v reflect.Value, text string) error {
	parts := strings.Split(text, separator)
	if len(parts) != len(t.Parts) {
		return errKeyText
	}
	for n, part := range t.Parts {
		plain, err := url.PathUnescape(parts[n])
		if err != nil || !utf8.ValidString(plain) || !part.read(part.Value(v), plain) {
			return errKeyText
		}
	}
	return nil
}

var errKeyText = errors.New("the text is not a composite key")

// Accords reports whether keys of a type can be identifiers: the parts have the same number, order, names and types.
func (i Identifier) Accords(key *Type) bool {
	if i.IsComposite() || key.Kind == Key {
		return key.Kind == Key && slices.EqualFunc(i.fields, key.Parts, func(f, part *Field) bool {
			return f.Name == part.Name && f.Type.Go == part.Type.Go
		})
	}
	return key.Go == i.fields[0].Type.Go
}

// Form lists the names and types of the fields, as a struct that references them must have them.
func (i Identifier) Form() string {
	fields := make([]string, len(i.fields))
	for n, f := range i.fields {
		fields[n] = f.Name + " " + f.Type.Go.String()
	}
	return strings.Join(fields, ", ")
}

// Shown returns the reference of a field whose keys clients see as another text: a path, or a composite identifier. It
// is nil for all other fields.
func (f *Field) Shown() *Reference {
	if f.Reference == nil || f.Reference.Path == nil && f.Reference.Key.Kind != Key {
		return nil
	}
	return f.Reference
}

// Means describes the values of a reference for messages: "the path of an existing User, such as /api/users/{id}".
func (r *Reference) Means() string {
	names := r.Target.Identifier().Names()
	if r.Path == nil {
		return "the " + strings.Join(names, separator) + " of an existing " + r.Name
	}
	return "the path of an existing " + r.Name + ", such as " + r.Path.Form(names...)
}

// Read returns the key for a text as clients see it.
func (r *Reference) Read(text string) (key any, ok bool) {
	if r.Path != nil {
		if text, ok = r.Path.Read(text); !ok {
			return nil, false
		}
	}
	return Identifier{r.Target.IDs}.Parse(text)
}

// Text returns the identifier in a value of the key's type as text, before it becomes a path. For an inverse field the
// value is the record itself.
func (r *Reference) Text(v reflect.Value) (string, error) {
	id := r.Target.Identifier()
	if id.IsComposite() && v.Type() == r.Target.Go {
		return id.Text(id.ValueIn(v).Interface())
	}
	return id.Text(r.Key.KeyIn(v))
}
