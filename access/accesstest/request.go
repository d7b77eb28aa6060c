package accesstest

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

func isMissing(err error) bool { return errors.Is(err, store.ErrNotFound) }

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
		r.Header.Set("Accept", s.op.DefaultFormat.MediaType)
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
	if item := s.op.Resource.Item; item != nil {
		if read := m.ask(subject{item, s.record}, c, s.id(), ""); read.Code == http.StatusOK {
			return read.Body.String()
		}
	}
	return written(m.whole(s))
}

// relating returns the body of a change of a reference: nothing that a list is to lose, else what the caller
// reads at the same address, or what there is if he may not.
func (m *matrix) relating(s subject, c *Caller) string {
	if s.op.Relationship.Change == compiled.Removes {
		return `{"data":[]}`
	}
	for _, op := range s.op.Resource.Operations {
		isSame := op.Relationship != nil && op.Relationship.Field == s.op.Relationship.Field && op.Template == s.op.Template
		if !isSame || !op.Reads {
			continue
		}
		if read := m.ask(subject{op, s.record}, c, s.id(), ""); read.Code == http.StatusOK {
			return read.Body.String()
		}
	}
	if s.op.Relationship.Field.Reference.Many {
		return `{"data":[]}`
	}
	return `{"data":null}`
}

// plain returns the members of a record as answers show them, rules aside.
func (m *matrix) plain(r *compiled.Resource, record any) object {
	text, err := r.Source.Answer.Encoder.Append(nil, record)
	members := object{}
	if err == nil {
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.UseNumber()
		err = decoder.Decode(&members)
	}
	if err != nil {
		m.t.Errorf("accesstest: a record of %s cannot be written: %v", r.ShortName, err)
	}
	return members
}

// written writes a body as JSON, {} for none.
func written(value any) string {
	text, err := json.Marshal(value)
	if err != nil || string(text) == "null" {
		return "{}"
	}
	return string(text)
}
