package jsonapi

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// schemas describes the documents of one type by references to parts of the schema of its JSON.
type schemas struct {
	types *types
	typ   *format.Type
}

type object = map[string]any

// of returns the schema of the document of a record, or of a page for a collection.
func (s schemas) of(_ json.RawMessage, collection bool) json.RawMessage {
	properties, required := object{}, []string{}
	if !s.typ.Request {
		properties["jsonapi"] = object{
			"type": "object", "required": []string{"version"}, "properties": object{"version": object{"type": "string", "enum": []string{"1.1"}}},
		}
		required = append(required, "jsonapi")
	}
	switch {
	case !isRecord(s.typ) && s.typ.Kind == format.Object:
		properties["meta"], required = object{"$ref": "#/record"}, append(required, "meta")
	case !isRecord(s.typ):
		properties["meta"] = object{"type": "object", "required": []string{"value"}, "properties": object{"value": object{"$ref": "#/record"}}}
		required = append(required, "meta")
	default:
		made := s.resource(s.typ, "#/record", s.typ.Request)
		if collection {
			made = object{"type": "array", "items": made}
			if !s.typ.NoPath {
				s.addPage(properties)
				required = append(required, "links")
			}
		}
		properties["data"], required = made, append(required, "data")
		if included := s.included(nil, s.typ, "#/record"); len(included) > 0 && !s.typ.Request {
			one := object{"anyOf": included}
			if len(included) == 1 {
				one = included[0]
			}
			properties["included"] = object{"type": "array", "description": "The records that include requests.", "items": one}
		}
	}
	return scan.Schema(object{"type": "object", "required": required, "properties": properties})
}

// addPage adds what a page has in addition to its records.
func (s schemas) addPage(properties object) {
	link := func() object { return object{"type": []string{"string", "null"}, "format": "uri-reference"} }
	properties["links"] = object{
		"type": "object", "required": []string{"self"},
		"properties": object{
			"self": object{"type": "string", "format": "uri-reference"}, "first": link(), "prev": link(), "next": link(), "last": link(),
		},
	}
	properties["meta"] = object{"type": "object", "properties": object{
		"totalItems":         object{"type": "integer", "minimum": 0, "description": "The number of records on all pages."},
		"totalItemsMoreThan": object{"type": "integer", "minimum": 0, "description": "A number that the records on all pages exceed."},
		"totalItemsEstimate": object{"type": "integer", "minimum": 0, "description": "The estimated number of records on all pages."},
	}}
}

// resource returns the schema of a resource object whose record has the JSON Schema at the pointer.
func (s schemas) resource(t *format.Type, at string, request bool) object {
	properties := object{"type": object{"type": "string", "enum": []string{s.types.name(t.Name)}}}
	required := []string{"type"}
	if !request {
		properties["id"], properties["links"] = object{"type": "string"}, object{
			"type": "object", "properties": object{"self": object{"type": "string", "format": "uri-reference"}},
		}
		required = append(required, "id", "attributes")
	} else if t.Stored {
		properties["id"] = object{"type": "string"}
	}
	attributes, relationships := object{}, object{}
	neededAttributes, neededRelationships := []string{}, []string{}
	for i := range t.Fields {
		m := &t.Fields[i]
		of, needed := attributes, &neededAttributes
		switch {
		case !request && (!m.Readable || m.Name == t.ID):
			continue
		case request && !m.Writable:
			passOver(m, t.ID, attributes, relationships)
			continue
		case m.Name == t.ID:
			properties["id"] = idSchema(m, at)
			if m.Required {
				required = append(required, "id")
			}
			continue
		case m.Reference != nil:
			of, needed = relationships, &neededRelationships
			of[m.Name] = s.relationship(m, request)
		default:
			of[m.Name] = object{"$ref": at + "/properties/" + scan.Escape(m.Name)}
		}
		if m.Required {
			*needed = append(*needed, m.Name)
		}
	}
	if request && len(neededAttributes) > 0 {
		required = append(required, "attributes")
	}
	properties["attributes"] = object{"type": "object", "properties": attributes, "required": neededAttributes}
	if len(relationships) > 0 {
		properties["relationships"] = object{"type": "object", "properties": relationships, "required": neededRelationships}
		if len(neededRelationships) > 0 {
			required = append(required, "relationships")
		}
	}
	slices.Sort(required)
	if request {
		closeBody(properties)
	}
	return object{"type": "object", "required": required, "properties": properties}
}

// passOver adds a field that bodies may have and that is ignored, because clients send back what they have read.
func passOver(m *format.TypeField, id string, attributes, relationships object) {
	if m.Reference != nil {
		relationships[m.Name] = object{"type": "object", "readOnly": true}
	} else if m.Name != id {
		attributes[m.Name] = object{"readOnly": true}
	}
}

// closeBody allows only known names in attributes and relationships, and names that JSON:API reserves for extensions.
// Elsewhere JSON:API requires servers to ignore what they do not know.
func closeBody(properties object) {
	for _, name := range []string{"attributes", "relationships"} {
		if within, is := properties[name].(object); is {
			within["additionalProperties"], within["patternProperties"] = false, object{"^@": object{}}
		}
	}
	for _, name := range []string{"id", "lid"} {
		if properties[name] == nil {
			properties[name] = absent()
		}
	}
}

// absent returns the schema of a value that must be absent.
func absent() object { return object{"not": object{}} }

// idSchema returns the schema of an id that clients choose.
func idSchema(m *format.TypeField, at string) object {
	if m.Type.Kind != format.Text {
		return object{"type": "string"}
	}
	return object{"$ref": at + "/properties/" + scan.Escape(m.Name)}
}

// relationship returns the schema of a relationship.
func (s schemas) relationship(m *format.TypeField, request bool) object {
	properties, required := object{}, []string{}
	if !m.Reference.Inverse || m.Embedded != nil {
		known := object{"type": object{"type": "string", "enum": []string{s.types.name(m.Reference.To)}}, "id": object{"type": "string"}}
		identifier := object{"type": "object", "required": []string{"id", "type"}, "properties": known}
		if request { // a schema cannot list the existing ones
			known["id"], known["lid"] = object{"type": "string", "format": "existing"}, absent()
		}
		switch {
		case m.Reference.Many:
			identifier = object{"type": "array", "items": identifier}
		case m.Type.Nullable:
			identifier["type"] = []string{"object", "null"}
		}
		properties["data"], required = identifier, append(required, "data")
	}
	if !request && (m.Reference.Inverse || !m.Reference.Many) {
		properties["links"] = object{
			"type": "object", "required": []string{"related"}, "properties": object{"related": object{"type": "string", "format": "uri-reference"}},
		}
		if m.Reference.Inverse {
			required = append(required, "links")
		}
	}
	made := object{"type": "object", "required": required, "properties": properties}
	if text := strings.TrimSpace(m.Description); text != "" {
		made["description"] = text
	}
	return made
}

// included adds the schemas of the records that responses can include.
func (s schemas) included(list []object, t *format.Type, at string) []object {
	for i := range t.Fields {
		m := &t.Fields[i]
		if m.Embedded == nil {
			continue
		}
		inner := at + "/properties/_embedded/properties/" + scan.Escape(m.Name)
		if m.Reference.Many {
			inner += "/items"
		}
		list = append(list, s.resource(m.Embedded, inner, false))
		list = s.included(list, m.Embedded, inner)
	}
	return list
}
