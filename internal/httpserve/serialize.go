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
	case x.op.Handler != nil && x.op.Out.Codec != x.op.Resource.Codec:
		x.body, err = x.op.Out.Codec.Append(x.room(), x.result.Out)
	case x.op.Handler != nil:
		x.body, err = x.appendView(ctx, x.room(), x.op.Out.Codec, x.result.Out)
	case x.result.Items != nil:
		x.body = x.appendItems(ctx, x.room())
	default:
		x.body, err = x.appendView(ctx, x.room(), x.encoder(), x.result.Record)
	}
	return err
}

// appendView appends a record as the client may see it.
func (x *exchange) appendView(ctx context.Context, b []byte, all *codec.Codec, record any) ([]byte, error) {
	view, err := x.call.View(ctx, record, all)
	if err != nil {
		return b, err
	}
	return view.Append(b, record)
}

// encoder returns the codec of records with the members that are asked for.
func (x *exchange) encoder() *codec.Codec {
	if x.call.Values.Fields == nil {
		return x.op.Resource.Codec
	}
	return x.op.Resource.Codec.Select(x.call.Values.Fields)
}
