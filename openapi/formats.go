package openapi

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
)

// answerContents builds the body of an operation's answer in each of its formats.
func (b *builder) answerContents(op *compiled.Operation) openapi3.Content {
	contents, plain := openapi3.Content{}, b.answerContent(op)
	for i := range op.Formats {
		f := &op.Formats[i].Format
		switch {
		case f.JSON && f.Stream:
			contents[f.MediaType] = b.streamContent(op, plain.Example)
		case f.JSON:
			contents[f.MediaType] = plain
		default:
			ref := func() *openapi3.SchemaRef {
				if op.Handler != nil {
					return b.answerValue(op).schemaRef()
				}
				return b.recordValue(op, false).schemaRef()
			}
			contents[f.MediaType] = b.contentIn(f, op.IsCollection(), ref)
		}
	}
	return contents
}

// bodyContent builds the body of a request in a format that is not JSON as it is.
func (b *builder) bodyContent(f *format.Format, body *definition) *openapi3.MediaType {
	return b.contentIn(f, false, func() *openapi3.SchemaRef { return body.ref(nil) })
}

// recordPlace stands for the schema of a record in what a format makes of it, for schemas
// have no names before all of them are known.
const recordPlace = "#/record"

// contentIn builds a body as a format describes it. Ref makes a reference to the schema of a
// record.
func (b *builder) contentIn(f *format.Format, collection bool, ref func() *openapi3.SchemaRef) *openapi3.MediaType {
	if f.Schema == nil {
		return &openapi3.MediaType{Schema: openapi3.NewSchemaRef("", stringSchema("A text of the media type "+f.MediaType+"."))}
	}
	made := &openapi3.SchemaRef{}
	text := f.Schema(json.RawMessage(`{"$ref":"`+recordPlace+`"}`), collection)
	if err := json.Unmarshal(text, made); err != nil {
		b.mistakes = append(b.mistakes, fmt.Errorf("format %s: Schema returned no JSON Schema: %w", f.MediaType, err))
		return &openapi3.MediaType{}
	}
	return &openapi3.MediaType{Schema: placeRecord(made, ref)}
}

// placeRecord puts a record's schema where it belongs.
func placeRecord(at *openapi3.SchemaRef, ref func() *openapi3.SchemaRef) *openapi3.SchemaRef {
	switch {
	case at == nil:
		return nil
	case at.Ref == recordPlace:
		return ref()
	case at.Value == nil:
		return at
	}
	s := at.Value
	for name, property := range s.Properties {
		s.Properties[name] = placeRecord(property, ref)
	}
	for _, list := range []openapi3.SchemaRefs{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			list[i] = placeRecord(list[i], ref)
		}
	}
	s.Items, s.Not = placeRecord(s.Items, ref), placeRecord(s.Not, ref)
	s.AdditionalProperties.Schema = placeRecord(s.AdditionalProperties.Schema, ref)
	return at
}

// addMediaTypes adds those of a format to a list that documents are ordered by. A Patch has
// some of its own, which come first.
func addMediaTypes(list []string, f *format.Format) []string {
	for _, name := range append(slices.Concat(f.Patches, f.Reads), f.MediaType) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
