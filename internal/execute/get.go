package execute

import (
	"cmp"
	"context"
	"errors"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// Get reads the record that the path names.
func Get(op *compiled.Operation, with Functions) *Operation {
	o := begin(op, with)
	o.steps = steps([]step{
		when(len(op.Parents) > 0, "parents", readParents),
		{"read", readItem},
		when(op.Expansions != nil, "expand", embed),
	})
	return o
}

// readItem loads the record that the path names, or lets the call create it if AllowCreate says so.
// Each reason to reject is one that a caller could test for, so their order matters: below the
// parents, then visible, and only then everything that looks at the record.
func readItem(ctx context.Context, c *Call) error {
	o := c.Operation
	var loaded any
	var err error
	switch {
	case c.latest != nil && c.tx == nil: // Get may return an older one, of a cache or a replica
		loaded = c.latest
	case c.tx == nil: // the record is only read, so no copy is needed
		loaded, err = o.Resource.Store.Get(ctx, c.ID)
	case o.compares:
		loaded, err = c.tx.Peek(ctx, c.ID)
	default:
		loaded, err = c.tx.Get(ctx, c.ID)
	}
	if c.Created = o.AllowCreate && errors.Is(err, store.ErrNotFound); c.Created {
		return nil
	}
	if err != nil {
		return err
	}
	if o.Parents != nil {
		if below, err := c.isBelow(ctx, loaded); err != nil || !below {
			return cmp.Or(err, store.ErrNotFound)
		}
	}
	if o.Gate != nil { // a hidden record is missing, not forbidden: 403 would reveal that it exists
		holds, err := o.Gate.Read.Holds(ctx, &c.caller, loaded)
		if err != nil {
			return err
		}
		if !holds {
			return &HiddenError{o.Gate.Read.Denial(ctx, &c.caller, loaded)}
		}
	}
	c.Record = loaded
	if o.compares {
		// The clone is what is changed. The loaded one is shared with the store, and stays what it was.
		c.previous, c.Record = loaded, o.Resource.Codec.Clone(loaded)
		if c.Request != nil {
			c.Request.Previous = loaded
		}
	}
	return nil
}
