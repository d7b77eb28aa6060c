// Package schema represents JSON Schema (2020-12) as plain data, with the keywords that this module writes in a
// fixed order. The OpenAPI document, the tools for agents and tests all read the same schemas and convert them as
// they need.
package schema

import (
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// The names of types.
const (
	Boolean = "boolean"
	Integer = "integer"
	Number  = "number"
	String  = "string"
	Array   = "array"
	Object  = "object"
	Null    = "null"
)

// Schema says which JSON values are valid, and what they mean. A keyword with its zero value is not set, so the
// zero Schema accepts everything. Lists keep their order. A schema with a reference may have other keywords, which
// apply too.
type Schema struct {
	Always *bool       // true accepts everything, false nothing; other keywords are then ignored
	Ref    *Definition // a definition that values must follow too; nil for none

	// The keywords, by their names in JSON, in reading order: first what a schema is, then its limits, and last what
	// combines schemas.
	Title       string           `json:"title"`
	Type        []string         `json:"type"` // any of these; nil for all
	Format      string           `json:"format"`
	Description string           `json:"description"`
	Required    []string         `json:"required"`
	ReadOnly    bool             `json:"readOnly"`
	WriteOnly   bool             `json:"writeOnly"`
	Default     jsontext.Value   `json:"default"`
	Examples    []jsontext.Value `json:"examples"`
	Const       jsontext.Value   `json:"const"`
	Enum        []jsontext.Value `json:"enum"`

	MinLength        uint64  `json:"minLength"`
	MaxLength        *uint64 `json:"maxLength"`
	Pattern          string  `json:"pattern"` // in the syntax of ECMA-262, with the flag u; see [Compile]
	ContentEncoding  string  `json:"contentEncoding"`
	ContentMediaType string  `json:"contentMediaType"`
	ContentSchema    *Schema `json:"contentSchema"` // of the value in a string

	Min          Decimal `json:"minimum"`
	ExclusiveMin Decimal `json:"exclusiveMinimum"`
	Max          Decimal `json:"maximum"`
	ExclusiveMax Decimal `json:"exclusiveMaximum"`

	MinItems    uint64  `json:"minItems"`
	MaxItems    *uint64 `json:"maxItems"`
	UniqueItems bool    `json:"uniqueItems"`
	Items       *Schema `json:"items"`

	MinProperties        uint64     `json:"minProperties"`
	MaxProperties        *uint64    `json:"maxProperties"`
	Properties           []Property `json:"properties"` // in the order in which they are written
	AdditionalProperties *Schema    `json:"additionalProperties"`
	PropertyNames        *Schema    `json:"propertyNames"`

	Not   *Schema   `json:"not"`
	AllOf []*Schema `json:"allOf"`
	AnyOf []*Schema `json:"anyOf"`
	OneOf []*Schema `json:"oneOf"`

	More []Keyword // keywords of users, unchanged
}

// Property is a property of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// Keyword is a keyword without a field in Schema. Extensions and keywords of other drafts are kept unchanged for
// the readers that know them.
type Keyword struct {
	Name  string
	Value jsontext.Value
}

// Definition is a schema that others refer to. They refer to it by pointer, because its name is only final when all
// types are known: two types may have the same name.
type Definition struct {
	Name   string
	Schema *Schema
}

// Typed returns a schema for the values of one type.
func Typed(name string) *Schema { return &Schema{Type: []string{name}} }

// Constant returns a schema for a single value.
func Constant(value any) *Schema { return &Schema{Const: ValueOf(value)} }

// Inverse returns a schema for all values that another one rejects.
func Inverse(of *Schema) *Schema { return &Schema{Not: of} }

// Nothing returns a schema that rejects every value. As additionalProperties it is written as false.
func Nothing() *Schema { return &Schema{Always: new(false)} }

// Property returns the schema of a property, nil if the object has none of that name. Objects have few properties,
// so it searches a list.
func (s *Schema) Property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// parts lists where the schemas directly inside it are.
func (s *Schema) parts() (list []**Schema) {
	for i := range s.Properties {
		list = append(list, &s.Properties[i].Schema)
	}
	for _, part := range []**Schema{&s.AdditionalProperties, &s.PropertyNames, &s.Items, &s.Not, &s.ContentSchema} {
		if *part != nil {
			list = append(list, part)
		}
	}
	for _, several := range [][]*Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range several {
			list = append(list, &several[i])
		}
	}
	return list
}

// Copy returns a copy in which a function has replaced each schema directly inside it. It stops at references.
func (s *Schema) Copy(with func(*Schema) *Schema) *Schema {
	made := *s
	made.Properties = slices.Clone(s.Properties)
	made.AllOf, made.AnyOf, made.OneOf = slices.Clone(s.AllOf), slices.Clone(s.AnyOf), slices.Clone(s.OneOf)
	for _, part := range made.parts() {
		*part = with(*part)
	}
	return &made
}

// IsEmpty reports whether a schema has no keyword, or is nil.
func (s *Schema) IsEmpty() bool { return s == nil || reflect.ValueOf(s).Elem().IsZero() }

// Equal reports whether two schemas have the same keywords, with equal values in the same order. Definitions may
// refer to themselves.
func (s *Schema) Equal(other *Schema) bool { return reflect.DeepEqual(s, other) }

// SaysTheSame reports whether another schema has the same keywords, regardless of the order of properties.
func (s *Schema) SaysTheSame(other *Schema) bool {
	if s == nil || other == nil {
		return s == other
	}
	sorted := func(of *Schema) *Schema {
		made := *of
		made.Properties, made.Required = slices.Clone(of.Properties), slices.Clone(of.Required)
		slices.SortFunc(made.Properties, func(a, b Property) int { return strings.Compare(a.Name, b.Name) })
		slices.Sort(made.Required)
		return &made
	}
	return sorted(s).Equal(sorted(other))
}

// Allows reports whether a value itself is valid by the schema. It does not check elements and fields, whose schemas
// have been asked already. The value must come from [Go]. It checks the formats of dates, times and IP addresses only. It
// ignores keywords in More, and patterns that Go cannot parse.
func (s *Schema) Allows(value any) bool {
	switch {
	case s == nil:
		return true
	case s.Always != nil:
		return *s.Always
	}
	return s.allowsType(value) && s.lists(value) && s.isWithinLimits(value) && s.combines(value)
}

// Not with kin-openapi's validator: there is no document yet, and it treats formats and integers beyond 2^53
// differently from the service.

// allowsType reports whether a value has one of the types. JSON Schema counts 1.0 as an integer (2020-12
// Validation, section 6.1.1), and so does the service.
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

// lists reports whether a value is the constant and in the enumeration. It compares values, not text: an enum of
// 1.0 accepts 1.
func (s *Schema) lists(value any) bool {
	isValue := func(text jsontext.Value) bool { return same(Go(text), value) }
	return (s.Const == nil || isValue(s.Const)) && (s.Enum == nil || slices.ContainsFunc(s.Enum, isValue))
}

// same reports whether two values are equal in JSON, where 1 is 1.0.
func same(a, b any) bool {
	// JSON has one kind of number, but as Go values 1, 1.0 and uint64(1) differ.
	if x, ok := decimalOf(a); ok {
		y, ok := decimalOf(b)
		return ok && x.Compare(y) == 0
	}
	return reflect.DeepEqual(a, b)
}

// Numbers are compared as decimals, because float64 cannot represent large integers: a maximum of
// 9223372036854775807 would accept too much.
func decimalOf(value any) (Decimal, bool) {
	switch value.(type) {
	case int64, uint64, float64:
		return Decimal(ValueOf(value)), true
	}
	return "", false
}

// isWithinLimits reports whether a value follows the keywords for its type.
func (s *Schema) isWithinLimits(value any) bool {
	switch v := value.(type) {
	case string:
		return s.allowsText(v)
	case []any:
		if !within(len(v), s.MinItems, s.MaxItems) {
			return false
		}
		for i, element := range v { // every element is compared with all before it: lists of examples are short
			isAgain := func(other any) bool { return same(element, other) }
			if s.UniqueItems && slices.ContainsFunc(v[:i], isAgain) {
				return false
			}
		}
		return true
	case map[string]any:
		return within(len(v), s.MinProperties, s.MaxProperties)
	}
	number, ok := decimalOf(value)
	return !ok || (s.Min == "" || number.Compare(s.Min) >= 0) && (s.Max == "" || number.Compare(s.Max) <= 0) &&
		(s.ExclusiveMin == "" || number.Compare(s.ExclusiveMin) > 0) && (s.ExclusiveMax == "" || number.Compare(s.ExclusiveMax) < 0)
}

// within treats nil as no maximum, because 0 would accept only empty values.
func within(length int, least uint64, most *uint64) bool {
	n := uint64(length) //nolint:gosec // no length is negative
	return n >= least && (most == nil || n <= *most)
}

// Lengths count characters, as in JSON Schema and the rules of tags.
func (s *Schema) allowsText(text string) bool {
	if !within(utf8.RuneCountInString(text), s.MinLength, s.MaxLength) {
		return false
	}
	if s.Pattern != "" {
		// Go lacks the look-ahead of ECMA-262. Such a pattern rejects nothing here.
		if pattern, err := Compile(s.Pattern); err == nil && !pattern.MatchString(text) {
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

// combines reports whether a value follows allOf, anyOf, oneOf and not. OneOf checks every part, because two
// matches break it.
func (s *Schema) combines(value any) bool {
	follows := func(part *Schema) bool { return part.Allows(value) }
	refuses := func(part *Schema) bool { return !part.Allows(value) }
	return (s.Not == nil || refuses(s.Not)) && !slices.ContainsFunc(s.AllOf, refuses) &&
		(s.AnyOf == nil || slices.ContainsFunc(s.AnyOf, follows)) &&
		(s.OneOf == nil || len(slices.DeleteFunc(slices.Clone(s.OneOf), refuses)) == 1)
}
