package execute

import (
	"context"
	"errors"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/operation"
)

// deserialize applies the body to the record, or decodes the body of a handler.
func deserialize(_ context.Context, c *Call) error {
	target, codecOf, mode := c.target()
	decoded, err := codecOf.Decode(c.Body, target, mode)
	if malformed, ok := errors.AsType[*codec.SyntaxError](err); ok {
		return &RefusedError{Reason: Malformed, Detail: malformed.Detail, Pointer: malformed.Pointer}
	}
	c.decoded = decoded
	return err
}

// target returns what the body is decoded onto, and how.
func (c *Call) target() (any, *codec.Codec, codec.Mode) {
	records := c.Operation.Resource.Codec
	switch {
	case c.Operation.Handler != nil:
		c.in = c.Operation.In.Codec.New()
		return c.in, c.Operation.In.Codec, codec.Create
	case c.Operation.Kind == operation.KindPost:
		c.Record, c.Created = records.New(), true
		return c.Record, records, codec.Create
	case c.Created:
		c.Record = records.New()
		c.Operation.Resource.ID.Set(c.Record, c.ID)
		return c.Record, records, codec.CreateNamed
	case c.Operation.Replace:
		c.Record = records.Renew(c.Record)
		if !c.Operation.AllowCreate {
			return c.Record, records, codec.Replace
		}
		c.Operation.Resource.ID.Set(c.Record, c.ID) // the same body again must do what it did
		return c.Record, records, codec.ReplaceNamed
	}
	return c.Record, records, codec.Merge
}
