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
	switch {
	case name == "type" && from.PeekKind() == jsontext.KindString: // a list of one, in short
		s.Type = make([]string, 1)
		return json.UnmarshalDecode(from, &s.Type[0])
	case name == "properties": // a map would lose their order
		return members(from, func(name string) error {
			inner := &Schema{}
			s.Properties = append(s.Properties, Property{name, inner})
			return inner.UnmarshalJSONFrom(from)
		})
	}
	for _, k := range s.keywords() {
		if k.name == name {
			return json.UnmarshalDecode(from, k.at)
		}
	}
	value, err := from.ReadValue()
	s.More = append(s.More, Keyword{name, value.Clone()})
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
