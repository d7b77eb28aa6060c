package model

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// Struct is a compiled struct type: what its tags say, field by field.
type Struct struct {
	Go     reflect.Type
	Fields []*Field // in the order of declaration, promoted fields of embedded structs in place
	ID     *Field   // the identifier, the first field of one of several; nil where the struct has none
	IDs    []*Field // all fields of the identifier, in order; see [Identifier]

	// Inverses are members that no Go field is of: they show the identifier as the address of
	// what refers to the record.
	Inverses []*Field

	Version  *Field // counts the changes of a record; nil for none
	Created  *Field // when a record was created; nil for none
	Modified *Field // when a record was changed last; nil for none

	Refers bool // it, or a struct within it, has references; see [Reference]
	Others bool // it has fields that are no JSON members: JSON does not keep all of a value

	paths []Path // of a resource's struct, once it is compiled
}

// Field is one JSON member of a struct.
type Field struct {
	Name   string // of the JSON member
	GoPath string // Go's names from the struct down, "Audit.CreatedAt" for a promoted field
	Index  []int  // for reflect.Value.FieldByIndex; no pointer is on the way
	Type   *Type

	Identifier bool // names the record in paths
	Generated  bool // an identifier that the store makes; such a field is read-only
	Version    bool // counts the changes of the record; such a field is read-only
	Created    bool // when the record was created; such a field is read-only
	Modified   bool // when the record was changed last; such a field is read-only
	ReadOnly   bool // the tag says so: no view of a body lets clients set it
	WriteOnly  bool // the tag says so: no view of an answer shows it
	Hidden     bool // the tag says so: no message has it; such a field is read-only and write-only
	CreateOnly bool // clients set it where the record is created, and never again
	Unique     bool
	Indexed    bool // stores keep an index of it, for queries of the program's own
	Sort       bool
	Search     bool       // the parameter q looks into it
	Filters    []string   // operators of the tag's filter word
	Header     bool       // of a struct of parameters: a header field
	Reference  *Reference // to records of another resource; nil for a field that is none
	Column     string     // the tag db: what the column of a table is called; "" for what it usually is

	Doc       string
	Example   jsontext.Value // as JSON; nil for none
	Default   jsontext.Value // as JSON; nil for none
	Messages  map[string]string
	Rules     Rules
	OmitEmpty bool // json omitempty: an empty JSON value is left out of answers
	OmitZero  bool // json omitzero: a zero Go value is left out of answers
}

// Value returns the field in v, which is the struct itself and not a pointer to it.
func (f *Field) Value(v reflect.Value) reflect.Value {
	// FieldByIndex walks a slice and asks for pointers at each step; most fields are the struct's own.
	if len(f.Index) == 1 {
		return v.Field(f.Index[0])
	}
	return v.FieldByIndex(f.Index)
}

// Writable reports whether clients may set the field.
func (f *Field) Writable() bool { return !f.ReadOnly }

// OmitAbsent reports whether answers leave the member out where its value is as good as none.
func (f *Field) OmitAbsent() bool { return f.OmitEmpty || f.OmitZero }

// Readable reports whether answers show the field.
func (f *Field) Readable() bool { return !f.WriteOnly }

// Field returns the field with that JSON name, or nil.
// A search through a few fields: it is asked while an API is made, and not for requests.
func (s *Struct) Field(name string) *Field {
	for _, f := range s.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}
