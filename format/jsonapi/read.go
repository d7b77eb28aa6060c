package jsonapi

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// reader reads bodies of one type.
type reader struct {
	types   *types
	typ     *format.Type
	members map[string]*format.TypeField
}

func newReader(n *types, t *format.Type) *reader {
	r := &reader{types: n, typ: t, members: map[string]*format.TypeField{}}
	for i := range t.Fields {
		r.members[t.Fields[i].Name] = &t.Fields[i]
	}
	return r
}

// read converts a document to plain JSON. It leaves invalid JSON as it is, because the decoder reports it.
func (r *reader) read(body *format.Body) ([]byte, error) {
	if !jsontext.Value(body.Bytes).IsValid() {
		if at, twice := scan.Twin(body.Bytes); twice {
			return nil, &format.Error{Detail: "the object has a field twice", Pointer: at}
		}
		return body.Bytes, nil
	}
	text := bytes.TrimSpace(body.Bytes)
	member := "data"
	if !isRecord(r.typ) {
		member = "meta"
	}
	found := scan.Find(text, member)
	if found == nil {
		return nil, &format.Error{Detail: "JSON:API (" + MediaType + ") requires an object with the field " + member + ""}
	}
	switch value := scan.Find(found, "value"); {
	case member == "data":
	case r.typ.Kind == format.Object:
		return found, nil
	case value == nil:
		return nil, &format.Error{Detail: "meta must be an object with the field value", Pointer: "/meta"}
	default:
		return value, nil
	}
	return r.appendRecord(make([]byte, 0, len(text)), found, body)
}

// appendRecord converts a resource object to the object of its JSON.
func (r *reader) appendRecord(b, data []byte, body *format.Body) (_ []byte, err error) {
	const at = "/data"
	if data[0] != '{' {
		return nil, &format.Error{Detail: "data must be a resource object with the fields type and attributes", Pointer: at}
	}
	if err := r.checkType(scan.Find(data, "type")); err != nil {
		return nil, err
	}
	if scan.Find(data, "lid") != nil {
		return nil, &format.Error{Detail: "local identifiers (lid) are not supported", Pointer: at + "/lid"}
	}
	b = append(b, '{')
	start := len(b)
	if id := scan.Find(data, "id"); id != nil {
		if b, err = r.appendID(b, id, body, at+"/id"); err != nil {
			return nil, err
		}
	}
	if attributes := scan.Find(data, "attributes"); attributes != nil {
		if b, err = r.appendAttributes(b, attributes, at+"/attributes"); err != nil {
			return nil, err
		}
	}
	if relationships := scan.Find(data, "relationships"); relationships != nil {
		if b, err = r.appendRelationships(b, relationships, at+"/relationships"); err != nil {
			return nil, err
		}
	}
	if len(b) > start {
		b = b[:len(b)-1]
	}
	return append(b, '}'), nil
}

// checkType checks the type of a resource object.
func (r *reader) checkType(text []byte) error {
	own := r.types.name(r.typ.Name)
	switch name, ok := scan.Text(text); {
	case text == nil:
		return &format.Error{Detail: "type is required; it must be " + own, Pointer: "/data"}
	case !ok:
		return &format.Error{Detail: "type must be a string", Pointer: "/data/type"}
	case name != own:
		return &format.Error{Status: http.StatusConflict, Detail: "type must be " + own, Pointer: "/data/type"}
	}
	return nil
}

// appendID appends the identifier that a client chooses, with a comma after it. The identifier of an existing record
// is only compared.
func (r *reader) appendID(b, text []byte, body *format.Body, at string) ([]byte, error) {
	id, ok := scan.Text(text)
	m := r.members[r.typ.ID]
	writable := m != nil && m.Writable
	switch {
	case !ok:
		return nil, &format.Error{Detail: "id must be a string", Pointer: at}
	case body.ID != "" && id != body.ID:
		return nil, &format.Error{Status: http.StatusConflict, Detail: "id must be the id in the path", Pointer: at}
	case body.ID == "" && !writable && r.typ.ID == "":
		return nil, &format.Error{Status: http.StatusForbidden, Detail: "the service derives the id from other fields; omit it", Pointer: at}
	case body.ID == "" && !writable:
		return nil, &format.Error{Status: http.StatusForbidden, Detail: "the service generates the id; omit it", Pointer: at}
	case !writable:
		return b, nil
	}
	b = append(scan.AppendQuoted(b, m.Name), ':')
	if number := jsontext.Value(id); (m.Type.Kind == format.Integer || m.Type.Kind == format.Number) && number.Kind() == '0' && number.IsValid() {
		return append(append(b, id...), ','), nil
	}
	return append(append(b, text...), ','), nil
}

// appendAttributes appends the attributes, with a comma after each. It leaves unknown ones to the decoder, which
// reports all errors together.
func (r *reader) appendAttributes(b, attributes []byte, at string) ([]byte, error) {
	if attributes[0] != '{' {
		return nil, &format.Error{Detail: "attributes must be an object", Pointer: at}
	}
	for _, v := range scan.Values(attributes) {
		m := r.members[v.Name]
		switch {
		case m == nil && strings.HasPrefix(v.Name, "@"):
			continue // readers ignore it (section 5.4 of JSON:API)
		case v.Name == r.typ.ID || m == nil && v.Name == "id":
			return nil, &format.Error{Detail: "the identifier is not an attribute; send it as the id of the resource object", Pointer: at + "/" + scan.Escape(v.Name)}
		case m != nil && m.Reference != nil:
			return nil, &format.Error{Detail: v.Name + " is a relationship, not an attribute", Pointer: at + "/" + scan.Escape(v.Name)}
		}
		b = append(scan.AppendQuoted(b, v.Name), ':')
		b = append(append(b, v.Text...), ',')
	}
	return b, nil
}

// appendRelationships appends the values of relationships, with a comma after each. It ignores read-only ones, as it
// does read-only attributes, because a client may send back what it has read.
func (r *reader) appendRelationships(b, relationships []byte, at string) (_ []byte, err error) {
	if relationships[0] != '{' {
		return nil, &format.Error{Detail: "relationships must be an object", Pointer: at}
	}
	for _, v := range scan.Values(relationships) {
		m, at := r.members[v.Name], at+"/"+scan.Escape(v.Name)
		switch {
		case m == nil && strings.HasPrefix(v.Name, "@"):
			continue
		case m == nil || m.Reference == nil:
			return nil, &format.Error{Detail: "unknown relationship; allowed: " + r.relationships(), Pointer: at}
		case v.Text[0] != '{':
			return nil, &format.Error{Detail: "a relationship must be an object with the field data", Pointer: at}
		case m.Reference.Inverse || !m.Writable:
			continue
		}
		data := scan.Find(v.Text, "data")
		if data == nil {
			if scan.Find(v.Text, "links") != nil || scan.Find(v.Text, "meta") != nil {
				continue
			}
			return nil, &format.Error{Detail: "a relationship must be an object with the field data", Pointer: at}
		}
		b = append(scan.AppendQuoted(b, m.Name), ':')
		if b, err = r.appendLinkage(b, m.Reference, data, at+"/data"); err != nil {
			return nil, err
		}
		b = append(b, ',')
	}
	return b, nil
}

// relationships lists the relationships that bodies can set, for an error.
func (r *reader) relationships() string {
	var list []string
	for i := range r.typ.Fields {
		if m := &r.typ.Fields[i]; m.Reference != nil && !m.Reference.Inverse && m.Writable {
			list = append(list, m.Name)
		}
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, ", ")
}

// appendLinkage appends the value of a reference.
func (r *reader) appendLinkage(b []byte, of *format.Reference, data []byte, at string) (_ []byte, err error) {
	switch {
	case !of.Many && string(data) == "null":
		return append(b, "null"...), nil
	case !of.Many:
		return r.appendIdentifier(b, of, data, at)
	case data[0] != '[':
		return nil, &format.Error{Detail: "the data of this relationship must be an array of resource identifiers", Pointer: at}
	}
	b = append(b, '[')
	for i, v := range scan.Values(data) {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = r.appendIdentifier(b, of, v.Text, at+"/"+v.Name); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendIdentifier appends the value for the record that a resource identifier names.
func (r *reader) appendIdentifier(b []byte, of *format.Reference, text []byte, at string) ([]byte, error) {
	own := r.types.name(of.To)
	if text[0] != '{' {
		return nil, &format.Error{Detail: "a resource identifier must be an object with the fields type and id", Pointer: at}
	}
	if scan.Find(text, "lid") != nil {
		return nil, &format.Error{Detail: "local identifiers (lid) are not supported", Pointer: at + "/lid"}
	}
	if name, ok := scan.Text(scan.Find(text, "type")); !ok || name != own {
		return nil, &format.Error{Detail: "the type must be " + own, Pointer: at + "/type"}
	}
	id, ok := scan.Text(scan.Find(text, "id"))
	if ok {
		var is bool
		if b, is = of.AppendValue(b, id); is {
			return b, nil
		}
	}
	return nil, &format.Error{Detail: "the id must be that of an existing " + of.To, Pointer: at + "/id"}
}
