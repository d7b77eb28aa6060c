package openapi

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
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

// placeRecord puts a record's schema where a format refers to it.
func placeRecord(s, record *schema.Schema) *schema.Schema {
	if s == nil {
		return nil
	}
	if slices.ContainsFunc(s.More, func(k schema.Keyword) bool { return k.Name == "$ref" && string(k.Value) == `"`+recordPlace+`"` }) {
		return record
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
