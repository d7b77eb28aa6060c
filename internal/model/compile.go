// Package model compiles Go structs into their JSON fields and everything that the struct tags declare. No other package
// reads struct tags: routes, decoding, validation, stores and the document use the compiled model. Types are compiled
// once, when an API is created.
package model

import (
	"errors"
	"reflect"
	"slices"
	"strings"
)

// Compile compiles the struct type of a resource and its identifier. The error joins all errors in the tags of all
// reachable structs.
func Compile(t reflect.Type) (*Struct, error) {
	c := newCompiler()
	c.stored = true
	if !c.isObject(t) {
		return nil, errors.Join(c.errs...)
	}
	s := c.object(t)
	// The order matters: markChanges must know the identifier, and the paths need to know which fields are readable.
	c.identify(s)
	c.markChanges(s)
	c.constrain(s)
	c.checkWithin(s, s.Fields, "", []*Struct{s})
	left := maxPaths
	if s.paths = s.pathsFrom(Path{}, []*Struct{s}, &left); left < 0 {
		c.fail(Declaration{Type: t}, "more than %d fields, including nested ones; put objects that contain many others into lists", maxPaths)
	}
	c.checkSearch(s)
	return s, errors.Join(c.errs...)
}

// CompileType compiles any type that can be encoded, such as a body or a response.
func CompileType(t reflect.Type) (*Type, error) {
	c := newCompiler()
	compiled := c.typ(t, Declaration{Type: t})
	return compiled, errors.Join(c.errs...)
}

// CompileParameters compiles a struct whose fields are parameters of an operation. Some of them may be header fields.
func CompileParameters(t reflect.Type) (*Type, error) {
	c := newCompiler()
	c.parameters = true
	compiled := c.typ(t, Declaration{Type: t})
	return compiled, errors.Join(c.errs...)
}

// compiler holds the structs of one compilation, so that each is compiled once and recursive types end.
type compiler struct {
	structs    map[reflect.Type]*Struct
	open       map[reflect.Type]bool // slices and maps whose elements are being compiled
	stored     bool                  // compiles a record
	parameters bool                  // compiles parameters of an operation
	errs       []error
}

func newCompiler() *compiler {
	return &compiler{structs: map[reflect.Type]*Struct{}, open: map[reflect.Type]bool{}}
}

// fail collects an error, so that New reports all of them at once. Compilation continues with the invalid field to find
// more.
func (c *compiler) fail(where Declaration, format string, args ...any) {
	c.errs = append(c.errs, where.Errorf(format, args...))
}

// isObject reports whether t is written as a JSON object by its fields.
func (c *compiler) isObject(t reflect.Type) bool {
	switch {
	case t == nil:
		c.fail(Declaration{}, "the type is missing; write resource.Of[T] with a struct T")
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		c.fail(Declaration{Type: t}, "a resource cannot be a pointer; use the struct %s", Declaration{Type: t.Elem()})
	case t.Kind() != reflect.Struct:
		c.fail(Declaration{Type: t}, "a resource must be a struct")
	case marshalsItself(t) != 0:
		c.fail(Declaration{Type: t}, "a resource must be a struct that does not marshal itself")
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
	// Register the struct before it is compiled, so that recursive types end. Its fields are missing until Compile
	// returns and must not be read before.
	s := &Struct{Go: t}
	c.structs[t] = s
	outer := c.open
	c.open = map[reflect.Type]bool{} // a list may contain itself through a struct
	defer func() { c.open = outer }()
	s.Fields = c.dominant(t, c.fields(t, t, nil, ""))
	if ids := identifying(s); len(ids) == 1 && !ids[0].Type.Nullable && isGenerated(ids[0].Type.Kind) && !ids[0].Type.IsDate() {
		ids[0].ReadOnly = true // even in a nested struct, where it identifies a record of another resource
	}
	return s
}

// fields lists the JSON fields of t, with those of embedded structs in their place. The owner is the struct that they
// are promoted to.
func (c *compiler) fields(owner, t reflect.Type, index []int, path string) []*Field {
	var fields []*Field
	for i := range t.NumField() {
		goField := t.Field(i)
		where := Declaration{Type: owner, Field: goField.Name}
		// A clone, because embedded structs of one level would otherwise share the spare capacity.
		at := append(slices.Clone(index), i)
		c.checkTag(where, goField.Tag)
		// As in encoding/json, a tag with options alone, such as ",omitempty", does not name the field.
		name, _, _ := strings.Cut(goField.Tag.Get("json"), ",")
		isPromoted := goField.Anonymous && name == "" && goField.Type.Kind() == reflect.Struct && marshalsItself(goField.Type) == 0
		switch {
		case isPromoted:
			c.readJSON(where, goField, new(Field)) // its options have no effect, but unknown ones are mistakes
			fields = append(fields, c.fields(owner, goField.Type, at, path+goField.Name+".")...)
		case c.isField(where, goField):
			if field := c.field(where, goField); field != nil {
				field.Index, field.GoPath = at, path+goField.Name
				fields = append(fields, field)
			}
		default:
			// A store that keeps JSON would lose this field.
			c.structs[owner].Others = true
		}
	}
	return fields
}

// isField reports whether the Go field is a JSON field. It reports tags that have no effect because it is not.
func (c *compiler) isField(where Declaration, f reflect.StructField) bool {
	// encoding/json allocates nil embedded pointers while decoding. A body could then change which fields a record has.
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.Anonymous && f.Type.Kind() == reflect.Pointer && name == "" {
		c.fail(where, "embedded pointers are not supported; embed the struct itself or name the field")
		return false
	}
	if f.IsExported() && f.Tag.Get("json") != "-" {
		return true
	}
	for _, tag := range tags {
		switch value := f.Tag.Get(tag); {
		case value == "", tag == "json" && value == "-":
		case !f.IsExported():
			c.fail(where, "the field has the tag %s but is not exported; export it or remove the tag", tag)
			return false
		// A field without JSON may still have a column and a description, for the program's own use.
		case tag != "doc" && tag != "db":
			c.fail(where, "the field has the tag %s but json:\"-\" leaves it out; give it a JSON name or remove the tag", tag)
		}
	}
	return false
}

// field compiles one field, or returns nil if its type cannot be encoded.
func (c *compiler) field(where Declaration, goField reflect.StructField) *Field {
	field := &Field{Doc: goField.Tag.Get("doc"), Column: goField.Tag.Get("db")}
	c.readJSON(where, goField, field)
	if field.Type = c.typ(goField.Type, where); field.Type == nil {
		return nil
	}
	c.readAPI(where, goField.Tag.Get("api"), field)
	rules, err := ParseRules(goField.Tag.Get("validate"))
	if err != nil {
		c.fail(where, "validate tag: %w", err)
	}
	field.Rules = rules
	field.Messages = c.readMessages(where, goField.Tag.Get("message"))
	field.Default = c.literal(where, "default", goField.Tag, field.Type)
	field.Example = c.literal(where, "example", goField.Tag, field.Type)
	// A reference is indexed by the other record's identifier, which has its own limit.
	if c.checkReference(where, field); field.Reference == nil {
		c.limitIndexed(where, field)
	}
	return field
}

// dominant removes fields that another field of the same name hides: the less deeply embedded one wins, as in
// encoding/json. Two at the same depth are an error.
func (c *compiler) dominant(t reflect.Type, fields []*Field) []*Field {
	winners := map[string]*Field{}
	for _, f := range fields {
		if other, taken := winners[f.Name]; !taken || len(f.Index) < len(other.Index) {
			winners[f.Name] = f
		}
	}
	for _, f := range fields {
		if other := winners[f.Name]; f != other && len(f.Index) == len(other.Index) {
			c.fail(Declaration{Type: t, Field: f.GoPath}, "the JSON name %q is already used by the field %s", f.Name, other.GoPath)
		}
	}
	return slices.DeleteFunc(fields, func(f *Field) bool { return winners[f.Name] != f })
}
