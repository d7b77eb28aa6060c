package httpserve

import (
	"context"

	"github.com/trove-api/trove/internal/codec"
)

// serialize encodes the answer whole, so that an error of it can still be answered. A
// stream is encoded as it is sent.
func serialize(_ context.Context, x *exchange) (err error) {
	switch {
	case x.format.Stream:
		return nil
	case x.result.Items != nil:
		x.body = x.appendItems(x.room())
	default:
		if x.body, err = x.encoder().Append(x.room(), x.result.Out); err == nil {
			x.body, err = appendEmbedded(x.body, x.result.Embedded, x.result.Record)
		}
	}
	return err
}

// encoder returns the encoder of what is answered, with the members that are asked for.
func (x *exchange) encoder() *codec.Encoder {
	out := x.op.Out
	if x.call.Values.Fields == nil {
		return out.Encoder
	}
	return out.Encoder.Narrow(out.View.Only(x.call.Values.Fields))
}
