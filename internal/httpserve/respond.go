package httpserve

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
)

// respond sends the response. It returns an error only if nothing has been sent.
func (x *exchange) respond(ctx context.Context) error {
	switch {
	case x.result.Replayed:
		x.respondAgain()
	case x.format.Stream:
		return x.stream(ctx)
	default:
		header := x.w.Header()
		x.setHeader(header)
		x.send(header)
	}
	return nil
}

// setHeader writes the fields of a successful answer.
func (x *exchange) setHeader(header http.Header) {
	location := ""
	if x.result.Created && x.status == http.StatusCreated {
		if location = x.location(x.result.Record); location != "" {
			header["Location"] = x.line(location)
		}
	}
	if address := x.contentLocation(location); address != "" {
		header["Content-Location"] = x.line(address)
	}
	x.lead(header)
	if x.op.Cache != nil {
		header["Cache-Control"] = x.op.Cache
	}
	x.setVary(header, false)
	if x.op.Answers() {
		x.setPageHeader(header)
		x.setValidators(header)
	}
	x.setFields(header)
}

// line returns the value of a field of the answer, which the writer may keep. All of them are in one
// piece of memory, as large as most answers of the operation need.
func (x *exchange) line(text string) []string {
	if x.lines == nil {
		x.lines = make([]string, 0, x.most)
	}
	n := len(x.lines)
	x.lines = append(x.lines, text)
	return x.lines[n : n+1 : n+1]
}

// setVary names the request header fields that the response depends on, errors included.
func (x *exchange) setVary(header http.Header, refused bool) {
	switch {
	case x.op.Private:
		addField(header, "Vary", x.op.API.Vary)
	case x.op.Answers() || refused && x.op.TellsRefusals:
		addField(header, "Vary", varyAccept[:])
	}
}

// lead writes where documents of the answer's format are that say more of it.
func (x *exchange) lead(header http.Header) {
	if x.format.Leads != nil {
		AddLeads(header, x.r, *x.format.Leads)
	}
}

// AddLeads adds a field Link for each document that answers of a format lead to (RFC 8288).
func AddLeads(header http.Header, r *http.Request, leads []compiled.Lead) {
	for _, lead := range leads {
		addField(header, "Link", []string{"<" + origin(r) + lead.Path + `>; rel="` + lead.Rel + `"`})
	}
}

// contentLocation returns the address of the record that the answer to a Post, a Put or a Patch shows, as a
// Get there would (RFC 9110, section 8.7), "" for other answers. That of a new record is known.
func (x *exchange) contentLocation(location string) string {
	switch {
	case !x.op.IsLocated:
		return ""
	case location != "":
		return location
	case x.result.Created:
		return x.location(x.result.Record)
	case x.suffix == "" && x.op.Template == x.op.Resource.Get().Template && strings.IndexByte(x.path, '%') < 0:
		return x.path
	}
	return x.location(x.result.Record)
}

// Values of fields that many answers share, and nobody changes.
var (
	varyAccept = [...]string{"Accept"}
	noSniff    = [...]string{"nosniff"}
)

// send sends the status and the body.
// The type of the content is said, and nosniff keeps browsers from guessing another one: a text of
// a user's must never be taken for a page with scripts.
func (x *exchange) send(header http.Header) {
	header["X-Content-Type-Options"] = noSniff[:]
	if !x.op.Answers() || x.status == http.StatusNotModified {
		x.writeHeader(x.status)
		return
	}
	header["Content-Type"] = x.format.ContentTypes
	if x.result.Replayed {
		header["Content-Type"] = []string{cmp.Or(x.replayed.Type, x.format.ContentType)}
	}
	if x.length == "" {
		x.length = strconv.Itoa(len(x.body))
	}
	header["Content-Length"] = x.line(x.length)
	x.writeHeader(x.status)
	if x.r.Method != http.MethodHead {
		n, _ := x.w.Write(x.body) // the client may be gone, which is nobody's fault
		x.bytes += int64(n)
	}
}

// addField adds the only line of a field, behind those that a middleware has written.
// What is there may be a line that all answers share: that one is full, so that append copies it.
func addField(header http.Header, name string, line []string) {
	if there := header[name]; there != nil {
		line = append(there, line...)
	}
	header[name] = line
}

// writeHeader sends the status, after which no other answer can be given.
func (x *exchange) writeHeader(status int) {
	x.status, x.begun = status, true
	x.w.WriteHeader(status)
}

// successStatus returns the status of an operation that did what was asked.
// A Put that has created answers 201 (RFC 9110, section 9.3.4), one that has changed the
// operation's own.
func (x *exchange) successStatus() int {
	if x.result.Created && x.call.ID != nil {
		return http.StatusCreated
	}
	return x.op.Status
}
