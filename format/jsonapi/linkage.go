package jsonapi

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// linkage are the documents of one relationship: what a reference refers to is their data, and no
// record (sections "Fetching Relationships" and "Updating Relationships" of JSON:API 1.1).
type linkage struct {
	types  *types
	typ    *format.Type // of a record with that member alone
	member *format.TypeField
	writer reference
}

// relationship makes the functions for a type that is a relationship.
func (n *types) relationship(t *format.Type) (format.Format, error) {
	l := &linkage{types: n, typ: t, member: memberAt(t, "/"+scan.Escape(t.Relationship))}
	if err := checkName(t.Relationship, false); err != nil || l.member == nil {
		return format.Format{}, err
	}
	l.writer = newReference(n, t, l.member)
	l.writer.tail = n.tail(t.Name, t.Relationship)
	return format.Format{Read: l.read, Item: l.appendDocument, Query: newTranslator(n, t).translate, Schema: l.schema}, nil
}

// read makes the body of the record's own Patch of a document.
func (l *linkage) read(body *format.Body) ([]byte, error) {
	if !jsontext.Value(body.Bytes).IsValid() {
		return body.Bytes, findTwin(body.Bytes)
	}
	text := bytes.TrimSpace(body.Bytes)
	data := scan.Find(text, "data")
	if data == nil {
		return nil, &format.Error{Detail: "the body must be an object with the member data, which JSON:API (" + MediaType + ") demands"}
	}
	// Here the type is all that the request is about, and a conflict with the path.
	r := &reader{types: l.types, typ: l.typ, otherType: http.StatusConflict}
	b := append(scan.AppendQuoted(append(make([]byte, 0, len(text)), '{'), l.member.Name), ':')
	b, err := r.appendLinkage(b, l.member.Reference, data, "/data")
	if err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

// appendDocument appends what a record's reference refers to: the relationship as records have it, as a
// document.
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
	return append(b[:start], b[start+1:]...), nil // without its bracket, for there is one open
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
