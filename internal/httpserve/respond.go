package httpserve

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/operation"
)

// headersOf returns what writes the fields of a success, as the operation has them.
func headersOf(op *compiled.Operation) []func(x *exchange, header http.Header) {
	list := []func(x *exchange, header http.Header){}
	add := func(has bool, set func(x *exchange, header http.Header)) {
		if has {
			list = append(list, set)
		}
	}
	add(op.Creates || op.AllowCreate || op.IsLocated, (*exchange).setLocations)
	add(op.Cache != nil, func(_ *exchange, header http.Header) { header["Cache-Control"] = op.Cache })
	add(op.Private || op.Answers(), func(x *exchange, header http.Header) { x.setVary(header, false) })
	add(op.Answers() && op.Pages, (*exchange).setPageHeader)
	add(op.Answers(), (*exchange).setValidators)
	add(op.Observed, (*exchange).setFields)
	return list
}

// setHeader writes the fields of a success.
func (x *exchange) setHeader(header http.Header) {
	for _, set := range x.headers {
		set(x, header)
	}
	x.lead(header)
}

// setLocations writes where a new record is, and where the record that the response shows is returned in the same way by a
// Get (RFC 9110, sections 10.2.2 and 8.7).
func (x *exchange) setLocations(header http.Header) {
	location := ""
	if x.result.Created && x.status == http.StatusCreated {
		if location = x.location(x.result.Record); location != "" {
			header["Location"] = x.line(location)
		}
	}
	if !x.op.IsLocated {
		return
	}
	isItsPath := x.isHome && x.suffix == "" && strings.IndexByte(x.path, '%') < 0
	switch {
	case location != "":
	case !x.result.Created && isItsPath:
		location = x.path
	default:
		location = x.location(x.result.Record)
	}
	if location != "" {
		header["Content-Location"] = x.line(location)
	}
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
	case x.answers || refused && x.op.TellsRefusals:
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

// Values of fields that many answers share, and nobody changes.
var (
	varyAccept = [...]string{"Accept"}
	noSniff    = [...]string{"nosniff"}
)

// send sends the status and the body.
// The type of the content is said, and nosniff keeps browsers from guessing another one: a text of
// a user's must never be taken for a page with scripts.
func (x *exchange) send(header http.Header, contentTypes []string) {
	header["X-Content-Type-Options"] = noSniff[:]
	if !x.answers || x.status == http.StatusNotModified {
		x.writeHeader(x.status)
		return
	}
	header["Content-Type"] = contentTypes
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

// fields returns what functions of the user's have set in the header of the answer, nil for nothing.
func (x *exchange) fields() operation.AnswerHeader {
	if x.call.Request == nil {
		return nil
	}
	return x.call.Request.Answer
}

// checkFields refuses fields that are not for functions to set, before anything is saved: net/http
// would leave some of them out without a word.
func checkFields(_ context.Context, x *exchange) error {
	fields := x.fields()
	if fields == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch {
		case !compiled.IsFieldName(name):
			return fmt.Errorf("a function has set the field %q of the answer, which is no name of a field", name)
		case x.op.OwnsField(name):
			return fmt.Errorf("a function has set the field %s of the answer, which is Trove's own: see operation.AnswerHeader", name)
		case slices.ContainsFunc(fields[name], func(value string) bool { return !compiled.IsFieldValue(value) }):
			return fmt.Errorf("a function has set the field %s of the answer to a text with a control character", name)
		}
	}
	return nil
}

// setFields writes what functions have set: in place of what a middleware has, but beside it where
// each line stands for itself.
func (x *exchange) setFields(header http.Header) {
	for name, lines := range x.fields() {
		switch name {
		case "Link", "Set-Cookie", "Vary":
			addField(header, name, lines)
		default:
			header[name] = lines
		}
	}
}

// The fields that tell one state of a response from another: ETag, and Last-Modified if the record knows it
// (RFC 9110, section 8.8). A stream has none.

// tagRecord makes those of a response that shows the record. One that has not been saved has no state.
func tagRecord(_ context.Context, x *exchange) (err error) {
	if x.format.Stream || x.result.Unsaved {
		return nil
	}
	var room [96]byte
	tag, err := x.appendRecord(append(room[:0], '"'))
	if x.result.Embedded == nil { // which may have changed since
		x.modified = x.op.Resource.Modified(x.result.Record)
	}
	x.setTag(append(tag, '"'))
	return err
}

// tagBody makes those of any other response to a reader.
func tagBody(_ context.Context, x *exchange) error {
	if !x.format.Stream {
		var room [96]byte
		x.setTag(append(conditional.AppendHash(append(room[:0], '"'), x.body), '"'))
	}
	return nil
}

// setTag sets ETag, and Content-Length besides: the body is done, so that its length is known.
// Both are parts of one string, since a string each would be an allocation more for every answer.
func (x *exchange) setTag(tag []byte) {
	text := string(strconv.AppendInt(tag, int64(len(x.body)), 10))
	x.tag, x.length = text[:len(tag)], text[len(tag):]
}

// appendRecord appends the state of the record and, where that does not tell all of the
// answer, what does.
func (x *exchange) appendRecord(tag []byte) ([]byte, error) {
	r := x.op.Resource
	isWhole := x.call.Values.Fields == nil && x.result.Embedded == nil && x.result.Out == x.result.Record && !x.op.Computes
	if x.format.JSON && isWhole && !x.hidesState { // the body is the very bytes that Call.AppendState hashes
		return conditional.AppendState(tag, r.Version(x.result.Record), x.body), nil
	}
	tag, err := x.call.AppendState(tag, x.result.Record)
	if err != nil || x.format.JSON && bytes.Equal(x.call.State, x.body) {
		return tag, err
	}
	return conditional.AppendRepresentation(tag, x.body), err
}

// selected describes what the answer shows.
func (x *exchange) selected() conditional.Selected {
	return conditional.Selected{Exists: true, State: conditional.StateOf(x.tag), Tag: x.tag, Modified: x.modified}
}

// setValidators writes the fields.
func (x *exchange) setValidators(header http.Header) {
	if x.tag != "" {
		header["Etag"] = x.line(x.tag)
	}
	if !x.modified.IsZero() {
		header["Last-Modified"] = []string{x.modified.UTC().Format(http.TimeFormat)} // RFC 9110, section 5.6.7
	}
}
