package hal

import (
	"encoding/json"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// schemas describes the values of one type by references to parts of the schema of its JSON.
type schemas struct {
	relations

	typ *format.Type
}

type object = map[string]any

// of returns the schema of a record, or of a page for a collection.
func (s schemas) of(_ json.RawMessage, collection bool) json.RawMessage {
	made := s.value(s.typ, "#/record", s.typ.Request)
	switch {
	case collection:
		item := made
		if s.typ.Kind == format.Object {
			item = object{"$ref": "#/item"}
		}
		made = object{
			"type":     "object",
			"required": []string{"_links", "_embedded"},
			"properties": object{
				"_links":     s.pages(),
				"_embedded":  object{"type": "object", "required": []string{"item"}, "properties": object{"item": object{"type": "array", "items": item}}},
				"totalItems": object{"type": "integer", "minimum": 0, "description": "The number of records on all pages."},
			},
		}
	case s.typ.Request:
	case s.typ.Kind != format.Object:
		made = valueSchema(made)
	case s.typ.Nullable:
		made = object{"anyOf": []object{made, valueSchema(object{"type": "null"})}}
	}
	return scan.Schema(made)
}

// valueSchema returns the schema of an object around a value that is not an object.
func valueSchema(of object) object {
	return object{"type": "object", "required": []string{"value"}, "properties": object{"value": of}}
}

// pages returns the schema of the links of a page.
func (s schemas) pages() object {
	if s.typ.NoPath {
		return object{"type": "object"}
	}
	links := object{}
	for _, relation := range []string{"self", "first", "prev", "next", "last", "search"} {
		links[relation] = linkSchema()
	}
	return object{"type": "object", "required": []string{"self"}, "properties": links}
}

// value returns the schema of a value whose JSON has the schema at the pointer.
func (s schemas) value(t *format.Type, at string, request bool) object {
	switch {
	case t.Kind == format.List && t.Elem.Kind == format.Object:
		return object{"type": "array", "items": s.value(t.Elem, at+"/items", request)}
	case t.Kind != format.Object:
		return object{"$ref": at}
	case request:
		return s.body(t, at)
	}
	properties, required := object{}, []string{}
	for i := range t.Fields {
		m := &t.Fields[i]
		if !m.Readable || m.Reference != nil {
			continue
		}
		properties[m.Name] = object{"$ref": at + "/properties/" + scan.Escape(m.Name)}
		if m.Required {
			required = append(required, m.Name)
		}
	}
	if links, always := s.links(t, at, false); len(links) > 0 {
		properties["_links"] = object{"type": "object", "properties": links, "required": always}
		if len(always) > 0 {
			required = append(required, "_links")
		}
	}
	embedded := object{}
	for i := range t.Fields {
		if m := &t.Fields[i]; m.Embedded != nil {
			embedded[s.prefix+m.Name] = s.embedded(m, at)
		}
	}
	if len(embedded) > 0 {
		properties["_embedded"] = object{"type": "object", "properties": embedded}
	}
	return object{"type": "object", "properties": properties, "required": required}
}

// body returns the schema of an object in a body. A reference is a link or, as in JSON, a field. Everything that a
// response has may be sent and is ignored.
func (s schemas) body(t *format.Type, at string) object {
	links, _ := s.links(t, at, true)
	properties, required := object{"_links": object{
		"type": "object", "description": "A link can set a reference. If the body also has the field, the field takes precedence.", "properties": links,
	}, "_embedded": object{}}, []string{}
	for i := range t.Fields {
		m := &t.Fields[i]
		if !m.Writable {
			properties[m.Name] = object{"readOnly": true}
			continue
		}
		properties[m.Name] = object{"$ref": at + "/properties/" + scan.Escape(m.Name)}
		if m.Required && m.Reference == nil {
			required = append(required, m.Name)
		}
	}
	return object{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

// links returns the schemas of the links of a record, and the names of those that it always has.
func (s schemas) links(t *format.Type, at string, request bool) (links object, always []string) {
	links, always = object{}, []string{}
	if t.ID != "" || t.Name != "" && !request { // a view may leave the identifier out
		links["self"] = linkSchema()
		if t.ID != "" && !request && s.hasPath(t.Name) {
			always = append(always, "self")
		}
	}
	for i := range t.Fields {
		m := &t.Fields[i]
		if isIn := request && m.Writable || !request && m.Readable; m.Reference == nil || !isIn {
			continue
		}
		links[s.prefix+m.Name] = linkOf(m, at+"/properties/"+scan.Escape(m.Name), request)
		if m.Required && !request && !m.Type.Nullable {
			always = append(always, s.prefix+m.Name)
		}
	}
	return links, always
}

// embedded returns the schema of the records that a field embeds.
func (s schemas) embedded(m *format.TypeField, at string) object {
	at += "/properties/_embedded/properties/" + scan.Escape(m.Name)
	if m.Reference.Many {
		return object{"type": "array", "items": s.value(m.Embedded, at+"/items", false)}
	}
	return s.value(m.Embedded, at, false)
}

// linkOf returns the schema of the links of a reference whose JSON has the schema at the pointer.
func linkOf(m *format.TypeField, at string, request bool) object {
	one := linkSchema()
	if request && !m.Reference.Identifiers {
		if m.Reference.Many {
			at += "/items"
		}
		one = linkWith(object{"allOf": []object{{"$ref": at}, {"type": "string"}}})
	}
	if text := strings.TrimSpace(m.Description); text != "" {
		one["description"] = text
	}
	switch {
	case m.Reference.Many && !m.Reference.Inverse:
		return object{"type": "array", "items": one}
	case request && m.Type.Nullable:
		one["type"] = []string{"object", "null"}
	}
	return one
}

// linkSchema returns the schema of a link.
func linkSchema() object { return linkWith(object{"type": "string"}) }

// linkWith returns the schema of a link with an href.
func linkWith(href object) object {
	return object{"type": "object", "required": []string{"href"}, "properties": object{
		"href": href, "templated": object{"type": "boolean"},
	}}
}
