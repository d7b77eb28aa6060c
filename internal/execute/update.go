package execute

import (
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
)

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
func changing(op *compiled.Operation, with Functions, decode func(c *Call) *codec.Decoder) *Operation {
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
func decodeOnto(c *Call) *codec.Decoder {
	if c.Created {
		return decodeMissing(c)
	}
	c.in = c.Record
	return c.Operation.In.Decoder
}

// decodeInPlace decodes the body onto the defaults, but keeps fields that clients can neither set nor see.
func decodeInPlace(c *Call) *codec.Decoder {
	o := c.Operation
	if c.Created {
		return decodeMissing(c)
	}
	c.in = o.In.Decoder.ResetClone(c.Record)
	if c.Record = c.in; o.Missing != nil { // so that a repeated request has the same effect
		o.Resource.ID.Set(c.Record, c.ID)
	}
	return o.In.Decoder
}

// decodeMissing decodes the body onto a new record with the identifier of the path.
func decodeMissing(c *Call) *codec.Decoder {
	missing := c.Operation.Missing
	c.in = missing.Codec.New()
	c.Record = c.in
	c.Operation.Resource.ID.Set(c.Record, c.ID)
	return missing.Decoder
}

// decodeInputOnto decodes an Input of an update onto the values that Fill returns for the record.
func decodeInputOnto(c *Call) *codec.Decoder {
	if c.Created {
		return decodeInputOfNew(c)
	}
	c.in = c.Operation.Input.Fill(c.Record)
	return c.Operation.In.Decoder
}

// decodeInputInPlace decodes an Input of a replacement.
func decodeInputInPlace(c *Call) *codec.Decoder {
	if c.Created {
		return decodeInputOfNew(c)
	}
	c.in = c.Operation.In.Codec.New()
	return c.Operation.In.Decoder
}
