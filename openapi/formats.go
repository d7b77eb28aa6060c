package openapi

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/schema"
)

// answerContents builds the body of an operation's answer in each of its formats.
func (b *builder) answerContents(op *compiled.Operation) (contents object) {
	var of *schema.Schema
	var example any
	if op.Relationship == nil {
		of, example = b.schemas.Answer(op)
	}
	for _, f := range op.Formats {
		var body object
		switch {
		case op.Relationship != nil:
			body = b.contentIn(&f.Format, &schema.Schema{}, false)
		case f.JSON && f.Stream:
			body = b.streamContent(op, example)
		case f.JSON:
			body = media(of, example)
		case op.Lists:
			body = b.contentIn(&f.Format, of.Items, true)
		default:
			body = b.contentIn(&f.Format, of, false)
		}
		contents = append(contents, member{f.MediaType, body})
	}
	return contents
}

// contentIn builds a body as a format describes it that is not JSON as it is.
func (b *builder) contentIn(f *format.Format, record *schema.Schema, collection bool) object {
	if f.Schema == nil {
		return media(stringSchema("A text of the media type "+f.MediaType+"."), nil)
	}
	item := func() *schema.Schema { return b.named(f, record, b.schemaIn(f, referrer{record: record}, false)) }
	if !collection {
		return media(item(), nil)
	}
	return media(b.schemaIn(f, referrer{record, item}, true), nil)
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

// relationshipBody builds the body of requests that change a reference of a record alone. What rules
// say of how many there may be is about the list that is sent in place of another one: of what is added or
// taken away it says nothing.
func (b *builder) relationshipBody(op *compiled.Operation, f *format.Format) object {
	made := b.schemaIn(f, referrer{record: &schema.Schema{}}, false)
	whole := b.schemas.BodySchema(op, "")
	list := slices.IndexFunc(made.Properties, func(p schema.Property) bool { return p.Schema.Items != nil })
	if list >= 0 && op.Relationship.Change == compiled.Replaces {
		limits, data := partOf(whole, []string{"properties", jsonPointer.Replace(op.Relationship.Field.Name)}), made.Properties[list].Schema
		data.MinItems, data.MaxItems, data.UniqueItems = limits.MinItems, limits.MaxItems, limits.UniqueItems
	}
	return media(made, nil)
}
