package schema

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Read reads a schema from JSON. Keywords that Schema has no field for are in More, $ref among
// them: what it leads to is not read. An error tells which keyword has a value that it cannot have.
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

// read reads one keyword.
func (s *Schema) read(name string, value jsontext.Value) (err error) {
	if into := s.target(name); into != nil {
		return json.Unmarshal(value, into)
	}
	switch name {
	case "type":
		return s.readType(value)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		if value.Kind() != jsontext.KindNumber {
			return fmt.Errorf("is %.20s, want a number", value)
		}
		into := map[string]*Decimal{"minimum": &s.Min, "maximum": &s.Max, "exclusiveMinimum": &s.ExclusiveMin, "exclusiveMaximum": &s.ExclusiveMax}
		*into[name] = Decimal(value)
	case "items":
		s.Items, err = Read(value)
	case "not":
		s.Not, err = Read(value)
	case "additionalProperties":
		s.AdditionalProperties, err = Read(value)
	case "propertyNames":
		s.PropertyNames, err = Read(value)
	case "allOf":
		s.AllOf, err = readAll(value)
	case "anyOf":
		s.AnyOf, err = readAll(value)
	case "oneOf":
		s.OneOf, err = readAll(value)
	case "properties":
		return members(value, func(name string, value jsontext.Value) error {
			inner, err := Read(value)
			s.Properties = append(s.Properties, Property{name, inner})
			return err
		})
	default:
		s.More = append(s.More, Keyword{name, value})
	}
	return err
}

// target returns where a keyword is kept whose value is read as it is, nil for any other.
func (s *Schema) target(name string) any {
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
	return nil
}

func (s *Schema) readType(value jsontext.Value) error {
	if value.Kind() == jsontext.KindString {
		s.Type = make([]string, 1)
		return json.Unmarshal(value, &s.Type[0])
	}
	return json.Unmarshal(value, &s.Type)
}

func readAll(value jsontext.Value) ([]*Schema, error) {
	var texts []jsontext.Value
	if err := json.Unmarshal(value, &texts); err != nil {
		return nil, err
	}
	list := make([]*Schema, len(texts))
	for i, text := range texts {
		var err error
		if list[i], err = Read(text); err != nil {
			return nil, err
		}
	}
	return list, nil
}
