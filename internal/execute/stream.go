package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// batch is how many records of a stream are asked of the store at once.
// Large enough to make the cost of a query small, small enough to be in memory at once for many
// streams.
const batch = 256

// beginStream loads the first records of a stream. A stream has all records that the
// conditions let pass, those behind the cursor if there is one, and takes no notice of pages.
// No total: to count would make the first line wait for all of them.
func (c *Call) beginStream(ctx context.Context) error {
	values := *c.Values // which other calls share
	c.Values = &values
	query := &values.Query
	query.Offset, query.Limit, query.Count = 0, batch, false
	page, err := c.loadPage(ctx, *query)
	c.Items, c.Total = page.Items, NoTotal
	return err
}

// Next loads the records of a stream behind those of items, none at its end. Each batch
// begins where the one before it ended: a record that comes or goes meanwhile moves no other.
// Result.Broken is that of the batch.
func (c *Call) Next(ctx context.Context, items compiled.Items) (compiled.Items, error) {
	c.Broken = nil
	if items.Len() < batch {
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
		c.Embedded, err = c.expand(c.within(ctx), c.Operation.Expansions, c.room().list(page.Items))
	}
	return page.Items, err
}
