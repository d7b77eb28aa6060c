package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// maxBatch is how many records of a stream are asked of the store at once.
// Large enough to make the cost of a query small, small enough to be in memory at once for many
// streams.
const maxBatch = 256

// batch returns how many records the next batch of a stream has: fewer than maxBatch if what they always embed
// would exceed the budget.
func (c *Call) batch() int {
	if each := c.Operation.Always; each > 0 {
		return min(maxBatch, max(1, c.Operation.API.MaxEmbedded/each))
	}
	return maxBatch
}

// beginStream loads the first records of a stream. A stream has all records that the
// conditions let pass, those behind the cursor if there is one, and takes no notice of pages.
// No total: to count would make the first line wait for all of them.
func (c *Call) beginStream(ctx context.Context) error {
	values := *c.Values // which other calls share
	c.Values = &values
	query := &values.Query
	query.Offset, query.Limit, query.Count = 0, c.batch(), false
	page, err := c.loadPage(ctx, *query)
	c.Items, c.Total = page.Items, NoTotal
	return err
}

// Next loads the records of a stream behind those of items, none at its end. Each batch
// begins where the one before it ended: a record that comes or goes meanwhile moves no other.
// Result.Broken is that of the batch.
func (c *Call) Next(ctx context.Context, items compiled.Items) (compiled.Items, error) {
	c.Broken = nil
	if items.Len() < c.Values.Query.Limit {
		items.Cut(0)
		return items, nil
	}
	query := c.Values.Query
	last := items.Len() - 1
	if positions := items.Positions(); positions != nil {
		query.After = positions[last]
	} else {
		query.After = c.Operation.Parameters.Position(query.Order, items.At(last), c.Masks(ctx))
	}
	page, err := c.loadPage(c.within(ctx), query)
	if err == nil && c.Embedded != nil {
		c.Room.Clear() // of the batch before, which has been sent
		err = c.embedAll(c.within(ctx), c.room().list(page.Items))
	}
	return page.Items, err
}
