package pipeline

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/trove-api/trove/internal/conditional"
)

// addValidators makes the fields that tell one state of an answer from another: ETag, and
// Last-Modified where the record knows it (RFC 9110, section 8.8). A stream has none.
func addValidators(_ context.Context, x *exchange) (err error) {
	switch {
	case x.format.Stream || !x.op.Answers():
	case x.showsRecord():
		err = x.addRecordValidators()
	case x.items != nil:
		x.tag = conditional.Tag(conditional.Hash(x.answer, x.link, strconv.Itoa(x.total)), "")
	case !x.op.Kind.Writes():
		x.tag = conditional.Tag(conditional.Hash(x.answer), "")
	}
	return err
}

// showsRecord reports whether the answer is the record that the request is about. A
// handler may answer with another one.
func (x *exchange) showsRecord() bool {
	if x.op.Handler == nil {
		return x.items == nil
	}
	r := x.op.Resource
	return x.id != nil && x.op.Out.Codec == r.Codec && x.tx != nil
}

func (x *exchange) addRecordValidators() (err error) {
	r := x.op.Resource
	if x.values.Fields == nil && x.op.Handler == nil && r.Codec.ShowsState() && !x.isCounted() {
		x.state = conditional.State(r.Version(x.record), x.answer)
		x.tag = conditional.Tag(x.state, "")
	} else {
		x.state, err = x.stateOf(x.record)
		x.tag = conditional.Tag(x.state, conditional.Hash(x.answer))
	}
	x.modified = r.Modified(x.record)
	return err
}

// isCounted reports whether the number of a record's version tells its state. It does
// not where clients choose identifiers: another record may come to have the same ones.
func (x *exchange) isCounted() bool {
	return x.op.Resource.Struct.Version != nil && x.op.Resource.ID.Generated()
}

// stateOf returns what names the state of a record.
func (x *exchange) stateOf(record any) (string, error) {
	r := x.op.Resource
	if x.isCounted() {
		return conditional.State(r.Version(record), nil), nil
	}
	content, err := r.Codec.AppendState(x.buffers.take(), record)
	defer x.buffers.giveBack(content)
	return conditional.State(r.Version(record), content), err
}

// selected describes what the answer shows, or what a change would be made to.
func (x *exchange) selected() conditional.Selected {
	return conditional.Selected{Exists: true, State: x.state, Tag: x.tag, Modified: x.modified}
}

// setValidators writes the fields.
func (x *exchange) setValidators(header http.Header) {
	if x.tag != "" {
		header["Etag"] = []string{x.tag}
	}
	if !x.modified.IsZero() {
		header["Last-Modified"] = []string{httpTime(x.modified)}
	}
}

// httpTime writes a time as HTTP does (RFC 9110, section 5.6.7).
func httpTime(t time.Time) string { return t.UTC().Format(http.TimeFormat) }
