package storetest

import (
	"context"
	"errors"

	"github.com/trove-api/trove/store"
)

func joinRules() []rule[Record] {
	return []rule[Record]{
		{
			"a transaction within a transaction joins it",
			"With the context that the outer function was handed, both see each other's writes, which are saved together.",
			joins,
		},
		{
			"a joined transaction is not saved when the outer one fails",
			"Its success saves nothing by itself.",
			outerFails,
		},
		{
			"a transaction fails when one that joined it does",
			"Even if its own function returns nil: half of what was meant is not saved.",
			innerFails,
		},
	}
}

func joins(c *trial[Record]) {
	outer, inner := named("outer"), named("inner")
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
		if err := tx.Insert(ctx, outer); err != nil {
			return err
		}
		err := c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[Record]) error {
			return errors.Join(
				updating(outer.ID, func(r *Record) { r.Name = "by inner" })(ctx, tx),
				tx.Insert(ctx, inner),
			)
		})
		if err != nil {
			return err
		}
		c.holds()
		return updating(inner.ID, func(r *Record) { r.Name = "by outer" })(ctx, tx)
	})
	outer.Name, inner.Name = "by inner", "by outer"
	c.holds(outer, inner)
}

func outerFails(c *trial[Record]) {
	err := c.store.Transact(c.ctx, func(ctx context.Context, _ store.Tx[Record]) error {
		return errors.Join(c.store.Transact(ctx, inserting(named("inner"))), errRefused)
	})
	c.fails("Transact", err, errRefused)
	c.holds()
}

func innerFails(c *trial[Record]) {
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Record]) error {
		if err := tx.Insert(ctx, named("outer")); err != nil {
			return err
		}
		err := c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[Record]) error {
			return errors.Join(tx.Insert(ctx, named("inner")), errRefused)
		})
		c.fails("the inner Transact", err, errRefused)
		return nil
	})
	c.fails("the outer Transact", err, errRefused)
	c.holds()
}
