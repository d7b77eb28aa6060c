package httpserve

import (
	"context"

	"github.com/trove-api/trove/internal/codec"
)

// serialize writes the answer whole, so that an error of it can still be answered. A stream
// is written as it is sent.
func serialize(_ context.Context, x *exchange) (err error) {
	switch {
	case x.format.Stream:
		return nil
	case x.op.Handler != nil:
		out := x.op.Out.Codec
		x.item = item{x: x, encoder: out, value: x.result.Out, isRecord: out == x.op.Resource.Codec}
		x.body, err = x.format.Item(x.room(), &x.item)
	case x.result.Items != nil:
		x.body, err = x.appendItems(x.room())
	default:
		x.item = item{x: x, encoder: x.encoder(), value: x.result.Record, isRecord: true}
		x.body, err = x.format.Item(x.room(), &x.item)
	}
	return err
}

// encoder returns the codec of records with the members that are asked for.
func (x *exchange) encoder() *codec.Codec {
	if x.call.Values.Fields == nil {
		return x.op.Resource.Codec
	}
	return x.op.Resource.Codec.Select(x.call.Values.Fields)
}
