package execute

import (
	"context"

	"github.com/trove-api/trove/internal/conditional"
)

// holdConditions compares the conditions of a change with the record as it is now, in
// the transaction that changes it.
// To compare before the transaction begins would leave time for another change between the two,
// which is what If-Match is there to prevent (RFC 9110, section 13.1.1).
func holdConditions(_ context.Context, c *Call) error {
	if c.Conditions.None() {
		return nil
	}
	now := conditional.Selected{Exists: !c.Created}
	if c.ID != nil && now.Exists {
		now.Modified = c.Operation.Resource.Modified(c.Record)
		state, err := c.AppendState(nil, c.Record)
		if err != nil {
			return err
		}
		now.State = string(state)
	}
	if !c.Conditions.Holds(now) {
		return ErrPrecondition
	}
	return nil
}

// AppendState appends what names the state of a record: its version, and a hash of its
// members, whose JSON is then in c.State. Those that no answer shows are hashed with a key,
// for a hash that anybody can make tells them to those who try all that they could be.
func (c *Call) AppendState(b []byte, record any) (_ []byte, err error) {
	r := c.Operation.Resource
	if r.HidesState() {
		if c.State, err = r.Codec.AppendState(c.State[:0], record); err != nil {
			return b, err
		}
		return conditional.AppendKeyedState(b, r.Version(record), c.State, c.Operation.API.TagKey), nil
	}
	if c.State, err = r.Source.Answer.Encoder.Append(c.State[:0], record); err != nil {
		return b, err
	}
	return conditional.AppendState(b, r.Version(record), c.State), nil
}
