package storetest

import (
	"context"

	"github.com/trove-api/trove/store"
)

func orderRules() []rule[Record] {
	return []rule[Record]{
		{
			"records are listed in the order of their identifier",
			"A list without an order has this one, whenever a record was inserted or changed.",
			listsInOrder,
		},
		{
			"records of one transaction are listed in the order of their identifier",
			"Identifiers that are generated grow from insert to insert.",
			batchInOrder,
		},
	}
}

func listsInOrder(c *trial[Record]) {
	b, a, d := named("b"), named("a"), named("d")
	b.ID, a.ID, d.ID = 20, 3, 100
	c.insert(b, a, d)
	c.holds(a, b, d)
	c.update(a.ID, func(r *Record) { r.Name = "new" })
	a.Name = "new"
	c.holds(a, b, d)
	c.remove(b.ID)
	c.holds(a, d)
	c.insert(b)
	c.holds(a, b, d)
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
