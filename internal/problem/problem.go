// Package problem writes the bodies of error responses: problems (RFC 9457), and the two shapes of validation errors.
package problem

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/operation"
)

// MediaType is the media type of problems.
const MediaType = "application/problem+json"

// Problem is a problem (RFC 9457). It is also an error.
type Problem struct {
	Type   string // "" for about:blank
	Title  string // "" for the text of Status
	Status int
	Detail string // "" for none

	Incident string   // identifies a failure in the log; "" for none
	Fields   []Field  // extension fields, in order
	Header   []string // further header fields: name, value, name, value

	text   []byte   // the whole body, written by Prepare
	length []string // the header field Content-Length of text
}

// Field is an extension member of a problem (RFC 9457, section 3.2). JSON must be able to represent its value.
type Field struct {
	Name  string
	Value any
}

// New returns a problem with a status and a detail.
func New(status int, detail string, members ...Field) *Problem {
	return &Problem{Status: status, Detail: detail, Fields: members}
}

// Of returns the problem of a user's error. A status that is not an error becomes 500.
func Of(e operation.Error) *Problem {
	if e.Status < http.StatusBadRequest || e.Status > 599 {
		e.Status = http.StatusInternalServerError
	}
	p := &Problem{Type: e.Type, Title: e.Title, Status: e.Status, Detail: e.Detail}
	if e.RetryAfter > 0 {
		seconds := int64((e.RetryAfter + time.Second - 1) / time.Second)
		p.Header = []string{"Retry-After", strconv.FormatInt(seconds, 10)}
		if e.Status == http.StatusTooManyRequests { // as middleware.Rate has them
			p.Header = append(p.Header, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", strconv.FormatInt(time.Now().Unix()+seconds, 10))
		}
	}
	return p
}

// Error returns the detail, else the title.
func (p *Problem) Error() string {
	return cmp.Or(p.Detail, p.Title, http.StatusText(p.Status))
}

// Prepare writes the body once, so that frequent errors such as 404 cost little. The problem must not be changed afterwards.
func (p *Problem) Prepare() *Problem {
	p.text = p.Append(nil)
	p.length = []string{strconv.Itoa(len(p.text))}
	return p
}

// Length returns the header field Content-Length of a prepared problem, else nil. Responses share it.
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
	for _, member := range p.Fields {
		b = append(b, ',')
		b = appendString(b, member.Name)
		b = append(b, ':')
		b = appendValue(b, member.Value)
	}
	return append(b, '}')
}

// appendString appends text as JSON. It replaces invalid UTF-8.
func appendString(b []byte, text string) []byte {
	quoted, _ := jsontext.AppendQuote(b, text)
	return quoted
}

// appendValue appends a value as JSON, null if JSON cannot represent it. It sorts maps, so that equal problems have equal
// bytes.
func appendValue(b []byte, value any) []byte {
	text, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		text = []byte("null")
	}
	return append(b, text...)
}

// Describe sets the fields of an error response for formats that write their own.
func (p *Problem) Describe(r *format.ErrorResponse) {
	r.Type, r.Title, r.Detail = cmp.Or(p.Type, "about:blank"), cmp.Or(p.Title, http.StatusText(p.Status), "Error"), p.Detail
	if p.Incident != "" {
		r.Instance = "urn:uuid:" + p.Incident
	}
	for _, member := range p.Fields {
		r.Fields = append(r.Fields, format.Field{Name: member.Name, JSON: appendValue(nil, member.Value)})
	}
}

// Write sends the problem as the response to r.
func (p *Problem) Write(w http.ResponseWriter, r *http.Request) {
	p.SetHeader(w.Header())
	body := p.Append(nil)
	Send(w, r, p.Status, Body{Text: body, Length: []string{strconv.Itoa(len(body))}})
}

// SetHeader sets the problem's header fields, and replaces those of middleware. Several lines of one field must be adjacent in
// the list.
func (p *Problem) SetHeader(header http.Header) {
	for i := 0; i+1 < len(p.Header); i += 2 {
		if i > 0 && p.Header[i-2] == p.Header[i] {
			header.Add(p.Header[i], p.Header[i+1])
			continue
		}
		header.Set(p.Header[i], p.Header[i+1])
	}
}

// Header values that all problems share without an allocation; they are never changed.
var (
	mediaType = [...]string{MediaType}
	noSniff   = [...]string{"nosniff"}
	noStore   = [...]string{"no-store"}
)

// Body is the body of an error response, with header values that are used without copying.
type Body struct {
	Text   []byte
	Type   []string // Content-Type; nil for that of problems
	Length []string // Content-Length
}

// Send sends the body of an error response, and returns the number of bytes sent.
func Send(w http.ResponseWriter, r *http.Request, status int, body Body) int64 {
	header := w.Header()
	if body.Type == nil {
		body.Type = mediaType[:]
	}
	header["Content-Type"] = body.Type
	header["X-Content-Type-Options"] = noSniff[:]
	header["Content-Length"] = body.Length
	header["Cache-Control"] = noStore[:] // regardless of what the resource or a middleware has set
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return 0
	}
	n, _ := w.Write(body.Text) // the client may be gone, which is not a failure
	return int64(n)
}

// NoStoreErrors returns a writer that sets Cache-Control to no-store when the status is an error. It is for
// http.ServeContent, which writes its own errors with the header fields of the content.
func NoStoreErrors(w http.ResponseWriter) http.ResponseWriter { return errorWriter{w} }

// errorWriter is what NoStoreErrors returns.
type errorWriter struct{ http.ResponseWriter }

func (w errorWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		w.Header()["Cache-Control"] = noStore[:]
	}
	w.ResponseWriter.WriteHeader(status)
}
