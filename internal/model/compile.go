// Package model compiles Go types into what the rest of Trove reads in place of them:
// the JSON members of a struct with everything their tags say. It is the only place
// that reads struct tags; routes, decoding, checks, stores and the document all walk
// its result. Compiling happens once, when an API is made.
package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Compile compiles the struct type of a resource, its identifier included. Its error
// joins every mistake in the tags of all reachable structs.
func Compile(t reflect.Type) (*Struct, error) {
	c := newCompiler()
	c.stored = true
	if !c.isObject(t) {
		return nil, errors.Join(c.errs...)
	}
	s := c.object(t)
	// In this order: a field that tells of changes must not be the identifier, and paths are of what is
	// then known to be readable.
	c.identify(s)
	c.markChanges(s)
	c.checkWithin(s)
	left := maxPaths
	if s.paths = s.pathsFrom(Path{}, []*Struct{s}, &left); left < 0 {
		c.fail(typeName(t), "has more than %d fields, those of objects within it included; put objects that hold many others into lists", maxPaths)
	}
	return s, errors.Join(c.errs...)
}

// CompileType compiles any type that can be encoded, such as a body or an answer.
func CompileType(t reflect.Type) (*Type, error) {
	c := newCompiler()
	compiled := c.typ(t, typeName(t))
	return compiled, errors.Join(c.errs...)
}

// CompileParameters compiles a struct whose fields are parameters of an operation: some of them may be fields of the header.
func CompileParameters(t reflect.Type) (*Type, error) {
	c := newCompiler()
	c.parameters = true
	compiled := c.typ(t, typeName(t))
	return compiled, errors.Join(c.errs...)
}

// compiler holds the structs of one compilation, so that recursive types end.
// A type is compiled once for a resource, however many fields have it.
type compiler struct {
	structs    map[reflect.Type]*Struct
	open       map[reflect.Type]bool // lists and maps whose elements are being compiled
	stored     bool                  // compiles a record
	parameters bool                  // compiles parameters of an operation
	errs       []error
}

func newCompiler() *compiler {
	return &compiler{structs: map[reflect.Type]*Struct{}, open: map[reflect.Type]bool{}}
}

// Mistakes are collected, so that one start tells of all of them; what is compiled of a mistaken field
// goes on being used, if only to find more.
func (c *compiler) fail(where, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(where+": "+format, args...))
}

// isObject reports whether t is written as a JSON object by its fields.
func (c *compiler) isObject(t reflect.Type) bool {
	switch {
	case t == nil:
		c.fail("resource", "no type: write resource.Of[T] with a struct for T")
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		c.fail(typeName(t), "is a pointer: write the struct itself, %s", typeName(t.Elem()))
	case t.Kind() != reflect.Struct:
		c.fail(typeName(t), "has the kind %s: a resource is a struct", t.Kind())
	case marshalsItself(t) != 0:
		c.fail(typeName(t), "marshals itself: a resource is a struct that is encoded by its fields")
	default:
		return true
	}
	return false
}

// object compiles a struct, once.
func (c *compiler) object(t reflect.Type) *Struct {
	if s, ok := c.structs[t]; ok {
		return s
	}
	// It is known before it is compiled, or a type that holds itself would never end. Whoever finds it then
	// has a struct without fields yet, so nothing may ask for them before Compile returns.
	s := &Struct{Go: t}
	c.structs[t] = s
	outer := c.open
	c.open = map[reflect.Type]bool{} // a list may hold itself in a struct
	defer func() { c.open = outer }()
	s.Fields = c.dominant(t, c.members(t, t, nil, ""))
	if ids := identifying(s); len(ids) == 1 && !ids[0].Type.Nullable && isGenerated(ids[0].Type.Kind) {
		// Also in a struct that is nested: its identifier names a record of another resource.
		ids[0].ReadOnly = true // whatever holds the struct: no client makes it up
	}
	return s
}

// members lists the fields of t that are JSON members, those of embedded structs in
// the place of the embedded struct. owner is the struct that they are promoted to.
func (c *compiler) members(owner, t reflect.Type, index []int, path string) []*Field {
	var fields []*Field
	name := typeName(owner)
	for i := range t.NumField() {
		goField := t.Field(i)
		where := name + "." + goField.Name // in errors
		// A clone: embedded structs of one level would else share the room behind the index.
		at := append(slices.Clone(index), i)
		c.checkTag(where, goField.Tag)
		switch {
		case c.isPromoted(goField):
			fields = append(fields, c.members(owner, goField.Type, at, path+goField.Name+".")...)
		case c.isMember(where, goField):
			if field := c.field(where, goField); field != nil {
				field.Index, field.GoPath = at, path+goField.Name
				fields = append(fields, field)
			}
		default:
			// What JSON does not have, a store that keeps JSON would lose.
			c.structs[owner].Others = true
		}
	}
	return fields
}

// isPromoted reports whether the field is an embedded struct whose members are the
// members of the struct around it, as in encoding/json.
func (c *compiler) isPromoted(f reflect.StructField) bool {
	return f.Anonymous && f.Tag.Get("json") == "" && f.Type.Kind() == reflect.Struct && marshalsItself(f.Type) == 0
}

// isMember reports whether the field is a JSON member, and notes tags that promise
// something for one that is not.
func (c *compiler) isMember(where string, f reflect.StructField) bool {
	// encoding/json takes embedded pointers and makes what is nil when it reads. That would let a body
	// change which members a record has.
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.Anonymous && f.Type.Kind() == reflect.Pointer && name == "" {
		c.fail(where, "embeds a pointer: embed the struct itself, or give the field a name")
		return false
	}
	if f.IsExported() && f.Tag.Get("json") != "-" {
		return true
	}
	for _, tag := range tags {
		switch value := f.Tag.Get(tag); {
		case value == "", tag == "json" && value == "-":
		case !f.IsExported():
			c.fail(where, "has the tag %s but is not exported, so that it is no JSON member: begin its name with a capital letter, or drop the tag", tag)
			return false
		// A field beside JSON may have a column and be explained, as those that only the program reads are.
		case tag != "doc" && tag != "db":
			c.fail(where, "has the tag %s but is no JSON member, by its tag json:\"-\": give it a name there, or drop the tag", tag)
		}
	}
	return false
}

// field compiles one member, or returns nil where its type cannot be encoded.
func (c *compiler) field(where string, goField reflect.StructField) *Field {
	api := goField.Tag.Get("api")
	field := &Field{Doc: goField.Tag.Get("doc"), Column: goField.Tag.Get("db")}
	c.readJSON(where, goField, field)
	if field.Type = c.typ(goField.Type, where); field.Type == nil {
		return nil
	}
	if hasWord(api, "ref") {
		field.becomeKey()
	}
	c.readAPI(where, api, field)
	rules, err := ParseRules(goField.Tag.Get("validate"))
	if err != nil {
		c.fail(where, "validate tag: %w", err)
	}
	field.Rules = rules
	field.Messages = c.readMessages(where, goField.Tag.Get("message"))
	field.Default = c.literal(where, "default", goField.Tag, field.Type)
	field.Example = c.literal(where, "example", goField.Tag, field.Type)
	// What a reference is indexed by is the other record's identifier, which has its own limit.
	if c.checkReference(where, api, field); field.Reference == nil {
		c.limitIndexed(where, field)
	}
	return field
}

// dominant drops the members that another one of the same name hides: the less deeply
// embedded one wins, as in encoding/json. Two at one depth are a mistake.
func (c *compiler) dominant(t reflect.Type, fields []*Field) []*Field {
	winners := map[string]*Field{}
	for _, f := range fields {
		other, taken := winners[f.Name]
		switch {
		case !taken || len(f.Index) < len(other.Index):
			winners[f.Name] = f
		case len(f.Index) == len(other.Index):
			c.fail(typeName(t), "the fields %s and %s have the same JSON name %q", other.GoPath, f.GoPath, f.Name)
		}
	}
	return slices.DeleteFunc(fields, func(f *Field) bool { return winners[f.Name] != f })
}

// typeName names a type in errors: "Book", or "[]int" for a type without a name. All fields
// and tags of a struct without one would be too much.
func typeName(t reflect.Type) string {
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
