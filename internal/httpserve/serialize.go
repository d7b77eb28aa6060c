package httpserve

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/execute"
)

// checkFields rejects header fields that functions must not set, before anything is saved, because net/http silently drops
// some of them.
func checkFields(_ context.Context, x *exchange) error {
	fields := x.call.Request.ResponseHeader
	if fields == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch {
		case !compiled.IsFieldName(name):
			return fmt.Errorf("a function has set the response header field %q, which is not a valid name", name)
		case x.op.ReservesHeader(name):
			return fmt.Errorf("a function has set the response header field %s, which Trove sets itself; see operation.ResponseHeader", name)
		case slices.ContainsFunc(fields[name], func(value string) bool { return !compiled.IsFieldValue(value) }):
			return fmt.Errorf("a function has set the response header field %s to a value with a control character", name)
		}
	}
	return nil
}

// serialize writes the whole body, so that an error can still be sent. A stream is written when it is sent.
func serialize(ctx context.Context, x *exchange) (err error) {
	x.encoder = x.op.Out.Encoder
	if fields := x.call.Values.Fields; fields != nil {
		x.encoder = x.encoder.Narrow(x.op.Out.View.Only(fields)) // not cached, because clients can request too many combinations
	}
	switch {
	case x.format.Stream:
		return nil
	case x.result.Items != nil:
		x.body, err = x.appendItems(ctx, x.buffers.response[:0])
	default:
		x.item = item{x: x}
		if x.op.HasOutput || x.op.Out.Type.Struct == x.op.Resource.Struct {
			x.item.record = x.op.Resource
		}
		x.body, err = x.appendView(ctx, x.buffers.response[:0], x.result.Out, x.format.Item)
	}
	if err != nil && x.work.err != nil { // a format may have wrapped it
		return x.work.err
	}
	return err
}

// appendView appends a value in the given format, without the fields that the caller may not see.
func (x *exchange) appendView(ctx context.Context, b []byte, value any, write func([]byte, format.Item) ([]byte, error)) ([]byte, error) {
	view, shown, err := x.call.View(ctx, value, x.encoder)
	if err != nil {
		return b, err
	}
	x.item.encoder, x.item.value, x.item.shown, x.item.embedded = view, value, shown, x.result.Embedded
	if x.buffers.scratch != nil {
		x.buffers.scratch.next()
	}
	return write(b, &x.item)
}

// work counts the work on a response, and ends it early on a timeout, when the client is gone, or when the budget of embedded
// records is exceeded.
type work struct {
	ctx       context.Context //nolint:containedctx // formats call back without one
	embedded  int64           // bytes of embedded records
	unchecked int             // bytes written since ctx was checked
	err       error           // why the response ends; nil while it continues
}

const (
	// checkEvery is the number of bytes after which the context is checked. Encoding them takes some microseconds.
	checkEvery = 16 << 10
	// perRecord is the work on a record in addition to its bytes.
	perRecord = 128
)

// did counts a record of n bytes, and returns an error if the response is to end.
func (w *work) did(n int) error {
	w.unchecked += n + perRecord
	if w.unchecked >= checkEvery && w.err == nil {
		w.unchecked = 0
		w.err = w.ctx.Err()
	}
	return w.err
}

// embeds counts an embedded record of n bytes, and returns an error if the response is to end.
func (x *exchange) embeds(n int) error {
	x.work.embedded += int64(n)
	if limit := x.op.API.MaxEmbeddedBytes; x.work.embedded > limit && x.work.err == nil {
		x.work.err = execute.TooMuchEmbedded(limit, "bytes of embedded records")
	}
	return x.work.did(n)
}

// tagRecord computes ETag and Last-Modified of a response that shows the record, unless the record has not been saved. If the
// state does not determine the whole response, the tag also has a hash of the representation.
func tagRecord(_ context.Context, x *exchange) (err error) {
	if x.format.Stream || x.result.Unsaved {
		return nil
	}
	version, modified := x.op.Resource.Stamps(x.result.Record)
	if x.result.Embedded == nil { // embedded records may have changed later
		x.modified = modified
	}
	var room [96]byte
	tag := append(room[:0], '"')
	isWhole := x.call.Values.Fields == nil && x.result.Embedded == nil && x.result.Out == x.result.Record && !x.op.Computes
	if x.format.JSON && isWhole && !x.hidesState { // the body has the bytes that Call.AppendState hashes
		tag = conditional.AppendState(tag, version, x.body)
	} else if tag, err = x.call.AppendState(tag, x.result.Record); err == nil && (!x.format.JSON || !bytes.Equal(x.call.State, x.body)) {
		tag = conditional.AppendRepresentation(tag, x.body)
	}
	x.setTag(append(tag, '"'))
	return err
}

// tagBody computes the ETag of all other responses to reads.
func tagBody(_ context.Context, x *exchange) error {
	if !x.format.Stream {
		var room [96]byte
		x.setTag(append(conditional.AppendHash(append(room[:0], '"'), x.body), '"'))
	}
	return nil
}

// setTag sets ETag and Content-Length as parts of one string, which saves an allocation.
func (x *exchange) setTag(tag []byte) {
	text := string(strconv.AppendInt(tag, int64(len(x.body)), 10))
	x.tag, x.length = text[:len(tag)], text[len(tag):]
}

// evaluateConditions evaluates the preconditions of a read.
func evaluateConditions(_ context.Context, x *exchange) error {
	if !x.call.Conditions.Given || x.format.Stream {
		return nil
	}
	selected := conditional.Selected{Exists: true, State: conditional.StateOf(x.tag), Tag: x.tag, Modified: x.modified}
	switch x.call.Conditions.Evaluate(selected) {
	case conditional.Failed:
		return x.preconditionFailed()
	case conditional.NotModified:
		x.status = http.StatusNotModified
	}
	return nil
}
