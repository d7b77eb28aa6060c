package model

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/store"
)

// Identifier reads and writes the identifier of a resource's records: the value of one field, or for a composite
// identifier a [store.Key] of several fields in the order of the struct.
type Identifier struct {
	fields []*Field
}

// Identifier returns the identifier of a struct, which must have one.
func (s *Struct) Identifier() Identifier { return Identifier{s.IDs} }

// Fields returns the fields of the identifier. Callers must not change the slice.
func (i Identifier) Fields() []*Field { return i.fields }

// IsComposite reports whether the identifier has several fields.
func (i Identifier) IsComposite() bool { return len(i.fields) > 1 }

// Name returns the JSON name, or the comma-separated names of several fields.
func (i Identifier) Name() string { return strings.Join(i.Names(), ",") }

// Names lists the JSON names of the fields.
func (i Identifier) Names() []string {
	names := make([]string, len(i.fields))
	for n, f := range i.fields {
		names[n] = f.Name
	}
	return names
}

// Has reports whether a JSON name is that of a field of the identifier.
func (i Identifier) Has(name string) bool {
	return slices.ContainsFunc(i.fields, func(f *Field) bool { return f.Name == name })
}

// Of returns the identifier of a record, given as a pointer.
func (i Identifier) Of(record any) any {
	return i.ValueIn(reflect.ValueOf(record).Elem()).Interface()
}

// ValueIn returns the identifier of a record, given without its pointer.
func (i Identifier) ValueIn(record reflect.Value) reflect.Value {
	if len(i.fields) == 1 {
		return i.fields[0].Value(record)
	}
	var key store.Key
	for n, f := range i.fields {
		key[n] = f.Value(record).Interface()
	}
	return reflect.ValueOf(key)
}

// Is reports whether a record, given as a pointer, has an identifier. It does not box the two most common types, which
// would allocate for each record of a page.
func (i Identifier) Is(record, id any) bool {
	if len(i.fields) > 1 {
		return i.Of(record) == id
	}
	v := i.fields[0].Value(reflect.ValueOf(record).Elem())
	switch id := id.(type) {
	case int64:
		return v.Int() == id
	case string:
		return v.String() == id
	}
	return v.Interface() == id
}

// Set sets the identifier of a record, given as a pointer. It does not write if the record already has it, because the
// record may be shared.
func (i Identifier) Set(record, id any) {
	if i.Is(record, id) {
		return
	}
	v := reflect.ValueOf(record).Elem()
	for n, f := range i.fields {
		f.Value(v).Set(reflect.ValueOf(i.part(id, n)))
	}
}

// SetField sets one field of a record, given as a pointer, to its value in an identifier.
func (i Identifier) SetField(record, id any, f *Field) {
	n := slices.Index(i.fields, f)
	f.Value(reflect.ValueOf(record).Elem()).Set(reflect.ValueOf(i.part(id, n)))
}

// Differ lists the fields in which a record, given as a pointer, differs from an identifier.
func (i Identifier) Differ(record, id any) []*Field {
	if i.Is(record, id) {
		return nil
	}
	v := reflect.ValueOf(record).Elem()
	var differ []*Field
	for n, f := range i.fields {
		if f.Value(v).Interface() != i.part(id, n) {
			differ = append(differ, f)
		}
	}
	return differ
}

// FromService returns the fields of a composite identifier that the service sets: those that are read-only.
func (i Identifier) FromService() (fields []*Field) {
	for _, f := range i.fields {
		if i.IsComposite() && f.ReadOnly {
			fields = append(fields, f)
		}
	}
	return fields
}

// Generated reports whether the store generates the identifier. It never generates a composite one.
func (i Identifier) Generated() bool { return i.fields[0].Generated }

// part returns the value of the nth field in an identifier.
func (i Identifier) part(id any, n int) any {
	if key, ok := id.(store.Key); ok && i.IsComposite() {
		return key[n]
	}
	return id
}

// Accepts reports whether an identifier has the right type.
func (i Identifier) Accepts(id any) bool {
	if len(i.fields) == 1 {
		return reflect.TypeOf(id) == i.fields[0].Type.Go
	}
	key, ok := id.(store.Key)
	for n, part := range key {
		ok = ok && (n >= len(i.fields) && part == nil || n < len(i.fields) && reflect.TypeOf(part) == i.fields[n].Type.Go)
	}
	return ok
}

// Type returns the Go type of identifiers: "int64", or "store.Key{int64, string}".
func (i Identifier) Type() string {
	if !i.IsComposite() {
		return i.fields[0].Type.Go.String()
	}
	types := make([]string, len(i.fields))
	for n, f := range i.fields {
		types[n] = f.Type.Go.String()
	}
	return "store.Key{" + strings.Join(types, ", ") + "}"
}

// separator separates the parts of a composite identifier.
const separator = ";"

// Text returns an identifier as in a path, before percent-encoding. The parts of a composite identifier are separated
// by semicolons and already percent-encoded, so that a part can contain a semicolon.
func (i Identifier) Text(id any) (string, error) {
	if !i.IsComposite() {
		return i.fields[0].text(id)
	}
	parts := make([]string, len(i.fields))
	for n, f := range i.fields {
		text, err := f.text(i.part(id, n))
		if err != nil {
			return "", err
		}
		parts[n] = url.PathEscape(text)
	}
	return strings.Join(parts, separator), nil
}

// Variable returns the value of a template's variable before percent-encoding: one field of a composite identifier, or
// the whole identifier.
func (i Identifier) Variable(id any, name string) (string, error) {
	for n, f := range i.fields {
		if f.Name == name && i.IsComposite() {
			return f.text(i.part(id, n))
		}
	}
	return i.Text(id)
}

// Parse reads an identifier as written by [Identifier.Text]. It accepts only the canonical form: "01" and "+1" are not
// 1.
func (i Identifier) Parse(text string) (any, bool) {
	if len(i.fields) == 1 {
		return i.fields[0].parse(text)
	}
	parts := strings.Split(text, separator)
	if len(parts) != len(i.fields) {
		return nil, false
	}
	for n, part := range parts {
		var err error
		if parts[n], err = url.PathUnescape(part); err != nil || url.PathEscape(parts[n]) != part {
			return nil, false
		}
	}
	return i.join(func(n int) string { return parts[n] })
}

// ParseVariables reads an identifier from the percent-decoded variables of a path, which have the names of its fields.
func (i Identifier) ParseVariables(text func(variable string) string) (any, bool) {
	if !i.IsComposite() {
		return i.fields[0].parse(text(i.fields[0].Name))
	}
	return i.join(func(n int) string { return text(i.fields[n].Name) })
}

// join reads a composite identifier from the texts of its parts.
func (i Identifier) join(part func(n int) string) (any, bool) {
	var key store.Key
	for n, f := range i.fields {
		var ok bool
		if key[n], ok = f.parse(part(n)); !ok {
			return nil, false
		}
	}
	return key, true
}

// text returns a value of an identifier's field as in a path.
func (f *Field) text(id any) (string, error) {
	switch id := id.(type) {
	case int64:
		return strconv.FormatInt(id, 10), nil
	case string:
		return id, nil
	}
	if f.Type.Kind != Text {
		return fmt.Sprint(id), nil
	}
	text, err := MarshalText(reflect.ValueOf(id))
	return string(text), err
}

// parse reads a value of an identifier's field from a path.
func (f *Field) parse(text string) (any, bool) {
	if f.Type.Go == reflect.TypeFor[int64]() {
		n, err := strconv.ParseInt(text, 10, 64)
		digits := strings.TrimPrefix(text, "-")
		if err != nil || text[0] == '+' || digits[0] == '0' && text != "0" {
			return nil, false
		}
		return n, true
	}
	// No store accepts such a text, and PostgreSQL returns an error for it.
	if text == "" || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil, false
	}
	if f.Type.Go == reflect.TypeFor[string]() {
		return text, true
	}
	id := reflect.New(f.Type.Go).Elem()
	if !f.read(id, text) {
		return nil, false
	}
	value := id.Interface()
	// Each record must have exactly one path, for caches and entity tags.
	canonical, err := f.text(value)
	return value, err == nil && canonical == text
}

func (f *Field) read(id reflect.Value, text string) bool {
	switch f.Type.Kind {
	case Int:
		n, err := strconv.ParseInt(text, 10, f.Type.Bits)
		id.SetInt(n)
		return err == nil
	case Uint:
		n, err := strconv.ParseUint(text, 10, f.Type.Bits)
		id.SetUint(n)
		return err == nil
	case String:
		id.SetString(text)
		return true
	}
	return UnmarshalText(id, []byte(text)) == nil
}
