package httpserve

import (
	"context"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/execute"
)

// serialize writes the answer whole, so that an error of it can still be answered. A stream
// is written as it is sent.
func serialize(ctx context.Context, x *exchange) (err error) {
	switch {
	case x.format.Stream:
		return nil
	case x.result.Items != nil:
		x.body, err = x.appendItems(ctx, x.answerBuffer())
	default:
		x.item = item{x: x}
		if x.op.HasOutput || x.op.Out.Type.Struct == x.op.Resource.Struct {
			x.item.record = x.op.Resource
		}
		x.body, err = x.appendView(ctx, x.answerBuffer(), x.encoder(), x.result.Out, x.format.Item)
	}
	if err != nil && x.work.err != nil { // which a format may have wrapped
		return x.work.err
	}
	return err
}

// appendView appends what a format writes of a value, as the client may see it.
func (x *exchange) appendView(ctx context.Context, b []byte, all *codec.Encoder, value any, write func([]byte, format.Item) ([]byte, error)) ([]byte, error) {
	view, shown, err := x.call.View(ctx, value, all)
	if err != nil {
		return b, err
	}
	x.item.encoder, x.item.value, x.item.shown = view, value, shown
	if x.buffers.made != nil {
		x.buffers.made.forNext()
	}
	return write(b, &x.item)
}

// encoder returns the encoder of what is answered, with the members that are asked for.
// That of chosen members is made for the request; which members there are to choose from is as many
// sets as clients can think of, so none is kept.
func (x *exchange) encoder() *codec.Encoder {
	out := x.op.Out
	if x.call.Values.Fields == nil {
		return out.Encoder
	}
	return out.Encoder.Narrow(out.View.Only(x.call.Values.Fields))
}

// work is what writing a response has taken so far. It ends the response early when its time is over, its client is
// gone, or its budget of embedded records is spent.
type work struct {
	ctx       context.Context //nolint:containedctx // formats call back without one
	embedded  int64           // bytes of embedded records
	unchecked int             // bytes written since ctx was checked
	err       error           // why it has ended; nil while it goes on
}

const (
	// checkEvery is after how many bytes the context is checked. Encoding as many takes some microseconds.
	checkEvery = 16 << 10
	// perRecord stands for the work on a record besides its bytes.
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

// ended returns why the response is to end, if that is why a record could not be written.
func (w *work) ended() error {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err
}
