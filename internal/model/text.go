package model

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/store"
)

// What a type writes as text has to be the same everywhere: a path, a body, a column and an
// index that disagreed would each find another record. So they all ask here.

// MarshalText returns the text that own, a value or a pointer to one, marshals itself as.
// A type with both methods is asked for AppendText, as it is by encoding/json/v2, which
// bodies are to agree with.
func MarshalText(own any) ([]byte, error) {
	switch own := own.(type) {
	case encoding.TextAppender:
		return own.AppendText(nil)
	case encoding.TextMarshaler:
		return own.MarshalText()
	}
	return nil, fmt.Errorf("%T does not marshal itself as text", own)
}

// TextOf returns the text that v marshals itself as. The method may be one of the pointer, and
// v a value that has none, such as an identifier in an interface: then a copy is asked.
func TextOf(v reflect.Value) (string, error) {
	text, err := MarshalText(addressed(v))
	return string(text), err
}

// OrderTextOf returns the text by whose bytes v, a value of a type that marshals itself, is compared and ordered:
// its key if it has one.
func OrderTextOf(v reflect.Value) (string, error) {
	own := addressed(v)
	if ordered, ok := own.(store.Ordered); ok {
		return ordered.OrderKey(), nil
	}
	text, err := MarshalText(own)
	return string(text), err
}

// addressed returns a pointer to v, or to a copy of it.
func addressed(v reflect.Value) any {
	if !v.CanAddr() {
		made := reflect.New(v.Type()).Elem()
		made.Set(v)
		v = made
	}
	return v.Addr().Interface()
}

// UnmarshalText sets v, which is addressable, to what its type reads in a text. A method that
// fails may leave anything behind.
func UnmarshalText(v reflect.Value, text []byte) error {
	own, ok := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr())
	if !ok {
		return fmt.Errorf("%s does not read itself from text", v.Type())
	}
	return own.UnmarshalText(text)
}
