package openapi

import (
	"fmt"
	"mime"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
)

// answerContents builds the body of an operation's answer in each of its formats.
func (b *builder) answerContents(op *compiled.Operation) openapi3.Content {
	contents := openapi3.Content{}
	if op.Relationship != nil {
		for _, f := range op.Formats {
			contents[f.MediaType] = b.contentIn(&f.Format, &schema.Schema{}, false)
		}
		return contents
	}
	of, example := b.schemas.Answer(op)
	for _, f := range op.Formats {
		switch {
		case f.JSON && f.Stream:
			contents[f.MediaType] = b.streamContent(op, example)
		case f.JSON:
			contents[f.MediaType] = &openapi3.MediaType{Schema: b.schemaRef(of), Example: example}
		case op.Lists:
			contents[f.MediaType] = b.contentIn(&f.Format, of.Items, true)
		default:
			contents[f.MediaType] = b.contentIn(&f.Format, of, false)
		}
	}
	return contents
}

// contentIn builds a body as a format describes it that is not JSON as it is.
func (b *builder) contentIn(f *format.Format, record *schema.Schema, collection bool) *openapi3.MediaType {
	if f.Schema == nil {
		return &openapi3.MediaType{Schema: b.schemaRef(stringSchema("A text of the media type " + f.MediaType + "."))}
	}
	item := func() *schema.Schema { return b.named(f, record, b.schemaIn(f, referrer{record: record}, false)) }
	if !collection {
		return &openapi3.MediaType{Schema: b.schemaRef(item())}
	}
	return &openapi3.MediaType{Schema: b.schemaRef(b.schemaIn(f, referrer{record, item}, true))}
}

// schemaIn returns what a format makes of the schema of a record.
func (b *builder) schemaIn(f *format.Format, refs referrer, collection bool) *schema.Schema {
	text := stringSchema("A text of the media type " + f.MediaType + ".")
	err := guard("Schema", func() {
		made := f.Schema([]byte(`{"$ref":"`+recordRef+`"}`), collection)
		read, err := schema.Read(jsontext.Value(made))
		if err != nil {
			b.mistakes = append(b.mistakes, fmt.Errorf("format %s: Schema returned no JSON Schema: %w", f.MediaType, err))
			return
		}
		text = refs.in(read)
	})
	if err != nil {
		b.mistakes = append(b.mistakes, fmt.Errorf("format %s: %w", f.MediaType, err))
	}
	return text
}

// named makes a definition of what a format has made of another one, if it has a name for it.
// Where that depends on the operation it stays where it is.
func (b *builder) named(f *format.Format, record, made *schema.Schema) *schema.Schema {
	if f.SchemaName == "" || record.Ref == nil || made.Ref == record.Ref {
		return made
	}
	if record.Ref.Schema.Says(made) {
		return record
	}
	if d := b.schemas.Derived(record.Ref, f.SchemaName, made); d != nil {
		return d.Ref(schema.Schema{})
	}
	return made
}

// addRefusals adds the formats that tell refusals in their own way to a refusal.
func (b *builder) addRefusals(response *openapi3.Response) {
	var example any
	if media := response.Content[problem.MediaType]; media != nil {
		example = media.Example
	}
	for _, f := range b.api.Formats {
		mediaType, _, err := mime.ParseMediaType(f.RefusalType)
		if f.RefusalSchema == nil || len(response.Content) == 0 || err != nil {
			continue
		}
		made, err := schema.Read(jsontext.Value(f.RefusalSchema))
		if err != nil {
			b.mistakes = append(b.mistakes, fmt.Errorf("format %s: RefusalSchema is no JSON Schema: %w", f.MediaType, err))
			continue
		}
		if f.SchemaName != "" {
			base := b.schemas.Fixed("Problem", problemSchema)
			made = b.schemas.Derived(&base.Definition, f.SchemaName, made).Ref(schema.Schema{})
		}
		response.Content[mediaType] = &openapi3.MediaType{Schema: b.schemaRef(made), Example: errorIn(&f.Format, example)}
	}
}
