package execute

import (
	"cmp"
	"context"

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

// readItem loads the record that the path names.
func readItem(ctx context.Context, c *Call) error {
	loaded, err := c.loadItem(ctx)
	if err != nil {
		return err
	}
	return c.takeItem(ctx, loaded)
}

// loadItem returns the record that the path names, if it exists.
func (c *Call) loadItem(ctx context.Context) (any, error) {
	switch {
	case c.latest != nil && c.tx == nil: // Get may return an older one, of a cache or a replica
		return c.latest, nil
	case c.tx == nil: // the record is only read, so no copy is needed
		return c.Operation.Resource.Store.Get(ctx, c.ID)
	case c.Operation.compares:
		return c.tx.Peek(ctx, c.ID)
	}
	return c.tx.Get(ctx, c.ID)
}

// takeItem makes a loaded record that of the call, if the caller may see it there.
// Each reason to reject is one that a caller could test for, so their order matters: below the
// parents, then visible, and only then everything that looks at the record.
func (c *Call) takeItem(ctx context.Context, loaded any) error {
	o := c.Operation
	if o.Parents != nil {
		if below, err := c.isBelow(ctx, loaded); err != nil || !below {
			return cmp.Or(err, store.ErrNotFound)
		}
	}
	if o.Gate != nil {
		if err := c.mayRead(ctx, loaded); err != nil {
			return err
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
