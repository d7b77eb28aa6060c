package execute

import (
	"cmp"
	"context"
	"errors"

	"github.com/trove-api/trove/store"
)

// read loads the record that the path names, or the records of a collection.
func read(ctx context.Context, c *Call) error {
	if c.Operation.IsCollection() {
		return c.list(ctx)
	}
	return c.readItem(ctx)
}

// Each reason to refuse is one a caller could test for, so that their order matters: below the
// parents, then visible, and only then all that looks at the record.
func (c *Call) readItem(ctx context.Context) error {
	compared := c.Operation.compares
	loaded, err := c.load(ctx, compared)
	if err != nil {
		return c.orCreate(err)
	}
	if below, err := c.isBelow(ctx, loaded); err != nil || !below {
		return cmp.Or(err, store.ErrNotFound)
	}
	// Before anything else looks at it: what may not be seen is missing for every later step.
	if err := c.mayRead(ctx, loaded); err != nil {
		return err
	}
	c.Record = loaded
	if compared {
		// The clone is what is changed. The loaded one is shared with the store, and stays what it was.
		c.previous, c.Record = loaded, c.Operation.Resource.Codec.Clone(loaded)
	}
	if compared && c.Request != nil {
		c.Request.Previous = c.previous
	}
	return nil
}

// load returns the record: one that is shared, or a copy in a transaction that changes it.
// Outside of a transaction the store's answer is only read, so that no copy is needed.
func (c *Call) load(ctx context.Context, shared bool) (any, error) {
	switch {
	case c.latest != nil && c.tx == nil: // Get may return an older one, of a cache or a replica
		return c.latest, nil
	case c.tx == nil:
		return c.Operation.Resource.Store.Get(ctx, c.ID)
	case shared:
		return c.tx.Peek(ctx, c.ID)
	}
	return c.tx.Get(ctx, c.ID)
}

// orCreate lets a Put with AllowCreate go on where the record is missing.
func (c *Call) orCreate(err error) error {
	if c.Operation.AllowCreate && errors.Is(err, store.ErrNotFound) {
		c.Created = true
		return nil
	}
	return err
}
