package httpserve

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/trove-api/trove/internal/conditional"
)

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
	isWhole := x.call.Values.Fields == nil && x.result.Embedded == nil && x.result.Out == x.result.Record && !x.op.Computes()
	if x.format.JSON && isWhole && !r.HidesState() { // the body is the very bytes that Call.AppendState hashes
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
		header["Last-Modified"] = []string{httpTime(x.modified)}
	}
}

// httpTime writes a time as HTTP does (RFC 9110, section 5.6.7).
func httpTime(t time.Time) string { return t.UTC().Format(http.TimeFormat) }
