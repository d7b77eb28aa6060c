// Package mistake has the errors in declarations that are about a type or one of its fields, so that resource.New can
// sort them without reading their texts.
package mistake

import (
	"fmt"
	"reflect"
)

// At is a type in a declaration, or one of its fields.
type At struct {
	// Type is nil for a resource.Of without a type.
	Type reflect.Type
	// Field is the Go name of the field, or its path, such as "Address.City". It is "" for the type itself.
	Field string
}

// Error is an error at a type or a field.
type Error struct {
	At

	Err error
}

// Errorf returns an error at a place. The rest is as in fmt.Errorf.
func (a At) Errorf(format string, args ...any) error {
	return &Error{a, fmt.Errorf(format, args...)}
}

// String returns what errors begin with: "Book" or "Book.Title".
func (a At) String() string {
	if a.Field == "" {
		return a.name()
	}
	return a.name() + "." + a.Field
}

func (a At) name() string {
	if a.Type == nil {
		return "resource.Of"
	}
	return Name(a.Type)
}

// IsNamed reports whether readers can find the place by its text. They cannot find a type without a name, such as a
// slice or an unnamed struct.
func (a At) IsNamed() bool {
	return a.Type == nil || a.Type.Name() != "" || a.Type.Kind() == reflect.Pointer || a.Type.Kind() == reflect.Map
}

// Error returns the place and the error.
func (e *Error) Error() string { return e.String() + ": " + e.Err.Error() }

// Unwrap returns the error without the place.
func (e *Error) Unwrap() error { return e.Err }

// Name names a type in errors: "Book", or "[]int" for a type without a name. The fields of an unnamed struct are left
// out, because they would be too long.
func Name(t reflect.Type) string {
	switch {
	case t == nil:
		return "nil"
	case t.Name() != "":
		return t.Name()
	case t.Kind() == reflect.Struct:
		return "struct{…}"
	}
	return t.String()
}
