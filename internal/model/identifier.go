package model

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Identifier reads and writes the identifier of a resource's records.
type Identifier struct {
	field *Field
}

// Identifier returns the identifier of a struct that has one.
func (s *Struct) Identifier() Identifier { return Identifier{s.ID} }

// Name returns the JSON name.
func (i Identifier) Name() string { return i.field.Name }

// Of returns the identifier of the record that record points to.
func (i Identifier) Of(record any) any {
	return i.field.Value(reflect.ValueOf(record).Elem()).Interface()
}

// Is reports whether the record that record points to has an identifier.
func (i Identifier) Is(record, id any) bool {
	v := i.field.Value(reflect.ValueOf(record).Elem())
	switch id := id.(type) {
	case int64:
		return v.Int() == id
	case string:
		return v.String() == id
	}
	return v.Interface() == id
}

// Set gives the record that record points to an identifier.
func (i Identifier) Set(record, id any) {
	if !i.Is(record, id) {
		i.field.Value(reflect.ValueOf(record).Elem()).Set(reflect.ValueOf(id))
	}
}

// Generated reports whether the store makes the identifier, and not the client.
func (i Identifier) Generated() bool { return i.field.Generated }

// Text returns an identifier as it stands in a path, before percent-encoding.
func (i Identifier) Text(id any) (string, error) {
	switch id := id.(type) {
	case int64:
		return strconv.FormatInt(id, 10), nil
	case string:
		return id, nil
	}
	if i.field.Type.Kind != Text {
		return fmt.Sprint(id), nil
	}
	return TextOf(reflect.ValueOf(id))
}

// Parse reads an identifier from a path, and reports whether text is the one way to
// write it: "01" and "+1" are not 1.
func (i Identifier) Parse(text string) (any, bool) {
	if i.field.Type.Go == reflect.TypeFor[int64]() {
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil && isCanonical(text)
	}
	if text == "" || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil, false
	}
	if i.field.Type.Go == reflect.TypeFor[string]() {
		return text, true
	}
	id := reflect.New(i.field.Type.Go).Elem()
	if !i.read(id, text) {
		return nil, false
	}
	value := id.Interface()
	canonical, err := i.Text(value)
	return value, err == nil && canonical == text
}

// isCanonical reports whether the text of an integer is the one way to write it.
func isCanonical(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return text[0] != '+' && (digits[0] != '0' || text == "0")
}

func (i Identifier) read(id reflect.Value, text string) bool {
	switch i.field.Type.Kind {
	case Int:
		n, err := strconv.ParseInt(text, 10, i.field.Type.Bits)
		id.SetInt(n)
		return err == nil
	case Uint:
		n, err := strconv.ParseUint(text, 10, i.field.Type.Bits)
		id.SetUint(n)
		return err == nil
	case String:
		id.SetString(text)
		return true
	}
	return UnmarshalText(id, []byte(text)) == nil
}
