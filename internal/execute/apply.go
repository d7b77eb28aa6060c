package execute

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/validation"
)

// inputTarget makes what a body of another type than the record is decoded onto, and the record
// that it will be applied to.
// A new record gets the identifier of the path before the body is applied, so that the user's
// function sees it.
func (c *Call) inputTarget() *codec.Decoder {
	op, in := c.Operation, c.Operation.In
	if c.Created && op.Missing != nil {
		in = op.Missing
	}
	switch {
	case c.Created || op.Kind == operation.KindPost:
		c.Record, c.Created = op.Resource.Codec.New(), true
		if c.ID != nil {
			op.Resource.ID.Set(c.Record, c.ID)
		}
		c.in = in.Codec.New()
	case in.View.Named: // it is merged with what is there
		c.in = op.Input.Fill(c.Record)
	default:
		c.in = in.Codec.New()
	}
	return in.Decoder
}

// appliesInput leaves the step out where bodies are records themselves.
func appliesInput(op *compiled.Operation) bool { return op.Input != nil }

// apply checks a body of another type than the record, and applies it. The rules of the record
// come later, for nobody knows which of them a body that is not valid would break.
func apply(ctx context.Context, c *Call) error {
	found, err := c.Operation.In.Checker.Check(ctx, c.in, c.decoded)
	if err := refuseIf(found, err); err != nil {
		return err
	}
	err = c.Operation.Input.Apply(ctx, c.in, c.Record)
	if _, only := validation.Violations(err); !only {
		return err
	}
	if err != nil {
		c.refusals = append(c.refusals, err)
	}
	// From here on the call is about the record, as if the body had been one.
	c.in, c.decoded = c.Record, codec.Decoded{}
	return nil
}

// convert makes the answer that stands for a record, of which it sees what the caller may.
func (c *Call) convert(ctx context.Context, record any) (any, error) {
	record, err := c.masked(ctx, record)
	if err != nil {
		return nil, err
	}
	out, err := c.Operation.Output.Call(c.within(ctx), record)
	return out, err
}

// masked returns a record without what the caller may not see.
// A copy is cleared rather than the record, which the store may share with others.
func (c *Call) masked(ctx context.Context, record any) (any, error) {
	members := c.Operation.Resource.Gate
	if !members.Hides() {
		return record, nil
	}
	hidden, err := members.Hidden(ctx, &c.caller, record)
	if hidden == 0 || err != nil {
		return record, err
	}
	copied := c.Operation.Resource.Codec.Clone(record)
	for i := range members.List {
		if hidden.Has(i) {
			members.List[i].Field.Value(reflect.ValueOf(copied).Elem()).SetZero()
		}
	}
	return copied, nil
}
