package pipeline

import (
	"context"
	"errors"
	"net/http"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
)

// deserialize applies the body to the record, or decodes the body of a handler.
func deserialize(_ context.Context, x *exchange) error {
	target, codecOf, mode := x.target()
	decoded, err := codecOf.Decode(x.body, target, mode)
	if malformed, ok := errors.AsType[*codec.SyntaxError](err); ok {
		refusal := problem.New(http.StatusBadRequest, malformed.Detail)
		if malformed.Pointer != "" {
			refusal.Members = []problem.Member{{Name: "pointer", Value: malformed.Pointer}}
		}
		return refusal
	}
	x.decoded = decoded
	return err
}

// target returns what the body is decoded onto, and how.
func (x *exchange) target() (any, *codec.Codec, codec.Mode) {
	records := x.op.Resource.Codec
	switch {
	case x.op.Handler != nil:
		x.in = x.op.In.Codec.New()
		return x.in, x.op.In.Codec, codec.Create
	case x.op.Kind == operation.KindPost:
		x.record, x.created = records.New(), true
		return x.record, records, codec.Create
	case x.created:
		x.record = records.New()
		x.op.Resource.ID.Set(x.record, x.id)
		return x.record, records, codec.CreateNamed
	case x.op.Replace:
		x.record = records.Renew(x.record)
		if !x.op.AllowCreate {
			return x.record, records, codec.Replace
		}
		x.op.Resource.ID.Set(x.record, x.id) // the same body again must do what it did
		return x.record, records, codec.ReplaceNamed
	}
	return x.record, records, codec.Merge
}
