// Package schema is JSON Schema (2020-12) as plain data: the keywords that this module writes,
// in the order in which it thinks of them. Whoever describes an API, as a document, as tools or
// in tests, reads the same schemas and turns them into a form of its own.
package schema

import (
	"math"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
// A schema that refers to a definition may have other keywords beside it, which then hold as well.
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

// Keyword is one that Schema has no field for. Extensions and keywords of other drafts are the user's: they are passed
// on as they are rather than dropped, as nobody here can know who reads them.
type Keyword struct {
	Name  string
	Value jsontext.Value
}

// Definition is a schema that others refer to. Its name may be given after they do, and is the identity of the
// definition for readers. Pointers refer to it rather than names, since a name can depend on all the others: two types
// of one name are told apart when all are known.
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

// Says reports whether another schema has the same keywords, with the members of an object in whatever order.
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

// Allows reports whether a value follows the schema and the definitions that it refers to.
// The value is one that [Go] returns. Of formats, those of dates, times and IP addresses are
// asserted. Keywords of More refuse nothing, nor does a pattern that Go cannot read.
func (s *Schema) Allows(value any) bool {
	switch {
	case s == nil:
		return true
	case s.Always != nil:
		return *s.Always
	}
	return (s.Ref == nil || s.Ref.Schema.Allows(value)) && s.allowsType(value) && s.lists(value) && s.allowsInside(value) &&
		s.combines(value)
}

// Schemas are asked here before a document exists, so kin-openapi's validator cannot be; and what it
// makes of formats and of integers beyond 2^53 is not what the service does.

// allowsType reports whether a value has one of the types.
// JSON Schema counts 1.0 as an integer (2020-12 Validation, section 6.1.1), as the service does.
func (s *Schema) allowsType(value any) bool {
	return s.Type == nil || slices.ContainsFunc(s.Type, func(name string) bool {
		switch v := value.(type) {
		case nil:
			return name == Null
		case bool:
			return name == Boolean
		case int64, uint64:
			return name == Integer || name == Number
		case float64:
			return name == Number || name == Integer && v == math.Trunc(v)
		case string:
			return name == String
		case []any:
			return name == Array
		}
		return name == Object
	})
}

// lists reports whether a value is the constant, and one of those that are listed.
// By value, not by text: an enum of 1.0 allows 1.
func (s *Schema) lists(value any) bool {
	isValue := func(text jsontext.Value) bool { return same(Go(text), value) }
	return (s.Const == nil || isValue(s.Const)) && (s.Enum == nil || slices.ContainsFunc(s.Enum, isValue))
}

// same reports whether two values are the same in JSON, where 1 is 1.0.
func same(a, b any) bool {
	// JSON has one kind of number. As Go values, 1 and 1.0 and uint64(1) differ.
	if x, ok := decimalOf(a); ok {
		y, ok := decimalOf(b)
		return ok && x.Compare(y) == 0
	}
	return reflect.DeepEqual(a, b)
}

// Numbers are compared as decimals since an int64 near its limit has no float64 of its own, and a
// maximum of 9223372036854775807 would allow what the service refuses.
func decimalOf(value any) (Decimal, bool) {
	switch value.(type) {
	case int64, uint64, float64:
		return Decimal(ValueOf(value)), true
	}
	return "", false
}

// allowsInside reports whether a value follows the keywords about values of its type.
func (s *Schema) allowsInside(value any) bool {
	switch v := value.(type) {
	case string:
		return s.allowsText(v)
	case []any:
		return s.allowsList(v)
	case map[string]any:
		return s.allowsObject(v)
	}
	number, ok := decimalOf(value)
	return !ok || (s.Min == "" || number.Compare(s.Min) >= 0) && (s.Max == "" || number.Compare(s.Max) <= 0) &&
		(s.ExclusiveMin == "" || number.Compare(s.ExclusiveMin) > 0) && (s.ExclusiveMax == "" || number.Compare(s.ExclusiveMax) < 0)
}

// No least is 0 and no most is nil: the zero of a most would allow only what is empty.
func within(length int, least uint64, most *uint64) bool {
	n := uint64(length) //nolint:gosec // no length is negative
	return n >= least && (most == nil || n <= *most)
}

// Lengths count characters, as JSON Schema and the rules of tags both do; bytes would refuse "é"
// where one letter is allowed.
func (s *Schema) allowsText(text string) bool {
	if !within(utf8.RuneCountInString(text), s.MinLength, s.MaxLength) {
		return false
	}
	if s.Pattern != "" {
		// Patterns are of ECMA 262, of which Go lacks look-ahead: such a one refuses nothing here.
		if pattern, err := regexp.Compile(s.Pattern); err == nil && !pattern.MatchString(text) {
			return false
		}
	}
	switch s.Format {
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339, strings.ToUpper(text))
		return err == nil
	case "ipv4", "ipv6":
		address, err := netip.ParseAddr(text)
		return err == nil && address.Is4() == (s.Format == "ipv4")
	}
	return true
}

// Elements are compared with all before them: lists of examples are short, and values of JSON make no keys of a map.
func (s *Schema) allowsList(list []any) bool {
	if !within(len(list), s.MinItems, s.MaxItems) {
		return false
	}
	for i, element := range list {
		isAgain := func(other any) bool { return same(element, other) }
		if s.UniqueItems && slices.ContainsFunc(list[:i], isAgain) || !s.Items.Allows(element) {
			return false
		}
	}
	return true
}

func (s *Schema) allowsObject(object map[string]any) bool {
	for _, name := range s.Required {
		if _, has := object[name]; !has {
			return false
		}
	}
	for name, value := range object {
		// A member that has a schema of its own is not judged by the one for all others, as JSON Schema has it.
		of := s.Property(name)
		if of == nil {
			of = s.AdditionalProperties
		}
		if !of.Allows(value) || !s.PropertyNames.Allows(name) {
			return false
		}
	}
	return within(len(object), s.MinProperties, s.MaxProperties)
}

// combines reports whether a value follows the schemas that are combined.
// OneOf asks every part, for it is broken as soon as two of them allow the value.
func (s *Schema) combines(value any) bool {
	follows := func(part *Schema) bool { return part.Allows(value) }
	refuses := func(part *Schema) bool { return !part.Allows(value) }
	return (s.Not == nil || refuses(s.Not)) && !slices.ContainsFunc(s.AllOf, refuses) &&
		(s.AnyOf == nil || slices.ContainsFunc(s.AnyOf, follows)) &&
		(s.OneOf == nil || len(slices.DeleteFunc(slices.Clone(s.OneOf), refuses)) == 1)
}
