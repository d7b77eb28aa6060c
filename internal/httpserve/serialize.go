package httpserve

import (
	"context"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/codec"
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
