package schema

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// keywords yields the keywords that have a field, in its order, with the field of the schema.
func (s *Schema) keywords(yield func(name string, field reflect.Value) bool) {
	fields := reflect.ValueOf(s).Elem()
	for i := range fields.NumField() {
		if name, ok := fields.Type().Field(i).Tag.Lookup("json"); ok && !yield(name, fields.Field(i)) {
			return
		}
	}
}

// Keywords yields the keywords that a schema has, in order, with refs in front of the names of definitions. A value
// is a bool, a string, []string, a uint64, jsontext.Value or a list of it, *Schema or a list of it, or []Property.
// A boolean schema has none.
func (s *Schema) Keywords(refs string) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		if s.Ref != nil && !yield("$ref", refs+s.Ref.Name) {
			return
		}
		for name, field := range s.keywords {
			isSet := !field.IsZero() && (field.Kind() != reflect.Slice || field.Len() > 0)
			if isSet && !yield(name, s.valueOf(name, field.Interface())) {
				return
			}
		}
		for _, k := range s.More {
			if !yield(k.Name, k.Value) {
				return
			}
		}
	}
}

// valueOf returns the value of a keyword that is set.
func (s *Schema) valueOf(name string, value any) any {
	switch own := value.(type) {
	case *uint64: // a limit of 0 is set: "at most 0" differs from no limit
		return *own
	case Decimal:
		return jsontext.Value(own)
	case []*Schema:
		return s.typed(own)
	}
	if name == "type" && len(s.Type) == 1 {
		return s.Type[0]
	}
	return value
}

// typed returns the parts of allOf, anyOf or oneOf with the types of the schema, if they have none. They mean the same,
// but generators of clients look at each part alone, and know nothing of one without a type.
func (s *Schema) typed(parts []*Schema) []*Schema {
	types := s.Type
	if slices.ContainsFunc(parts, func(part *Schema) bool { return slices.Equal(part.Type, []string{Null}) }) {
		types = slices.DeleteFunc(slices.Clone(types), func(name string) bool { return name == Null })
	}
	if len(types) == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	for i, part := range parts {
		if part.Type == nil && part.Ref == nil && part.Always == nil {
			copied := *part
			copied.Type = types
			parts[i] = &copied
		}
	}
	return parts
}

// Text returns the schema as JSON, with its keywords and properties in order, and refs in front of the names of definitions.
func (s *Schema) Text(refs string) []byte { return s.append(nil, refs) }

// SelfContained returns the schema as JSON with all its definitions below $defs, so that it can be read alone. Agents need
// that, because their schemas have no document around them.
func (s *Schema) SelfContained() []byte {
	const refs = "#/$defs/"
	text := s.append(nil, refs)
	definitions := s.Definitions()
	if len(definitions) == 0 || s.Always != nil {
		return text
	}
	text = append(text[:len(text)-1], `,"$defs":{`...) // there is a reference, so there is a keyword
	for i, d := range definitions {
		if i > 0 {
			text = append(text, ',')
		}
		text = d.Schema.append(appendName(text, d.Name), refs)
	}
	return append(text, "}}"...)
}

// Definitions lists the definitions that a schema leads to, each once, in the order of first use. Recursive types
// make cycles.
func (s *Schema) Definitions() []*Definition {
	var found []*Definition
	var collect func(inner *Schema)
	collect = func(inner *Schema) {
		if inner.Ref != nil && !slices.Contains(found, inner.Ref) {
			found = append(found, inner.Ref)
			inner.Ref.Schema.Each(collect)
		}
	}
	s.Each(collect)
	return found
}

// Each calls do with the schema and all schemas in it. It stops at references, so that it ends for recursive types.
// Use [Schema.Definitions] to follow them.
func (s *Schema) Each(do func(*Schema)) {
	if s == nil {
		return
	}
	do(s)
	for _, part := range s.parts() {
		(*part).Each(do)
	}
}

// append appends the schema to text as JSON, with refs in front of the names of definitions.
func (s *Schema) append(text []byte, refs string) []byte {
	if s.Always != nil {
		return strconv.AppendBool(text, *s.Always)
	}
	start := len(text)
	for name, value := range s.Keywords(refs) {
		text = appendValue(appendName(append(text, ','), name), refs, value)
	}
	if len(text) == start {
		return append(text, "{}"...)
	}
	text[start] = '{' // replaces the first comma
	return append(text, '}')
}

// appendValue appends the value of a keyword.
func appendValue(text []byte, refs string, value any) []byte {
	switch v := value.(type) {
	case *Schema:
		return v.append(text, refs)
	case []*Schema:
		for i, part := range v {
			text = part.append(append(text, "[,"[min(i, 1)]), refs)
		}
		return append(text, ']')
	case []Property:
		for i, p := range v {
			text = p.Schema.append(appendName(append(text, "{,"[min(i, 1)]), p.Name), refs)
		}
		return append(text, '}')
	}
	return append(text, ValueOf(value)...)
}

func appendName(text []byte, name string) []byte { return append(append(text, ValueOf(name)...), ':') }

// Read reads a schema from JSON. Unknown keywords go into More, and so does $ref, because its target is in another
// document. The error names a keyword with an invalid value.
func Read(text []byte) (*Schema, error) {
	s := &Schema{}
	return s, json.Unmarshal(text, s)
}

// UnmarshalJSONFrom reads the schema as [Read] does. With it, nested schemas and lists are read in one pass.
func (s *Schema) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	*s = Schema{}
	switch kind := from.PeekKind(); kind {
	case jsontext.KindTrue, jsontext.KindFalse:
		s.Always = new(kind == jsontext.KindTrue)
		return from.SkipValue()
	}
	return eachField(from, func(name string) error {
		if err := s.read(name, from); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

// eachField calls do with the name of each field of an object, in order. Do reads the value. It goes token by token,
// because a map would lose the order.
func eachField(from *jsontext.Decoder, do func(name string) error) error {
	if kind := from.PeekKind(); kind != jsontext.KindBeginObject {
		text, err := from.ReadValue()
		return cmp.Or(err, fmt.Errorf("is %.20s, want an object", text))
	}
	_, err := from.ReadToken()
	for err == nil && from.PeekKind() != jsontext.KindEndObject {
		var name jsontext.Token
		if name, err = from.ReadToken(); err == nil {
			err = do(name.String())
		}
	}
	if err == nil {
		_, err = from.ReadToken()
	}
	return err
}

// read reads one keyword.
func (s *Schema) read(name string, from *jsontext.Decoder) error {
	switch {
	case name == "type" && from.PeekKind() == jsontext.KindString: // short for a list of one
		s.Type = make([]string, 1)
		return json.UnmarshalDecode(from, &s.Type[0])
	case name == "properties": // a map would lose their order
		return eachField(from, func(name string) error {
			inner := &Schema{}
			s.Properties = append(s.Properties, Property{name, inner})
			return inner.UnmarshalJSONFrom(from)
		})
	}
	for known, field := range s.keywords {
		if known == name {
			return json.UnmarshalDecode(from, field.Addr().Interface())
		}
	}
	value, err := from.ReadValue()
	s.More = append(s.More, Keyword{name, value.Clone()})
	return err
}

// UnmarshalJSON keeps the number as it is written, because a float64 would round a bound.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	if jsontext.Value(text).Kind() != jsontext.KindNumber {
		return fmt.Errorf("is %.20s, want a number", text)
	}
	*d = Decimal(text)
	return nil
}
