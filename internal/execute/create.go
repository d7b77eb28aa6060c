package execute

import (
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
func decodeNew(c *Call) *codec.Decoder {
	in := c.Operation.In
	c.in = in.Codec.New()
	c.Record, c.Created = c.in, true
	return in.Decoder
}

// decodeInputOfNew decodes an Input for a new record. The record gets the identifier from the path first, so that the user
// function sees it.
func decodeInputOfNew(c *Call) *codec.Decoder {
	o := c.Operation
	in := o.In
	if c.Created && o.Missing != nil {
		in = o.Missing
	}
	if c.Record, c.Created = o.Resource.Codec.New(), true; c.ID != nil {
		o.Resource.ID.Set(c.Record, c.ID)
	}
	c.in = in.Codec.New()
	return in.Decoder
}
