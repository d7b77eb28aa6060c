package schema

import (
	"bytes"
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
	switch text.Kind() {
	case jsontext.KindTrue, jsontext.KindFalse:
		s.Always = new(text.Kind() == jsontext.KindTrue)
		return s, nil
	}
	err := members(text, func(name string, value jsontext.Value) error {
		if err := s.read(name, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	return s, err
}

// members calls do with each member of an object, in order.
func members(text jsontext.Value, do func(name string, value jsontext.Value) error) error {
	// Token by token, since a map would lose the order that the author gave the members.
	from := jsontext.NewDecoder(bytes.NewReader(text))
	if kind := from.PeekKind(); kind != jsontext.KindBeginObject {
		return fmt.Errorf("is %.20s, want an object", text)
	}
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	for from.PeekKind() != jsontext.KindEndObject {
		token, err := from.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		value, err := from.ReadValue()
		if err != nil {
			return err
		}
		if err := do(name, value.Clone()); err != nil {
			return err
		}
	}
	return nil
}

// read reads one keyword. Schemas in it are read by UnmarshalJSON.
// The table is made anew for each keyword, because it points into this schema. Schemas are read
// while documents are made, of which there are few.
func (s *Schema) read(name string, value jsontext.Value) error {
	into, known := map[string]any{
		"format": &s.Format, "title": &s.Title, "description": &s.Description, "readOnly": &s.ReadOnly, "writeOnly": &s.WriteOnly,
		"default": &s.Default, "examples": &s.Examples, "const": &s.Const, "enum": &s.Enum,
		"minLength": &s.MinLength, "maxLength": &s.MaxLength, "pattern": &s.Pattern,
		"contentEncoding": &s.ContentEncoding, "contentMediaType": &s.ContentMediaType,
		"minimum": &s.Min, "maximum": &s.Max, "exclusiveMinimum": &s.ExclusiveMin, "exclusiveMaximum": &s.ExclusiveMax,
		"minItems": &s.MinItems, "maxItems": &s.MaxItems, "uniqueItems": &s.UniqueItems, "items": &s.Items,
		"minProperties": &s.MinProperties, "maxProperties": &s.MaxProperties, "required": &s.Required,
		"additionalProperties": &s.AdditionalProperties, "propertyNames": &s.PropertyNames,
		"not": &s.Not, "allOf": &s.AllOf, "anyOf": &s.AnyOf, "oneOf": &s.OneOf,
	}[name]
	switch {
	case known:
		return json.Unmarshal(value, into)
	case name == "type" && value.Kind() == jsontext.KindString: // a list of one, in short
		s.Type = make([]string, 1)
		return json.Unmarshal(value, &s.Type[0])
	case name == "type":
		return json.Unmarshal(value, &s.Type)
	case name == "properties": // a map would lose their order
		return members(value, func(name string, value jsontext.Value) error {
			inner, err := Read(value)
			s.Properties = append(s.Properties, Property{name, inner})
			return err
		})
	}
	s.More = append(s.More, Keyword{name, value})
	return nil
}

// UnmarshalJSON reads the schema as [Read] does.
// It is what lets encoding read the schemas within schemas, and their lists.
func (s *Schema) UnmarshalJSON(text []byte) error {
	made, err := Read(text)
	*s = *made
	return err
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
