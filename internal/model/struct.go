package model

import (
	"reflect"
	"slices"
	"strings"

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
	Guarded    bool // an access rule decides who reads or sets it: messages do not suggest its name
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

// Path is a field of a struct, or one within the objects that it holds.
type Path struct {
	Name   string   // JSON names joined by dots: "address.city"
	Fields []*Field // from the struct's own field down to the one that is meant
}

// Leaf returns the field that is meant.
func (p Path) Leaf() *Field { return p.Fields[len(p.Fields)-1] }

// Nullable reports whether the field can be null, itself or an object that holds it.
func (p Path) Nullable() bool {
	return slices.ContainsFunc(p.Fields, func(f *Field) bool { return f.Type.Nullable })
}

// Value returns the field in v, which is the struct itself, without its pointer, and
// whether there is one: null has none.
func (p Path) Value(v reflect.Value) (reflect.Value, bool) {
	for _, f := range p.Fields {
		v = f.Value(v)
		if !f.Type.Nullable {
			continue
		}
		if v.IsNil() {
			return reflect.Value{}, false
		}
		v = v.Elem()
	}
	return v, true
}

// Path returns the field of that name, dots included, and whether there is one.
func (s *Struct) Path(name string) (Path, bool) {
	p := Path{Name: name}
	for step := range strings.SplitSeq(name, ".") {
		if s == nil {
			return Path{}, false
		}
		f := s.Field(step)
		if f == nil {
			return Path{}, false
		}
		p.Fields = append(p.Fields, f)
		s = f.Type.object()
	}
	return p, true
}

// Paths lists the readable fields of the struct and of the objects within it, in order.
// Objects in lists and maps are not within it, nor is one that holds itself.
// The caller only reads them.
func (s *Struct) Paths() []Path {
	// Made once for records, since parameters, stores and cursors all ask; the rest is rarely asked.
	if s.paths != nil {
		return s.paths
	}
	left := maxPaths
	return s.pathsFrom(Path{}, []*Struct{s}, &left)
}

// maxPaths is how many fields a record may have, those of the objects within it included. A few types that hold each
// other twice have millions: each level doubles them.
const maxPaths = 10_000

// pathsFrom lists the paths below a field. Left is how many there may still be; it is negative when there are more.
func (s *Struct) pathsFrom(above Path, open []*Struct, left *int) []Path {
	paths := make([]Path, 0, len(s.Fields))
	for _, f := range s.Fields {
		if !f.Readable() {
			continue
		}
		if *left--; *left < 0 {
			break
		}
		name := f.Name
		if above.Name != "" {
			name = above.Name + "." + name
		}
		p := Path{name, append(slices.Clip(above.Fields), f)}
		// An object itself too, not only what is in it: it can be null, or be chosen by fields.
		paths = append(paths, p)
		if inner := f.Type.object(); inner != nil && !slices.Contains(open, inner) {
			paths = append(paths, inner.pathsFrom(p, append(slices.Clip(open), inner), left)...)
		}
	}
	return paths
}

// Held is embedded by stores that compile the struct of their records. Its method can be
// called by functions of this package alone, so that what the store is for need not compile the struct once more,
// and no public signature names it. The zero value holds none.
type Held struct {
	record          *Struct
	untyped, itself any
}

// HoldUntyped returns what a store embeds: the struct of its records, the store without its type parameter, and itself.
func HoldUntyped(record *Struct, untyped, itself any) Held { return Held{record, untyped, itself} }

func (h Held) held() Held { return h }

// Holder is what embeds Held.
type Holder interface{ held() Held }

// Of returns the struct that a store embeds, nil for none.
func Of(store Holder) *Struct { return store.held().record }

// Untyped returns the store without its type parameter that a store embeds, nil for none, and whether the two are the
// same: what wraps the store has methods of its own.
func Untyped(store Holder) (untyped any, same bool) {
	h := store.held()
	return h.untyped, h.itself == any(store)
}

// Linker is a store in memory among those of one API, which know nothing of each other before.
type Linker interface {
	// Join lets the stores share transactions: a Transact of one with the context of a transaction of the
	// other joins it.
	Join(other Linker)
	// Refer tells the stores that a field of the records of the first, by its JSON name, refers to records of
	// the other. From then on they keep each reference whole.
	Refer(field string, to Linker) error
}

// LinkerOf returns the linker that a store is without its type parameter, nil for none.
func LinkerOf(store Holder) Linker {
	linker, _ := store.held().untyped.(Linker)
	return linker
}
