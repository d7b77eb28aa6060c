package openapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/schema"
)

// responseContents builds the body of an operation's response in each of its formats.
func (b *builder) responseContents(op *compiled.Operation) (contents object) {
	of, example := b.schemas.Response(op)
	for _, f := range op.Formats {
		var body object
		switch {
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

// contentIn builds a body in a format other than plain JSON.
func (b *builder) contentIn(f *format.Format, record *schema.Schema, collection bool) object {
	if f.Schema == nil {
		return media(b.plainSchema(f), nil)
	}
	item := func() *schema.Schema { return b.named(f, record, b.schemaIn(f, referrer{record: record}, false)) }
	if !collection {
		return media(item(), nil)
	}
	return media(b.schemaIn(f, referrer{record, item}, true), nil)
}

// plainSchema returns the schema of a body in a format that has none.
func (b *builder) plainSchema(f *format.Format) *schema.Schema {
	return stringSchema("Body of media type " + f.MediaType + ".")
}

// schemaIn returns the schema that a format makes from that of a record.
func (b *builder) schemaIn(f *format.Format, refs referrer, collection bool) *schema.Schema {
	text := b.plainSchema(f)
	err := guard("Schema", func() {
		made := f.Schema([]byte(`{"$ref":"`+recordRef+`"}`), collection)
		read, err := schema.Read(made)
		if err != nil {
			b.mistakes = append(b.mistakes, fmt.Errorf("format %s: Schema did not return a JSON Schema: %w", f.MediaType, err))
			return
		}
		text = refs.in(read)
	})
	if err != nil {
		b.mistakes = append(b.mistakes, fmt.Errorf("format %s: %w", f.MediaType, err))
	}
	return text
}

// named makes a definition of the schema that a format made from another one, if the format names it. A schema that
// depends on the operation stays inline. Definitions are shorter, and some generators of clients do not make the types of
// enumerations that are inline.
func (b *builder) named(f *format.Format, record, made *schema.Schema) *schema.Schema {
	of, suffix := record.Ref, f.SchemaName
	if of == nil && len(record.AllOf) > 0 { // with embedded records
		of, suffix = record.AllOf[0].Ref, "expanded."+suffix
	}
	if f.SchemaName == "" || of == nil || made.Ref == of {
		return made
	}
	if of.Schema.SaysTheSame(made) {
		return record
	}
	if d := b.schemas.Derived(of, suffix, made); d != nil {
		return d.Ref(schema.Schema{})
	}
	return made
}

// References in schemas that formats make, because names are unknown until all schemas are.
const (
	recordRef = "#/record" // the schema of a record in JSON
	itemRef   = "#/item"   // the schema of a record in the format
)

// referrer replaces the references of a format with schemas.
type referrer struct {
	record *schema.Schema
	item   func() *schema.Schema // nil if it is the record
}

// in returns a schema with its references replaced.
func (p referrer) in(s *schema.Schema) *schema.Schema {
	if s == nil {
		return nil
	}
	for i := range s.Properties {
		s.Properties[i].Schema = p.in(s.Properties[i].Schema)
	}
	for _, list := range [][]*schema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			list[i] = p.in(list[i])
		}
	}
	if narrowed := textOf(s); narrowed != nil {
		return narrowed
	}
	s.Items, s.Not, s.AdditionalProperties = p.in(s.Items), p.in(s.Not), p.in(s.AdditionalProperties)
	at := slices.IndexFunc(s.More, func(k schema.Keyword) bool { return k.Name == "$ref" })
	var pointer string
	if at < 0 || json.Unmarshal(s.More[at].Value, &pointer) != nil {
		return s
	}
	steps, of := strings.CutPrefix(pointer, recordRef)
	switch {
	case pointer == itemRef && p.item != nil:
		return p.item()
	case !of:
		return s
	case s.Properties != nil || s.Required != nil:
		return over(partOf(p.record, strings.Split(steps, "/")[1:]), s)
	}
	return partOf(p.record, strings.Split(steps, "/")[1:])
}

// textOf returns the schema of the strings that another schema allows, if that is all that a format says of them: for a
// link, which is a reference that cannot be null. Generators of clients cannot combine the two.
func textOf(s *schema.Schema) *schema.Schema {
	if len(s.AllOf) != 2 || !s.AllOf[1].Equal(schema.Typed(schema.String)) || !slices.Contains(s.AllOf[0].Type, schema.String) || s.AllOf[0].AnyOf != nil {
		return nil
	}
	made := *s.AllOf[0]
	made.Type = []string{schema.String}
	made.Enum = slices.DeleteFunc(slices.Clone(made.Enum), func(v jsontext.Value) bool { return v.Kind() == jsontext.KindNull })
	return &made
}

// over returns an object's schema with some fields added first or replaced, without embedded records.
func over(object, members *schema.Schema) *schema.Schema {
	base := objectIn(object)
	if base == nil {
		return members
	}
	made := *base
	made.Properties, made.Required = nil, slices.Clone(members.Required)
	for _, p := range members.Properties {
		if base.Property(p.Name) == nil {
			made.Properties = append(made.Properties, p)
		}
	}
	for _, p := range base.Properties {
		if own := members.Property(p.Name); own != nil {
			p.Schema = own
		}
		made.Properties = append(made.Properties, p)
	}
	for _, name := range base.Required {
		if !slices.Contains(made.Required, name) {
			made.Required = append(made.Required, name)
		}
	}
	return &made
}

// objectIn returns the first object schema in a schema.
func objectIn(s *schema.Schema) *schema.Schema {
	if s == nil || len(s.Properties) > 0 {
		return s
	}
	if s.Ref != nil {
		return objectIn(s.Ref.Schema)
	}
	for _, one := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf) {
		if found := objectIn(one); found != nil {
			return found
		}
	}
	return nil
}

// partOf returns the part of a schema at a JSON Pointer (RFC 6901), following definitions and combined schemas. Without
// such a part, the schema allows any value.
func partOf(s *schema.Schema, steps []string) *schema.Schema {
	if len(steps) == 0 || s == nil {
		return s
	}
	switch lists := map[string][]*schema.Schema{"allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf}; {
	case steps[0] == "items" && s.Items != nil:
		return partOf(s.Items, steps[1:])
	case steps[0] == "properties" && len(steps) > 1:
		if p := s.Property(strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[1])); p != nil {
			return partOf(p, steps[2:])
		}
	case lists[steps[0]] != nil && len(steps) > 1:
		if i, err := strconv.Atoi(steps[1]); err == nil && 0 <= i && i < len(lists[steps[0]]) {
			return partOf(lists[steps[0]][i], steps[2:])
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
