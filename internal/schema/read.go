package schema

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Read reads a schema from JSON. Keywords that Schema has no field for are in More, $ref among
// them: what it leads to is not read. An error tells which keyword has a value that it cannot have.
// References stay text here: what they lead to is in a document that the reader of a keyword or of
// a format's schema does not have.
func Read(text jsontext.Value) (*Schema, error) {
	s := &Schema{}
	return s, json.Unmarshal(text, s)
}

// UnmarshalJSONFrom reads the schema as [Read] does.
// It is what lets encoding read the schemas within schemas, and their lists, in one pass.
func (s *Schema) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	*s = Schema{}
	switch kind := from.PeekKind(); kind {
	case jsontext.KindTrue, jsontext.KindFalse:
		s.Always = new(kind == jsontext.KindTrue)
		return from.SkipValue()
	}
	return members(from, func(name string) error {
		if err := s.read(name, from); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

// members calls do with the name of each member of an object, in order. It reads the value.
// Token by token, since a map would lose the order that the author gave the members.
func members(from *jsontext.Decoder, do func(name string) error) error {
	if kind := from.PeekKind(); kind != jsontext.KindBeginObject {
		text, err := from.ReadValue()
		return cmp.Or(err, fmt.Errorf("is %.20s, want an object", text))
	}
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	for from.PeekKind() != jsontext.KindEndObject {
		name, err := from.ReadToken()
		if err != nil {
			return err
		}
		if err := do(name.String()); err != nil {
			return err
		}
	}
	_, err := from.ReadToken()
	return err
}

// read reads one keyword.
func (s *Schema) read(name string, from *jsontext.Decoder) error {
	if into := s.keyword(name); into != nil {
		return json.UnmarshalDecode(from, into)
	}
	switch {
	case name == "type" && from.PeekKind() == jsontext.KindString: // a list of one, in short
		s.Type = make([]string, 1)
		return json.UnmarshalDecode(from, &s.Type[0])
	case name == "type":
		return json.UnmarshalDecode(from, &s.Type)
	case name == "properties": // a map would lose their order
		return members(from, func(name string) error {
			inner := &Schema{}
			s.Properties = append(s.Properties, Property{name, inner})
			return inner.UnmarshalJSONFrom(from)
		})
	}
	value, err := from.ReadValue()
	s.More = append(s.More, Keyword{name, value.Clone()})
	return err
}

// keyword returns where a keyword that is read as it is written has its value, nil for others.
//
//nolint:cyclop // a table that points into this schema, and need not be made for each keyword
func (s *Schema) keyword(name string) any {
	switch name {
	case "format":
		return &s.Format
	case "title":
		return &s.Title
	case "description":
		return &s.Description
	case "readOnly":
		return &s.ReadOnly
	case "writeOnly":
		return &s.WriteOnly
	case "default":
		return &s.Default
	case "examples":
		return &s.Examples
	case "const":
		return &s.Const
	case "enum":
		return &s.Enum
	case "minLength":
		return &s.MinLength
	case "maxLength":
		return &s.MaxLength
	case "pattern":
		return &s.Pattern
	case "contentEncoding":
		return &s.ContentEncoding
	case "contentMediaType":
		return &s.ContentMediaType
	case "minimum":
		return &s.Min
	case "maximum":
		return &s.Max
	case "exclusiveMinimum":
		return &s.ExclusiveMin
	case "exclusiveMaximum":
		return &s.ExclusiveMax
	case "minItems":
		return &s.MinItems
	case "maxItems":
		return &s.MaxItems
	case "uniqueItems":
		return &s.UniqueItems
	case "minProperties":
		return &s.MinProperties
	case "maxProperties":
		return &s.MaxProperties
	case "required":
		return &s.Required
	}
	return s.applicator(name)
}

// applicator returns where a keyword has its schemas, nil for one that has none.
func (s *Schema) applicator(name string) any {
	switch name {
	case "items":
		return &s.Items
	case "additionalProperties":
		return &s.AdditionalProperties
	case "propertyNames":
		return &s.PropertyNames
	case "not":
		return &s.Not
	case "allOf":
		return &s.AllOf
	case "anyOf":
		return &s.AnyOf
	case "oneOf":
		return &s.OneOf
	}
	return nil
}

// UnmarshalJSON keeps the number as it is written.
// To read a float64 here and write it again would round a bound that the user has set.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	if jsontext.Value(text).Kind() != jsontext.KindNumber {
		return fmt.Errorf("is %.20s, want a number", text)
	}
	*d = Decimal(text)
	return nil
}
