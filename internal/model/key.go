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

// A struct that refers to a record of several fields is one member and several columns. All else
// knows it as its text, or as the [store.Key] that the other record has; only here one is made of
// the other.

// partsOf returns the parts of a struct that could refer to a record of several fields, with what
// keeps it from being one.
func partsOf(t *Type) (parts []*Field, problem string) {
	switch {
	case !t.Base().Comparable():
		return nil, "which cannot be compared"
	case t.Struct.Others:
		return nil, "which has fields that are no members: two of one address could differ"
	case len(t.Struct.Fields) < 2 || len(t.Struct.Fields) > len(store.Key{}):
		return nil, "which has not two to four fields"
	case slices.ContainsFunc(t.Struct.Fields, func(f *Field) bool {
		return f.Type.Nullable || f.Type.HasOrderKey() || !isKeyKind(f.Type.Kind)
	}):
		return nil, "whose fields are not all integers, strings or types that marshal themselves as text"
	}
	return t.Struct.Fields, ""
}

// becomeKey makes a field of a struct, or of a list of one, which has the word ref, the key of a record
// of several fields, or a list of such keys, if it could be. What else tags say is then about keys.
func (f *Field) becomeKey() {
	if f.Type.Kind == List && !f.Type.Elem.Nullable {
		list := *f.Type // other fields may have the type, and no key
		list.Elem = asKey(list.Elem)
		f.Type = &list
		return
	}
	f.Type = asKey(f.Type)
}

// asKey returns the type of the keys that a struct could be; any other type is what it was.
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

// identifier returns what reads and writes a key by its parts.
func (t *Type) identifier() Identifier { return Identifier{t.Parts} }

// KeyIn returns the identifier that a value of a reference's type is, without a pointer.
func (t *Type) KeyIn(v reflect.Value) any {
	if t.Kind != Key {
		return v.Interface()
	}
	return t.identifier().ValueIn(v).Interface()
}

// SetKey sets a value of a reference's type, without a pointer, to an identifier.
func (t *Type) SetKey(v reflect.Value, id any) {
	if t.Kind != Key {
		v.Set(reflect.ValueOf(id))
		return
	}
	for n, part := range t.Parts {
		part.Value(v).Set(reflect.ValueOf(t.identifier().part(id, n)))
	}
}

// KeyText returns the text of a key, which has several parts.
func (t *Type) KeyText(v reflect.Value) (string, error) { return t.identifier().Text(t.KeyIn(v)) }

// TextOfKey is [Type.KeyText] of an identifier.
func (t *Type) TextOfKey(id any) (string, error) { return t.identifier().Text(id) }

// AcceptsKey reports whether an identifier is of the types of a key's parts.
func (t *Type) AcceptsKey(id any) bool { return t.identifier().Accepts(id) }

// SetKeyText sets a key to what [Type.KeyText] has written of one. Unlike [Identifier.Parse] it takes
// whatever a program may have set, a part that is empty too.
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

var errKeyText = errors.New("the text is not that of a key")

// differs reports whether the parts of a key are not those of an identifier that it is to be: in
// number, names or types, in their order.
func (i Identifier) differs(parts []*Field) bool {
	return !slices.EqualFunc(i.fields, parts, func(f, part *Field) bool { return f.Name == part.Name && f.Type.Go == part.Type.Go })
}

// Accords reports whether keys of a type, whose parts are those of a struct, are identifiers.
func (i Identifier) Accords(key *Type) bool {
	if i.IsComposite() || key.Kind == Key {
		return key.Kind == Key && !i.differs(key.Parts)
	}
	return key.Go == i.fields[0].Type.Go
}

// Form lists the names and types of the fields, as a struct that refers to them has them.
func (i Identifier) Form() string {
	fields := make([]string, len(i.fields))
	for n, f := range i.fields {
		fields[n] = f.Name + " " + f.Type.Go.String()
	}
	return strings.Join(fields, ", ")
}

// FormOf is [Identifier.Form] of the parts of a key.
func (t *Type) FormOf() string { return t.identifier().Form() }

// Shown returns the reference of a field whose keys clients see as a text that is made of them: an
// address, or an identifier of several parts. It is nil for all other fields.
func (f *Field) Shown() *Reference {
	if f.Reference == nil || f.Reference.Address == nil && f.Reference.Key.Kind != Key {
		return nil
	}
	return f.Reference
}

// Means says what a value must be that stands for one record: "the address of an existing
// User, like /api/users/{id}".
func (r *Reference) Means() string {
	names := r.Target.Identifier().Names()
	if r.Address == nil {
		return "the " + strings.Join(names, separator) + " of an existing " + r.Name
	}
	return "the address of an existing " + r.Name + ", like " + r.Address.Form(names...)
}

// Read returns the key that a text is for, as clients see it.
func (r *Reference) Read(text string) (key any, ok bool) {
	if r.Address != nil {
		if text, ok = r.Address.Read(text); !ok {
			return nil, false
		}
	}
	return Identifier{r.Target.IDs}.Parse(text)
}

// Text returns the text of the record that a value of the key's type is for, before it is an
// address. Of an inverse member the value is the record itself.
func (r *Reference) Text(v reflect.Value) (string, error) {
	id := r.Target.Identifier()
	if id.IsComposite() && v.Type() == r.Target.Go {
		return id.Text(id.ValueIn(v).Interface())
	}
	return id.Text(r.Key.KeyIn(v))
}
