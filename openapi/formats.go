package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/schema"
)

// answerContents builds the body of an operation's answer in each of its formats.
func (b *builder) answerContents(op *compiled.Operation) openapi3.Content {
	contents := openapi3.Content{}
	of, example := b.schemas.Answer(op)
	for _, f := range op.Formats {
		switch {
		case f.JSON && f.Stream:
			contents[f.MediaType] = b.streamContent(op, example)
		case f.JSON:
			contents[f.MediaType] = &openapi3.MediaType{Schema: b.schemaRef(of), Example: example}
		case op.AnswersMany():
			contents[f.MediaType] = b.contentIn(&f.Format, of.Items, true)
		default:
			contents[f.MediaType] = b.contentIn(&f.Format, of, false)
		}
	}
	return contents
}

// recordPlace stands for the schema of a record in what a format makes of it, for schemas
// have no names before all of them are known.
const recordPlace = "#/record"

// contentIn builds a body as a format describes it that is not JSON as it is.
func (b *builder) contentIn(f *format.Format, record *schema.Schema, collection bool) *openapi3.MediaType {
	text := stringSchema("A text of the media type " + f.MediaType + ".")
	if f.Schema == nil {
		return &openapi3.MediaType{Schema: b.schemaRef(text)}
	}
	err := guard("Schema", func() {
		made := f.Schema([]byte(`{"$ref":"`+recordPlace+`"}`), collection)
		read, err := schema.Read(jsontext.Value(made))
		if err != nil {
			b.mistakes = append(b.mistakes, fmt.Errorf("format %s: Schema returned no JSON Schema: %w", f.MediaType, err))
			return
		}
		text = placeRecord(read, record)
	})
	if err != nil {
		b.mistakes = append(b.mistakes, fmt.Errorf("format %s: %w", f.MediaType, err))
	}
	return &openapi3.MediaType{Schema: b.schemaRef(text)}
}

// placeRecord puts a record's schema, and parts of it, where a format refers to them.
func placeRecord(s, record *schema.Schema) *schema.Schema {
	if s == nil {
		return nil
	}
	for _, k := range s.More {
		var pointer string
		if k.Name == "$ref" && json.Unmarshal(k.Value, &pointer) == nil && strings.HasPrefix(pointer, recordPlace) {
			return partOf(record, strings.Split(strings.TrimPrefix(pointer, recordPlace), "/")[1:])
		}
	}
	for i := range s.Properties {
		s.Properties[i].Schema = placeRecord(s.Properties[i].Schema, record)
	}
	for _, list := range [][]*schema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			list[i] = placeRecord(list[i], record)
		}
	}
	s.Items, s.Not = placeRecord(s.Items, record), placeRecord(s.Not, record)
	s.AdditionalProperties = placeRecord(s.AdditionalProperties, record)
	return s
}

// partOf returns the part of a schema that a JSON Pointer (RFC 6901) leads to, by members and
// elements: through definitions, and whatever else a schema consists of. It is any value where
// there is no such part.
func partOf(s *schema.Schema, steps []string) *schema.Schema {
	if len(steps) == 0 || s == nil {
		return s
	}
	switch {
	case steps[0] == "items" && s.Items != nil:
		return partOf(s.Items, steps[1:])
	case steps[0] == "properties" && len(steps) > 1:
		if p := s.Property(strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[1])); p != nil {
			return partOf(p, steps[2:])
		}
	}
	inner := slices.Concat(s.AllOf, s.AnyOf, s.OneOf)
	if s.Ref != nil {
		inner = append(inner, s.Ref.Schema)
	}
	for _, one := range inner {
		if found := partOf(one, steps); found != nil && !found.IsEmpty() {
			return found
		}
	}
	return &schema.Schema{}
}
