package serve

import (
	"cmp"
	"context"
	"errors"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// newGet reads the record that the path names.
func newGet(op *compiled.Operation) *Operation {
	o := begin(op)
	return o.reads([]step{
		when(len(op.Parents) > 0, "parents", readParents),
		{"read", readItem},
		when(op.Expansions != nil, "expand", embed),
	})
}

// readItem loads the record that the path names; with AllowCreate it marks a missing record to be created. The order of
// checks matters, because callers can observe it: below the parents, then visible, then everything else.
func readItem(ctx context.Context, c *call) error {
	o := c.op
	var loaded any
	var err error
	switch {
	case c.latest != nil && c.tx == nil: // Get may return an older one from a cache or a replica
		loaded = c.latest
	case c.tx == nil: // no copy, because the record is only read
		loaded, err = o.Resource.Store.Get(ctx, c.id)
	case o.compares:
		loaded, err = c.tx.Peek(ctx, c.id)
	default:
		loaded, err = c.tx.Get(ctx, c.id)
	}
	if c.created = o.AllowCreate && errors.Is(err, store.ErrNotFound); c.created {
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
	if o.Gate != nil { // not found rather than forbidden, which would reveal that the record exists
		holds, err := o.Gate.Read.Holds(ctx, &c.caller, loaded)
		if err != nil {
			return err
		}
		if !holds {
			return &hiddenError{o.Gate.Read.Denial(ctx, &c.caller, loaded)}
		}
	}
	c.record = loaded
	if o.compares {
		// Changes go to a clone, because the store may share the loaded record.
		c.previous, c.record = loaded, o.Resource.Codec.Clone(loaded)
		if c.request != nil {
			c.request.Previous = loaded
		}
	}
	return nil
}
