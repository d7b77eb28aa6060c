package pipeline

import (
	"context"

	"github.com/trove-api/trove/operation"
)

// serialize encodes the answer whole, so that an error of it can still be answered.
func serialize(_ context.Context, x *exchange) (err error) {
	switch {
	case !x.op.Answers():
		return nil
	case x.op.Handler != nil:
		x.answer, err = x.op.Out.Codec.Append(nil, x.out)
	case x.op.Kind == operation.KindGetCollection:
		x.answer, err = x.op.Resource.List.Append(nil, x.out)
	default:
		x.answer, err = x.op.Resource.Codec.Append(nil, x.record)
	}
	return err
}
