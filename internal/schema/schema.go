// Package schema is JSON Schema (2020-12) as plain data: the keywords that this module writes,
// in the order in which it thinks of them. Whoever describes an API, as a document, as tools or
// in tests, reads the same schemas and turns them into a form of its own.
package schema

import (
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The names that a type can have.
const (
	Boolean = "boolean"
	Integer = "integer"
	Number  = "number"
	String  = "string"
	Array   = "array"
	Object  = "object"
	Null    = "null"
)

// Schema says which JSON values there may be, and what they mean. A keyword with its zero
// value is not there; the zero Schema allows everything. Lists keep their order.
//
// A schema that refers to a definition may have other keywords beside it, which then hold
// as well.
type Schema struct {
	Always *bool       // everything for true, nothing for false; no other keyword counts then
	Ref    *Definition // what values follow, too; nil for none

	Type        []string // any of these; nil for all
	Format      string
	Title       string
	Description string
	ReadOnly    bool
	WriteOnly   bool
	Default     jsontext.Value
	Examples    []jsontext.Value

	Const jsontext.Value
	Enum  []jsontext.Value

	MinLength        uint64
	MaxLength        *uint64
	Pattern          string // what Go and ECMA-262 read alike
	ContentEncoding  string
	ContentMediaType string

	Min, Max                   Decimal
	ExclusiveMin, ExclusiveMax Decimal

	MinItems    uint64
	MaxItems    *uint64
	UniqueItems bool
	Items       *Schema

	MinProperties        uint64
	MaxProperties        *uint64
	Required             []string
	Properties           []Property // in the order in which they are written
	AdditionalProperties *Schema
	PropertyNames        *Schema

	Not   *Schema
	AllOf []*Schema
	AnyOf []*Schema
	OneOf []*Schema

	More []Keyword // those of users, as they wrote them
}

// Property is a member of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// Keyword is one that Schema has no field for.
// Extensions and keywords of other drafts are the user's: they are passed on as they are rather
// than dropped, as nobody here can know who reads them.
type Keyword struct {
	Name  string
	Value jsontext.Value
}

// Definition is a schema that others refer to. Its name may be given after they do, and is
// the identity of the definition for readers.
// Pointers refer to it rather than names, since a name can depend on all the others: two types of
// one name are told apart when all are known.
type Definition struct {
	Name   string
	Schema *Schema
}

// Typed returns a schema of the values of one type.
func Typed(name string) *Schema { return &Schema{Type: []string{name}} }

// Constant returns a schema of one value alone.
func Constant(value any) *Schema { return &Schema{Const: ValueOf(value)} }

// Inverse returns a schema of all values that another one refuses.
func Inverse(of *Schema) *Schema { return &Schema{Not: of} }

// Nothing returns a schema that refuses every value.
// It is what additionalProperties needs to be closed, and writes false.
func Nothing() *Schema { return &Schema{Always: new(false)} }

// Property returns the schema of a member, nil where the object lists none of that name.
// A walk rather than a map: order matters more for the few members that an object has.
func (s *Schema) Property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// IsEmpty reports whether a schema has no keyword, or is nil.
func (s *Schema) IsEmpty() bool { return s == nil || reflect.ValueOf(s).Elem().IsZero() }

// Equal reports whether two schemas have the same keywords, with values that are written
// alike and stand in the same order. Definitions may refer to themselves.
func (s *Schema) Equal(other *Schema) bool { return reflect.DeepEqual(s, other) }

// Says reports whether another schema has the same keywords, with the members of an object in
// whatever order.
func (s *Schema) Says(other *Schema) bool {
	if s == nil || other == nil {
		return s == other
	}
	return s.sorted().Equal(other.sorted())
}

func (s *Schema) sorted() *Schema {
	made := *s
	made.Properties, made.Required = slices.Clone(s.Properties), slices.Clone(s.Required)
	slices.SortFunc(made.Properties, func(a, b Property) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(made.Required)
	return &made
}
