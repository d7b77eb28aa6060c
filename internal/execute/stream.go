package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// What is asked of the store at once for a stream. A batch has few records if these are large, because many slow
// clients may each hold one, and many if they are small, because each costs a query.
const (
	firstBatch = 128       // records, before their size is known
	maxBatch   = 256       // records
	batchBytes = 128 << 10 // as they are written
)

// batch returns how many records the next batch of a stream has, of which the last ones had so many bytes each. What
// they always embed must fit in the budget.
func (c *Call) batch(size int) int {
	records := firstBatch
	if size > 0 {
		records = max(1, min(maxBatch, batchBytes/size))
	}
	if each := c.Operation.Always; each > 0 {
		records = max(1, min(records, c.Operation.API.MaxEmbedded/each))
	}
	return records
}

// beginStream loads the first records of a stream. A stream has all records that the
// conditions let pass, those behind the cursor if there is one, and takes no notice of pages.
// No total: to count would make the first line wait for all of them.
func (c *Call) beginStream(ctx context.Context) error {
	values := *c.Values // which other calls share
	c.Values = &values
	query := &values.Query
	query.Offset, query.Limit, query.Count = 0, c.batch(0), false
	page, err := c.loadPage(ctx, *query)
	c.Items, c.Total = page.Items, NoTotal
	return err
}

// Next loads the records of a stream behind those of items, none at its end. Each batch
// begins where the one before it ended: a record that comes or goes meanwhile moves no other.
// Result.Broken is that of the batch. Size is how many bytes a record has had so far.
func (c *Call) Next(ctx context.Context, items compiled.Items, size int) (compiled.Items, error) {
	c.Broken = nil
	if items.Len() < c.Values.Query.Limit {
		items.Cut(0)
		return items, nil
	}
	c.Values.Query.Limit = c.batch(size)
	query := c.Values.Query
	last := items.Len() - 1
	if positions := items.Positions(); positions != nil {
		query.After = positions[last]
	} else {
		query.After = c.Operation.Parameters.Position(query.Order, items.At(last), c.Masks(ctx))
	}
	page, err := c.loadPage(c.within(ctx), query)
	c.Items = page.Items // or the first batch would be in memory until the end
	if err == nil && c.Embedded != nil {
		c.Room.Clear() // of the batch before, which has been sent
		err = c.embedAll(c.within(ctx), c.room().list(page.Items))
	}
	return page.Items, err
}
