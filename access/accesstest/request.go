package accesstest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
)

// ask sends the request of a row as a caller, with the identifier of its record or another one.
func (m *matrix) ask(s subject, c *Caller, id, body string, fields ...string) *httptest.ResponseRecorder {
	shown := m.examples[s.op.ID]
	target := s.op.Template.Expand(func(name string) string {
		if s.op.Item && s.op.Resource.ID.Has(name) {
			return part(s.op.Resource.ID, id, name)
		}
		return m.variable(s, name)
	})
	if len(shown.query) > 0 {
		target += "?" + shown.query.Encode()
	}
	r := httptest.NewRequestWithContext(m.t.Context(), s.op.Method, target, strings.NewReader(body))
	maps.Copy(r.Header, shown.header)
	if s.op.RequirePrecondition {
		r.Header.Set("If-Match", "*")
	}
	r.Header.Set("Accept", format.JSON+", */*;q=0.1")
	if mediaType := mediaTypeOf(s.op); mediaType != "" {
		r.Header.Set("Content-Type", mediaType)
	}
	maps.Copy(r.Header, c.Header)
	for i := 0; i+1 < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	m.reset(s)
	w := httptest.NewRecorder()
	m.api.ServeHTTP(w, r)
	if w.Code >= http.StatusInternalServerError {
		m.fault(s.op.ID+"5xx", fmt.Sprintf("%s returns %d: %s", s.as(c), w.Code, m.reason))
	}
	if n := m.written(); w.Code >= http.StatusBadRequest && n > 0 {
		m.fault(s.op.ID+"saved", fmt.Sprintf("%s returns %d, but saves %d changes", s.as(c), w.Code, n))
	}
	return w
}

// part returns the value of a path variable of an identifier, which may be invalid.
func part(of model.Identifier, id, name string) string {
	read, ok := of.Parse(id)
	if !ok {
		return id
	}
	text, _ := of.Variable(read, name) // it was parsed from a string
	return text
}

// variable returns the value of a path variable that is a field of the record, such as its parent. An operation without a
// record has that of the first one. A reference is a path, which ends in the identifier.
func (m *matrix) variable(s subject, name string) string {
	record := s.record
	if known := m.records[s.op.Resource]; record == nil && len(known) > 0 {
		record = known[0]
	}
	if record == nil {
		return "1"
	}
	value, ok := m.plain(s.op.Resource, record.before)[name]
	if list, isList := value.([]any); isList && len(list) > 0 {
		value = list[0]
	}
	if !ok || value == nil {
		return "1"
	}
	text := textOf(value)
	return text[strings.LastIndexByte(text, '/')+1:]
}

// id returns the identifier of the record as in paths, "" for none.
func (s subject) id() string {
	if s.record == nil {
		return ""
	}
	return s.record.text
}

// body returns a body that is valid for permitted callers. A replacing Put gets the response of the caller's own Get, else
// the whole record.
func (m *matrix) body(s subject, c *Caller) string {
	switch {
	case !s.op.TakesBody():
		return ""
	case s.op.Custom || s.creates() && s.record == nil:
		return written(m.examples[s.op.ID].sent)
	case s.creates():
		return written(m.fullBody(s))
	case s.op.Replace:
		if item := s.op.Resource.Item; item != nil {
			if read := m.ask(subject{item, s.record}, c, s.id(), ""); read.Code == http.StatusOK {
				return read.Body.String()
			}
		}
		return written(m.fullBody(s))
	}
	return "{}"
}

// fullBody returns the fields of the record of a row. Fields that no response shows come from the example.
func (m *matrix) fullBody(s subject) object {
	body := m.plain(s.op.Resource, s.record.before)
	shown, _ := m.examples[s.op.ID].sent.(object)
	for _, f := range s.op.Resource.Struct.Fields {
		if f.ReadOnly || f.Identifier && f.Generated {
			delete(body, f.Name)
		}
		if value, ok := shown[f.Name]; ok && !f.Readable() {
			body[f.Name] = value
		}
	}
	return body
}

// unchanged returns a body in which a field can be set: the whole record if the operation needs it, else none.
func (m *matrix) unchanged(s subject) object {
	if s.creates() || s.op.Replace {
		return m.fullBody(s)
	}
	return object{}
}

// plain returns the fields of a record as in responses, regardless of rules.
func (m *matrix) plain(r *compiled.Resource, record any) object {
	text, err := r.Source.Response.Encoder.Append(nil, record)
	decoder, fields := json.NewDecoder(bytes.NewReader(text)), object{}
	decoder.UseNumber()
	if err = cmp.Or(err, decoder.Decode(&fields)); err != nil {
		m.t.Errorf("accesstest: a record of %s cannot be written: %v", r.ShortName, err)
	}
	return fields
}

// written writes a value as JSON, {} for none.
func written(value any) string {
	text, err := json.Marshal(value)
	if err != nil || string(text) == "null" {
		return "{}"
	}
	return string(text)
}

// object is a JSON object.
type object = map[string]any

// example is the example request of an operation in the OpenAPI document.
type example struct {
	sent   any // the body; nil for none
	query  url.Values
	header http.Header
}

// exampleOf returns the example of an operation, an empty one for a hidden operation.
func exampleOf(schemas *describe.Schemas, op *compiled.Operation) example {
	e := example{query: url.Values{}, header: http.Header{}}
	if op.Hidden {
		return e
	}
	if mediaTypeOf(op) != "" {
		e.sent = schemas.BodyExample(op)
	}
	for _, p := range op.Parameters.List {
		if p.Kind != parameters.Own { // the others are optional
			continue
		}
		switch described := schemas.Parameter(op, p); {
		case !described.Required || described.Example == nil:
		case p.Header:
			e.header.Set(p.Name, textOf(described.Example))
		default:
			e.query.Set(p.Name, textOf(described.Example))
		}
	}
	return e
}

// mediaTypeOf returns the media type of request bodies, "" for none. JSON comes first, because examples are JSON.
func mediaTypeOf(op *compiled.Operation) string {
	for _, mediaType := range op.MediaTypes {
		if mediaType == format.JSON || mediaType == "application/merge-patch+json" {
			return mediaType
		}
	}
	return ""
}

// textOf formats a value for parameters and paths.
func textOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return written(value)
}
