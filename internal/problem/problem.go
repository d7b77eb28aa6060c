// Package problem writes the bodies of refusals: problems of RFC 9457, and the two
// shapes of a body that is not valid.
package problem

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/operation"
)

// MediaType is the media type of every refusal.
const MediaType = "application/problem+json"

// Problem is a problem of RFC 9457. It is an error.
type Problem struct {
	Type   string // "" for about:blank
	Title  string // "" for the text of Status
	Status int
	Detail string // "" for none

	Incident string   // names a failure, as the log does; "" for none
	Members  []Member // further members, in order
	Header   []string // further header fields: name, value, name, value

	text   []byte   // the whole body, once Prepare has written it
	length []string // of it: the field Content-Length
}

// Member is a member of a problem beyond those of RFC 9457. Its value is one that JSON
// has a form for.
type Member struct {
	Name  string
	Value any
}

// New returns a problem with a status and a detail.
func New(status int, detail string, members ...Member) *Problem {
	return &Problem{Status: status, Detail: detail, Members: members}
}

// Of returns the problem of a user's refusal. A status that is no error becomes 500.
func Of(e operation.Error) *Problem {
	if e.Status < http.StatusBadRequest || e.Status > 599 {
		e.Status = http.StatusInternalServerError
	}
	return &Problem{Type: e.Type, Title: e.Title, Status: e.Status, Detail: e.Detail}
}

// Error returns the detail, else the title.
func (p *Problem) Error() string {
	return cmp.Or(p.Detail, p.Title, http.StatusText(p.Status))
}

// Prepare writes the body once for all the times that the problem is sent: those that
// strangers cause, such as 404, cost least then. It is not changed any more.
func (p *Problem) Prepare() *Problem {
	p.text = p.Append(nil)
	p.length = []string{strconv.Itoa(len(p.text))}
	return p
}

// Length returns the field Content-Length of a problem that Prepare has written, nil of another
// one. All answers share it.
func (p *Problem) Length() []string { return p.length }

// Append appends the problem as JSON to b.
func (p *Problem) Append(b []byte) []byte {
	if p.text != nil {
		return append(b, p.text...)
	}
	b = append(b, `{"type":`...)
	b = appendString(b, cmp.Or(p.Type, "about:blank"))
	b = append(b, `,"title":`...)
	b = appendString(b, cmp.Or(p.Title, http.StatusText(p.Status), "Error"))
	b = append(b, `,"status":`...)
	b = appendValue(b, p.Status)
	if p.Detail != "" {
		b = append(b, `,"detail":`...)
		b = appendString(b, p.Detail)
	}
	if p.Incident != "" {
		b = append(b, `,"instance":`...)
		b = appendString(b, "urn:uuid:"+p.Incident)
	}
	for _, member := range p.Members {
		b = append(b, ',')
		b = appendString(b, member.Name)
		b = append(b, ':')
		b = appendValue(b, member.Value)
	}
	return append(b, '}')
}

// appendString appends text as JSON; what is not UTF-8 in it is replaced, for a refusal that
// cannot be sent would be a worse one.
func appendString(b []byte, text string) []byte {
	quoted, _ := jsontext.AppendQuote(b, text)
	return quoted
}

// appendValue appends any value as JSON, null where it has no form in JSON. Members of maps are
// in their order, so that equal refusals have equal bytes.
func appendValue(b []byte, value any) []byte {
	text, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		text = []byte("null")
	}
	return append(b, text...)
}
