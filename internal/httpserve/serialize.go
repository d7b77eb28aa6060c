package httpserve

import (
	"context"

	"github.com/trove-api/trove/internal/codec"
)

// serialize encodes the answer whole, so that an error of it can still be answered. A
// stream is encoded as it is sent.
func serialize(ctx context.Context, x *exchange) (err error) {
	switch {
	case x.format.Stream:
		return nil
	case x.result.Items != nil:
		x.body = x.appendItems(ctx, x.room())
	default:
		x.body, err = x.appendView(ctx, x.room(), x.encoder(), x.result.Out)
	}
	return err
}

// appendView appends a record as the client may see it.
func (x *exchange) appendView(ctx context.Context, b []byte, all *codec.Encoder, record any) ([]byte, error) {
	view, shown, err := x.call.View(ctx, record, all)
	if err != nil {
		return b, err
	}
	return view.Append(b, shown)
}

// encoder returns the encoder of what is answered, with the members that are asked for.
func (x *exchange) encoder() *codec.Encoder {
	out := x.op.Out
	if x.call.Values.Fields == nil {
		return out.Encoder
	}
	return out.Encoder.Narrow(out.View.Only(x.call.Values.Fields))
}
