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
	case x.op.Handler != nil:
		x.body, err = x.op.Out.Codec.Append(x.room(), x.result.Out)
	case x.result.Items != nil:
		x.body = x.appendItems(x.room())
	default:
		x.body, err = x.encoder().Append(x.room(), x.result.Record)
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
