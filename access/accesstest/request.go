package accesstest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// ask sends a request of a row as a caller. The identifier is that of its record, or another
// one.
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
	r.Header.Set("Accept", inJSON+", */*;q=0.1")
	if s.op.Relationship != nil {
		r.Header.Set("Accept", s.op.DefaultFormat().MediaType)
	}
	if mediaType := mediaTypeOf(s.op); mediaType != "" {
		r.Header.Set("Content-Type", mediaType)
	}
	maps.Copy(r.Header, c.Header)
	for i := 0; i+1 < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	m.forget(s.away(), s.op.Resource)
	w := httptest.NewRecorder()
	m.api.ServeHTTP(w, r)
	m.judge(s, c, w)
	return w
}

// part returns what a path has for a variable of an identifier, which may be none.
func part(of model.Identifier, id, name string) string {
	read, ok := of.Parse(id)
	if !ok {
		return id
	}
	text, _ := of.Variable(read, name) // it has come from a text
	return text
}

// variable returns what a path has for a member of the record, such as its parent: of an
// operation without a record that of the first one. A reference is an address, which ends in the
// identifier.
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

// away returns the identifier of the record that a Post makes another one of, nil for none.
func (s subject) away() any {
	if s.creates() && s.record != nil {
		return s.record.id
	}
	return nil
}

// id returns the identifier of the record as paths have it, "" for none.
func (s subject) id() string {
	if s.record == nil {
		return ""
	}
	return s.record.text
}

// body returns a body that whoever may do the operation could send.
func (m *matrix) body(s subject, c *Caller) string {
	switch {
	case !s.op.TakesBody():
		return ""
	case s.op.Relationship != nil:
		return m.relating(s, c)
	case s.op.Custom || s.creates() && s.record == nil:
		return written(m.examples[s.op.ID].sent)
	case s.creates():
		return written(m.whole(s))
	case s.op.Replace:
		return m.replacing(s, c)
	}
	return "{}"
}

// whole returns what the record of a row has, with what no answer shows as in the example.
func (m *matrix) whole(s subject) object {
	body := m.plain(s.op.Resource, s.record.before)
	for _, f := range s.op.Resource.Struct.Fields {
		if f.ReadOnly || f.Identifier && f.Generated {
			delete(body, f.Name)
		}
		if value, ok := m.examples[s.op.ID].body[f.Name]; ok && !f.Readable() {
			body[f.Name] = value
		}
	}
	return body
}

// replacing returns what the caller reads, to be sent back.
func (m *matrix) replacing(s subject, c *Caller) string {
	return cmp.Or(m.shown(s.op.Resource.Item, s, c), written(m.whole(s)))
}

// shown returns what an operation shows the caller of the record of a row, "" for nothing.
func (m *matrix) shown(op *compiled.Operation, s subject, c *Caller) string {
	if op == nil {
		return ""
	}
	read := m.ask(subject{op, s.record}, c, s.id(), "")
	if read.Code != http.StatusOK {
		return ""
	}
	return read.Body.String()
}

// relating returns the body of a change of a reference: nothing that a list is to lose, else what the caller
// reads at the same address, or what there is if he may not.
func (m *matrix) relating(s subject, c *Caller) string {
	if s.op.Relationship.Change == compiled.Removes {
		return `{"data":[]}`
	}
	for _, op := range s.op.Resource.Operations {
		isSame := op.Relationship != nil && op.Relationship.Field == s.op.Relationship.Field && op.Template == s.op.Template
		if isSame && op.Reads {
			if text := m.shown(op, s, c); text != "" {
				return text
			}
		}
	}
	if s.op.Relationship.Field.Reference.Many {
		return `{"data":[]}`
	}
	return `{"data":null}`
}

// plain returns the members of a record as answers show them, rules aside.
func (m *matrix) plain(r *compiled.Resource, record any) object {
	text, err := r.Source.Response.Encoder.Append(nil, record)
	members, readErr := objectOf(bytes.NewReader(text))
	if err = cmp.Or(err, readErr); err != nil {
		m.t.Errorf("accesstest: a record of %s cannot be written: %v", r.ShortName, err)
	}
	return members
}

// objectOf reads an object of JSON, with its numbers as they are written.
func objectOf(text io.Reader) (object, error) {
	decoder, found := json.NewDecoder(text), object{}
	decoder.UseNumber()
	err := decoder.Decode(&found)
	return found, err
}

// written writes a value as JSON, {} for none.
func written(value any) string {
	text, err := json.Marshal(value)
	if err != nil || string(text) == "null" {
		return "{}"
	}
	return string(text)
}

// object is an object of JSON.
type object = map[string]any

// examples are what the document shows of each operation, by its id.
type examples map[string]example

// example is a request as the document shows it.
type example struct {
	sent   any    // the body; nil for none
	body   object // the same, if it is an object
	query  url.Values
	header http.Header
}

// examplesOf reads the examples of a document. An operation that is not in it has none.
func examplesOf(t testing.TB, api *resource.API) examples {
	t.Helper()
	var text bytes.Buffer
	err := openapi.Export(&text, api, openapi.Config{})
	document, readErr := objectOf(&text)
	if err = errors.Join(err, readErr); err != nil {
		t.Fatalf("accesstest: %v", err)
	}
	found := examples{}
	for _, r := range compiled.Of(api).Resources {
		for _, op := range r.Operations {
			if described := at(document, "paths", op.Path(), strings.ToLower(op.Method)); described != nil {
				found[op.ID] = exampleOf(document, op, described)
			}
		}
	}
	return found
}

func exampleOf(document object, op *compiled.Operation, described object) example {
	e := example{query: url.Values{}, header: http.Header{}}
	if mediaType := mediaTypeOf(op); mediaType != "" {
		e.sent = at(described, "requestBody", "content", mediaType)["example"]
		e.body, _ = e.sent.(object)
	}
	listed, _ := described["parameters"].([]any)
	for _, each := range listed {
		p, _ := each.(object)
		if ref, ok := p["$ref"].(string); ok {
			p = at(document, "components", "parameters", ref[len("#/components/parameters/"):])
		}
		name, _ := p["name"].(string)
		if required, _ := p["required"].(bool); !required || p["example"] == nil {
			continue
		}
		switch value := textOf(p["example"]); p["in"] {
		case "query":
			e.query.Set(name, value)
		case "header":
			e.header.Set(name, value)
		}
	}
	return e
}

// inJSON is the media type of bodies as they stand in examples.
const inJSON = "application/json"

// mediaTypeOf returns the media type of bodies that are sent: JSON as it stands, "" for none.
func mediaTypeOf(op *compiled.Operation) string {
	for _, mediaType := range op.MediaTypes {
		if mediaType == inJSON || mediaType == "application/merge-patch+json" {
			return mediaType
		}
	}
	if op.Relationship != nil && len(op.MediaTypes) > 0 {
		return op.MediaTypes[0]
	}
	return ""
}

// at returns the object at a path of names, nil where there is none.
func at(in object, names ...string) object {
	for _, name := range names {
		in, _ = in[name].(object)
	}
	return in
}

// textOf writes a value as parameters and paths have it.
func textOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return written(value)
}
