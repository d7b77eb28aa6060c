package jsonapi

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// linkage reads and writes the documents of one relationship: their data is what a reference refers to, not a record
// (sections "Fetching Relationships" and "Updating Relationships" of JSON:API 1.1).
type linkage struct {
	types  *types
	typ    *format.Type // of a record with only that field
	member *format.TypeField
	writer reference
}

// relationship returns the functions for a type that is a relationship.
func (n *types) relationship(t *format.Type) (format.Format, error) {
	l := &linkage{types: n, typ: t, member: fieldAt(t, "/"+scan.Escape(t.Relationship))}
	if err := checkName(t.Relationship, false); err != nil || l.member == nil {
		return format.Format{}, err
	}
	l.writer = newReference(n, t, l.member)
	l.writer.tail = n.tail(t.Name, t.Relationship)
	return format.Format{Read: l.read, Item: l.appendDocument, Query: newTranslator(n, t).translate, Schema: l.schema}, nil
}

// read converts a document to the body of the record's Patch.
func (l *linkage) read(body *format.Body) ([]byte, error) {
	if !jsontext.Value(body.Bytes).IsValid() {
		return body.Bytes, findTwin(body.Bytes)
	}
	text := bytes.TrimSpace(body.Bytes)
	data := scan.Find(text, "data")
	if data == nil {
		return nil, &format.Error{Detail: "JSON:API (" + MediaType + ") requires an object with the field data"}
	}
	// The type is the subject of the request here, so another one is a conflict with the path.
	r := &reader{types: l.types, typ: l.typ, otherType: http.StatusConflict}
	b := append(scan.AppendQuoted(append(make([]byte, 0, len(text)), '{'), l.member.Name), ':')
	b, err := r.appendLinkage(b, l.member.Reference, data, "/data")
	if err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

// appendDocument appends the relationship of a record as a document.
func (l *linkage) appendDocument(b []byte, item format.Item) ([]byte, error) {
	members, err := item.Fields()
	if err != nil {
		return b, err
	}
	b = append(b, opening...)
	if len(members) == 0 {
		return append(b, `"meta":{}}`...), nil
	}
	start := len(b)
	b = l.writer.appendRelationship(b, item, new(place), members[0].JSON)
	return append(b[:start], b[start+1:]...), nil // without its bracket, because one is open already
}

// schema returns the schema of the documents.
func (l *linkage) schema(json.RawMessage, bool) json.RawMessage {
	s := schemas{l.types, l.typ}
	made := s.relationship(l.member, l.typ.Request)
	if properties, ok := made["properties"].(object); ok && !l.typ.Request {
		links := object{"self": object{"type": "string", "format": "uri-reference"}}
		if !l.member.Reference.Many {
			links["related"] = object{"type": "string", "format": "uri-reference"}
		}
		properties["links"] = object{"type": "object", "required": []string{"self"}, "properties": links}
		properties["jsonapi"] = versionSchema()
		made["required"] = []string{"data", "jsonapi", "links"}
	}
	return scan.Schema(made)
}
