package execute

import (
	"context"
	"errors"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/view"
)

// deserialize decodes the body onto the record, or onto what a handler is called with.
func deserialize(_ context.Context, c *Call) error {
	decoded, err := c.target().Decode(c.Body, c.in)
	if malformed, ok := errors.AsType[*codec.SyntaxError](err); ok {
		return &RefusedError{Reason: Malformed, Detail: malformed.Detail, Pointer: malformed.Pointer}
	}
	// Wrong types are no error yet: they are told together with broken rules, all at once.
	c.decoded = decoded
	return err
}

// target makes what the body is decoded onto, and returns how.
// A change is applied to the copy that [read] made, so that what is stored stays as it is until the
// whole call has succeeded.
func (c *Call) target() *codec.Decoder {
	op, in := c.Operation, c.Operation.In
	if op.Input != nil {
		return c.inputTarget()
	}
	if c.Created {
		in = op.Missing
	}
	switch {
	case c.Created, !in.View.Named:
		c.in = in.Codec.New()
	// A replacing Put begins with the defaults, but keeps what its client can neither set nor see.
	case in.View.Patch == view.Whole:
		c.in = in.Decoder.ResetClone(c.Record)
	default:
		c.in = c.Record
	}
	if op.Handler != nil {
		return in.Decoder
	}
	c.Record, c.Created = c.in, c.Created || !in.View.Named
	if op.Missing != nil && in.View.Patch == view.Whole { // the same body again must do what it did
		op.Resource.ID.Set(c.Record, c.ID)
	}
	return in.Decoder
}
