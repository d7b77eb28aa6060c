package model

import (
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/naming"
)

// Struct is a compiled struct type: its fields and what their tags declare.
type Struct struct {
	Go     reflect.Type
	Fields []*Field // in the order of declaration, with promoted fields instead of the embedded struct
	ID     *Field   // the identifier, or the first field of a composite one; nil if the struct has none
	IDs    []*Field // all fields of the identifier, in order; see [Identifier]

	// Referring are the references of other resources to records of this one.
	Referring []*Referring
	// Inverses are fields without a Go field: they show the path of the records that reference this one.
	Inverses []*Field

	Version  *Field // counts the changes of a record; nil for none
	Created  *Field // time of the record's creation; nil for none
	Modified *Field // time of the record's last change; nil for none
	Deleted  *Field // time when the record was moved to the trash, null for a living one; nil without a trash

	Constraints []*RecordConstraint // of a resource's struct

	Refers bool // it, or a struct within it, has references; see [Reference]
	Others bool // it has Go fields without JSON, so JSON does not preserve every value

	paths []Path // of a resource's struct; nil until it is compiled
}

// Field is one JSON field of a struct.
type Field struct {
	Name   string // the JSON name
	GoPath string // Go names from the struct down, such as "Audit.CreatedAt" for a promoted field
	Index  []int  // for reflect.Value.FieldByIndex; it never leads through a pointer
	Type   *Type

	Identifier bool // part of the path of a record
	Generated  bool // an identifier that the store generates; such a field is read-only
	Version    bool // counts the changes of the record; such a field is read-only
	Created    bool // when the record was created; such a field is read-only
	Modified   bool // when the record was changed last; such a field is read-only
	Deleted    bool // when the record was moved to the trash; such a field is read-only
	ReadOnly   bool // clients cannot set it
	WriteOnly  bool // responses do not show it
	Hidden     bool // never in a message; such a field is read-only and write-only
	Password   bool // stores keep only the hash of a password; such a field is write-only
	CreateOnly bool // clients can set it only when the record is created
	Guarded    bool // an access rule limits who reads or sets it: messages do not suggest its name
	Unique     bool
	Indexed    bool // stores keep an index of it, for the program's own queries
	Sort       bool
	Search     bool       // the parameter q searches it
	FullText   bool       // ... for words
	Language   string     // ... reduced to their stems in it; "" for none
	Group      bool       // an operation.Aggregate groups by it
	Aggregate  bool       // ... and computes its sum, average, minimum and maximum
	Title      bool       // its value names the record for people
	Filters    []string   // operators of the tag's filter word
	Header     bool       // a header field; only in a struct of parameters
	Reference  *Reference // to records of another resource; nil for none
	Column     string     // column name from the tag db; "" for the default
	words      []string   // of the api tag
	together   int        // the most characters that fit into an index with other texts; 0 for no such index

	Doc       string
	Example   jsontext.Value // as JSON; nil for none
	Default   jsontext.Value // as JSON; nil for none
	Messages  map[string]string
	Rules     Rules
	OmitEmpty bool // json omitempty: an empty JSON value is left out of responses
	OmitZero  bool // json omitzero: a zero Go value is left out of responses
}

// Value returns the field of v, which is the struct itself and not a pointer to it.
func (f *Field) Value(v reflect.Value) reflect.Value {
	// Most fields are not promoted, and Field is faster than FieldByIndex.
	if len(f.Index) == 1 {
		return v.Field(f.Index[0])
	}
	return v.FieldByIndex(f.Index)
}

// Writable reports whether clients may set the field.
func (f *Field) Writable() bool { return !f.ReadOnly }

// Readable reports whether responses show the field.
func (f *Field) Readable() bool { return !f.WriteOnly }

// Field returns the field with that JSON name, or nil. It is only used while an API is created.
func (s *Struct) Field(name string) *Field {
	for _, f := range s.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Names lists the JSON names of the fields for which has returns true, nil for none.
func (s *Struct) Names(has func(*Field) bool) []string {
	var names []string
	for _, f := range s.Fields {
		if has(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Referring is a reference that records of a resource have to those of a struct.
type Referring struct {
	Resource string // the short name
	Name     string // for queries; see [Struct.NameOf]
	From     *Struct
	Field    *Field
	Joined   bool // queries of the struct's records can go back through it
}

// ReferredBy returns the reference to the struct with a name such as "Membership.project", nil for none. It begins with the
// short name of the resource, or else the name of its Go type.
func (s *Struct) ReferredBy(name string) (found *Referring) {
	for _, r := range s.Referring {
		switch name {
		case r.Resource + "." + r.Field.Name:
			return r
		case r.Name:
			found = r
		}
	}
	return found
}

// Behind returns the reference with which a dotted name begins, and the name of the field of the record behind it:
// "item" and "location" for "item.location". It returns nil for other names.
func (s *Struct) Behind(name string) (reference *Field, field string) {
	top, field, dotted := strings.Cut(name, ".")
	if f := s.Field(top); dotted && f != nil && f.Reference != nil && f.Reference.Target != nil {
		return f, field
	}
	return nil, ""
}

// NameOf returns the name of a reference of the struct for queries of the records that it leads to: "Membership.project".
func (s *Struct) NameOf(reference *Field) string { return naming.TypeName(s.Go) + "." + reference.Name }

// Path is a field of a struct, or of a nested object.
type Path struct {
	Name   string   // JSON names joined by dots: "address.city"
	Fields []*Field // from the struct's own field down to the last one
}

// Leaf returns the last field of the path.
func (p Path) Leaf() *Field { return p.Fields[len(p.Fields)-1] }

// Nullable reports whether the value can be null: the field itself, or an object that contains it.
func (p Path) Nullable() bool {
	return slices.ContainsFunc(p.Fields, func(f *Field) bool { return f.Type.Nullable })
}

// Value returns the field of v, which is the struct itself and not a pointer to it. It returns false if an object on
// the path is null.
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

// Path returns the field with a dotted name such as "address.city", and whether it exists.
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
		s = f.Type.Struct
	}
	return p, true
}

// Paths lists the readable fields of the struct and of nested objects, in order. It leaves out objects in lists and
// maps, and objects that contain themselves. Callers must not change the result.
func (s *Struct) Paths() []Path {
	// Computed once for records, because parameters, stores and cursors all use it.
	if s.paths != nil {
		return s.paths
	}
	left := maxPaths
	return s.pathsFrom(Path{}, []*Struct{s}, &left)
}

// PathNames returns the names of [Struct.Paths].
func (s *Struct) PathNames() []string {
	var names []string
	for _, path := range s.Paths() {
		names = append(names, path.Name)
	}
	return names
}

// maxPaths is the maximum number of fields of a record, including nested ones. A few types that contain each other
// twice have millions, because each level doubles them.
const maxPaths = 10_000

// pathsFrom lists the paths below a field. It decrements left for each path; a negative value means that there are too
// many.
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
		// Include the object itself, because it can be null and clients can select it.
		paths = append(paths, p)
		if inner := f.Type.Struct; inner != nil && !slices.Contains(open, inner) {
			paths = append(paths, inner.pathsFrom(p, append(slices.Clip(open), inner), left)...)
		}
	}
	return paths
}

// Internals is embedded by stores. Only functions of this package call its method, so that no public signature mentions it.
// The zero value is empty.
type Internals struct{ untyped, itself any }

// InternalsOf returns an Internals with a store without its type parameter, and the store itself.
func InternalsOf(untyped, itself any) Internals { return Internals{untyped, itself} }

func (i Internals) internals() Internals { return i }

// Holder is a type that embeds Internals.
type Holder interface{ internals() Internals }

// Untyped returns the store without its type parameter, nil for none. It also reports whether store is the one that was
// given to InternalsOf: a wrapper of a store has its own methods.
func Untyped(store Holder) (untyped any, same bool) {
	h := store.internals()
	return h.untyped, h.itself == any(store)
}

// Linker connects the in-memory stores of one API, which are created independently.
type Linker interface {
	// Join makes the stores share transactions: a Transact of one joins a transaction of the other found in its
	// context.
	Join(other Linker)
	// Refer declares that a field of the first store's records, by its JSON name, references records of the other. From
	// then on the stores enforce these references.
	Refer(field string, to Linker) error
}

// LinkerOf returns the Linker of a store without its type parameter, nil for none.
func LinkerOf(store Holder) Linker {
	linker, _ := store.internals().untyped.(Linker)
	return linker
}
