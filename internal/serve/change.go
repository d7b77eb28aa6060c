package serve

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
)

// newSave saves a record as the body says. A Post creates it, a Patch or Put changes the one that the path names, and a Put
// with AllowCreate creates that if it is missing.
func newSave(op *compiled.Operation) *Operation {
	o := begin(op)
	o.ofRecord()
	return o.writes(slices.Concat(o.applies(), o.checks()), []step{
		{"write", o.write},
		when(op.Expansions != nil, "expand", embed),
	})
}

// newDelete deletes the record that the path names. It uses the path, because a Processor may have changed the identifier of
// the record.
func newDelete(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares = op.Hooked
	o.savesBy(func(ctx context.Context, c *call) error { return c.tx.Delete(ctx, c.id) })
	return o.writes(nil, []step{{"write", o.write}})
}

// applies are the steps that apply the body to a record.
func (o *Operation) applies() []step {
	return []step{
		when(o.Item && o.Resource.Struct.Refers, "references", noteReferences),
		{"deserialize", deserialize},
		when(o.Input != nil, "apply", apply),
		when(o.keepsCreated, "created", keepCreateOnly),
		when(len(o.Parents) > 0, "parents", setParents),
		when(o.Resource.Gate != nil, "members", guardMembers),
	}
}

// checks are the steps that check the record that a body makes.
func (o *Operation) checks() []step {
	mayCreate := o.AllowCreate || !o.Item
	return []step{
		when(o.Resource.Prepare != nil, "prepare", prepare),
		{"validate", validate},
		when(mayCreate && o.Resource.Gate != nil, "authorize", checkWritten),
		when(o.Gate != nil && (o.Gate.Act != nil || o.Gate.Create != nil), "authorize", authorizeChange),
	}
}

// ofRecord prepares an operation whose body is a record, or is applied to one.
func (o *Operation) ofRecord() {
	r := o.Resource
	if o.Input != nil {
		o.checker = r.Checker
	}
	switch {
	case o.Input != nil:
		o.decode = decodeInput
	case !o.Item:
		o.decode = decodeNew
	case o.Replace:
		o.decode = decodeInPlace
	default:
		o.decode = decodeOnto
	}
	o.keepsCreated = keepsCreateOnly(o.Operation)
	o.compares = o.Hooked || r.Gate != nil || o.keepsCreated
	if r.Before != nil {
		o.before = func(ctx context.Context, c *call) error { return r.Before(ctx, c.request, c.record) }
	}
	o.savesBy(putRecord)
}

// decodeNew decodes the body onto a new record.
func decodeNew(c *call) *codec.Decoder {
	c.in = c.op.In.Codec.New()
	c.record, c.created = c.in, true
	return c.op.In.Decoder
}

// decodeOnto decodes a merge patch onto the record, which is the copy that readItem made.
func decodeOnto(c *call) *codec.Decoder {
	if c.created {
		return decodeMissing(c)
	}
	c.in = c.record
	return c.op.In.Decoder
}

// decodeInPlace decodes the body onto the defaults, but keeps fields that clients can neither set nor see.
func decodeInPlace(c *call) *codec.Decoder {
	o := c.op
	if c.created {
		return decodeMissing(c)
	}
	c.in = o.In.Decoder.ResetClone(c.record)
	if c.record = c.in; o.Missing != nil { // so that a repeated request has the same effect
		o.Resource.ID.Set(c.record, c.id)
	}
	return o.In.Decoder
}

// decodeMissing decodes the body onto a new record with the identifier of the path.
func decodeMissing(c *call) *codec.Decoder {
	missing := c.op.Missing
	c.in = missing.Codec.New()
	c.record = c.in
	c.op.Resource.ID.Set(c.record, c.id)
	return missing.Decoder
}

// decodeInput decodes an Input: that of an update onto the values that Fill returns for the record, all others onto
// defaults. A new record gets the identifier from the path first, so that the user function sees it.
func decodeInput(c *call) *codec.Decoder {
	o, in := c.op, c.op.In
	switch {
	case c.record != nil && !o.Replace:
		c.in = o.Input.Fill(c.record)
		return in.Decoder
	case c.record == nil:
		if c.created && o.Missing != nil {
			in = o.Missing
		}
		if c.record, c.created = o.Resource.Codec.New(), true; c.id != nil {
			o.Resource.ID.Set(c.record, c.id)
		}
	}
	c.in = in.Codec.New()
	return in.Decoder
}
