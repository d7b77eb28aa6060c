package model

import (
	"fmt"
	"reflect"
)

// Declaration is a type that the user declares, or one of its fields. Errors name it, so that resource.New can sort them
// without reading their texts.
type Declaration struct {
	// Type is nil for a resource.Of without a type.
	Type reflect.Type
	// Field is the Go name of the field, or its path, such as "Address.City". It is "" for the type itself.
	Field string
}

// DeclarationError is an error in a declaration, at a type or a field.
type DeclarationError struct {
	Declaration

	Err error
}

// Errorf returns an error at a place. The rest is as in fmt.Errorf.
func (d Declaration) Errorf(format string, args ...any) error {
	return &DeclarationError{d, fmt.Errorf(format, args...)}
}

// String returns what errors begin with: "Book" or "Book.Title", or "[]int" for a type without a name. The fields of an
// unnamed struct are left out, because they would be too long.
func (d Declaration) String() string {
	var name string
	switch t := d.Type; {
	case t == nil:
		name = "resource.Of"
	case t.Name() != "":
		name = t.Name()
	case t.Kind() == reflect.Struct:
		name = "struct{…}"
	default:
		name = t.String()
	}
	if d.Field == "" {
		return name
	}
	return name + "." + d.Field
}

// IsNamed reports whether readers can find the place by its text. They cannot find a type without a name, such as a
// slice or an unnamed struct.
func (d Declaration) IsNamed() bool {
	return d.Type == nil || d.Type.Name() != "" || d.Type.Kind() == reflect.Pointer || d.Type.Kind() == reflect.Map
}

// Error returns the place and the error.
func (e *DeclarationError) Error() string { return e.String() + ": " + e.Err.Error() }

// Unwrap returns the error without the place.
func (e *DeclarationError) Unwrap() error { return e.Err }
