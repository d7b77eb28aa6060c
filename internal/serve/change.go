package serve

import (
	"context"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
)

// Create creates a record from the body.
func Create(op *compiled.Operation, with Functions) *Operation {
	o := begin(op, with)
	o.ofRecord()
	if o.decode = decodeNew; op.HasInput {
		o.decode = decodeInputOfNew
	}
	return o.writes(o.looks(nil), []step{
		{"deserialize", deserialize},
		when(op.HasInput, "apply", apply),
		when(len(op.Parents) > 0, "parents", setParents),
		when(op.Resource.Gate != nil, "members", guardMembers),
		when(op.Resource.Prepare != nil, "prepare", prepare),
		{"validate", validate},
		when(o.creates() && op.Resource.Gate != nil, "authorize", checkWritten),
		when(o.Gate != nil && (o.Gate.Act != nil || o.Gate.Create != nil), "authorize", authorizeChange),
	}, []step{
		{"write", o.write},
		when(op.Expansions != nil, "expand", embed),
	})
}

// decodeNew decodes the body onto a new record.
func decodeNew(c *call) *codec.Decoder {
	in := c.op.In
	c.in = in.Codec.New()
	c.record, c.created = c.in, true
	return in.Decoder
}

// decodeInputOfNew decodes an Input for a new record. The record gets the identifier from the path first, so that the user
// function sees it.
func decodeInputOfNew(c *call) *codec.Decoder {
	o := c.op
	in := o.In
	if c.created && o.Missing != nil {
		in = o.Missing
	}
	if c.record, c.created = o.Resource.Codec.New(), true; c.id != nil {
		o.Resource.ID.Set(c.record, c.id)
	}
	c.in = in.Codec.New()
	return in.Decoder
}

// Update applies the body to the record that the path names: a Patch, or a Put that keeps omitted fields.
func Update(op *compiled.Operation, with Functions) *Operation {
	if op.HasInput {
		return changing(op, with, decodeInputOnto)
	}
	return changing(op, with, decodeOnto)
}

// Replace replaces the record that the path names by the body.
func Replace(op *compiled.Operation, with Functions) *Operation {
	if op.HasInput {
		return changing(op, with, decodeInputInPlace)
	}
	return changing(op, with, decodeInPlace)
}

// changing returns an operation that changes the record that the path names, or creates it with AllowCreate.
func changing(op *compiled.Operation, with Functions, decode func(c *call) *codec.Decoder) *Operation {
	o := begin(op, with)
	o.ofRecord()
	o.decode = decode
	return o.writes(o.looks(readItem), o.builds(), []step{
		{"write", o.write},
		when(op.Expansions != nil, "expand", embed),
	})
}

// builds are the steps that make the changed record from the body.
func (o *Operation) builds() []step {
	return []step{
		when(o.Resource.Struct.Refers, "references", noteReferences),
		{"deserialize", deserialize},
		when(o.HasInput, "apply", apply),
		when(o.keepsCreated, "created", keepCreateOnly),
		when(len(o.Parents) > 0, "parents", setParents),
		when(o.Resource.Gate != nil, "members", guardMembers),
		when(o.Resource.Prepare != nil, "prepare", prepare),
		{"validate", validate},
		when(o.creates() && o.Resource.Gate != nil, "authorize", checkWritten),
		when(o.Gate != nil && (o.Gate.Act != nil || o.Gate.Create != nil), "authorize", authorizeChange),
	}
}

// decodeOnto decodes a merge patch onto the record. The record is the copy that readItem made.
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

// decodeInputOnto decodes an Input of an update onto the values that Fill returns for the record.
func decodeInputOnto(c *call) *codec.Decoder {
	if c.created {
		return decodeInputOfNew(c)
	}
	c.in = c.op.Input.Fill(c.record)
	return c.op.In.Decoder
}

// decodeInputInPlace decodes an Input of a replacement.
func decodeInputInPlace(c *call) *codec.Decoder {
	if c.created {
		return decodeInputOfNew(c)
	}
	c.in = c.op.In.Codec.New()
	return c.op.In.Decoder
}

// Delete deletes the record that the path names.
func Delete(op *compiled.Operation, with Functions) *Operation {
	o := begin(op, with)
	o.compares = op.Hooked
	o.savesBy(deleteRecord)
	return o.writes(o.looks(readItem), nil, []step{{"write", o.write}})
}

// deleteRecord deletes the record that the path names. It uses the path, because a Processor may have changed the
// identifier of the record.
func deleteRecord(ctx context.Context, c *call) error { return c.tx.Delete(ctx, c.id) }
