package storetest

import (
	"context"

	"github.com/trove-api/trove/store"
)

func orderRules() []rule[Record] {
	return []rule[Record]{
		{
			"records are listed in the order in which they were inserted",
			"A collection has one order, whatever the records contain.",
			listsInOrder,
		},
		{
			"records of one transaction are listed in the order in which it inserted them",
			"What is saved together is not saved in any order.",
			batchInOrder,
		},
		{
			"an updated record keeps its place",
			"A change does not move a record in the list.",
			updateKeepsPlace,
		},
		{
			"records around a deleted one keep their order",
			"A delete moves no record in the list.",
			deleteKeepsOrder,
		},
	}
}

func listsInOrder(c *trial[Record]) {
	b, a, d := named("b"), named("a"), named("d")
	c.insert(b, a, d)
	c.holds(b, a, d)
}

func batchInOrder(c *trial[Record]) {
	batch := []*Record{named("h"), named("b"), named("g"), named("a"), named("f"), named("c"), named("e"), named("d")}
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
		for _, record := range batch {
			if err := tx.Insert(ctx, record); err != nil {
				return err
			}
		}
		return nil
	})
	c.holds(batch...)
}

func updateKeepsPlace(c *trial[Record]) {
	a, b, d := named("a"), named("b"), named("d")
	c.insert(a, b, d)
	c.update(a.ID, func(r *Record) { r.Name = "new" })
	a.Name = "new"
	c.holds(a, b, d)
}

func deleteKeepsOrder(c *trial[Record]) {
	a, b, d, e := named("a"), named("b"), named("d"), named("e")
	c.insert(a, b, d, e)
	c.remove(b.ID)
	c.holds(a, d, e)
	c.remove(a.ID)
	c.holds(d, e)
	f := named("f")
	c.insert(f)
	c.holds(d, e, f)
}
