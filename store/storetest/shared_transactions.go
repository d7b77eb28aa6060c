package storetest

import (
	"context"
	"errors"

	"github.com/trove-api/trove/store"
)

// jointTrial is the test of one rule on three stores that share transactions.
type jointTrial struct {
	*trial[account]

	keys   *trial[player]
	tokens *trial[token]
}

func jointRules() []rule[*jointTrial] {
	return []rule[*jointTrial]{
		{"one transaction changes three stores", "Each store joins through the context of the others, in any order, and sees its own earlier writes.", jointlySaved},
		{
			"a transaction over three stores that fails, panics or is cancelled saves nothing",
			"This applies to writes before and after those of the other stores. All locks must be released.",
			func(c *jointTrial) { c.ends(false) },
		},
		{
			"a transaction over three stores fails if one that joined it fails",
			"This applies even if the outer function returns nil. The outer transaction must not continue.",
			func(c *jointTrial) { c.ends(true) },
		},
		{"if one of three stores cannot save a value, nothing is saved", "This applies whether the error occurs on the write or at the end of the transaction.", jointlyTaken},
		{
			"concurrent transactions over two stores do not deadlock",
			"They begin in opposite order, or change only one of the stores. They may run again, but none may hang and no change may be lost.",
			jointlyOpposed,
		},
	}
}

// all inserts a record into each store, in a transaction of the first that the others join, and then runs last in it; or in
// that of the third store, whose error it ignores.
func (c *jointTrial) all(ctx context.Context, last func() error, isInner bool) error {
	return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
		if err := tx.Insert(ctx, named("a")); err != nil {
			return err
		}
		if err := c.keys.store.Transact(ctx, inserting(&player{"a", 1})); err != nil {
			return err
		}
		err := c.tokens.store.Transact(ctx, func(ctx context.Context, tx store.Tx[token]) error {
			if err := tx.Insert(ctx, &token{Label: "a"}); err != nil || !isInner {
				return err
			}
			return last()
		})
		switch {
		case !isInner && err == nil:
			return last()
		case !isInner:
			return err
		case err != nil && tx.Insert(ctx, named("b")) == nil:
			c.Errorf("the transaction continues after a joined one failed")
		}
		return nil
	})
}

// ends runs all with each ending that saves nothing, and then once more.
func (c *jointTrial) ends(isInner bool) {
	c.endings(func(ctx context.Context, last func() error) error { return c.all(ctx, last, isInner) }, func() { c.counts(0) })
	c.counts(1)
}

// counts checks that each store has that many records.
func (c *jointTrial) counts(want int) {
	c.Helper()
	records, keys, tokens := len(c.list()), len(c.keys.list()), len(c.tokens.list())
	if records != want || keys != want || tokens != want {
		c.Errorf("the stores have %d, %d and %d records, want %d each", records, keys, tokens, want)
	}
}

func jointlySaved(c *jointTrial) {
	err := c.all(c.ctx, func() error {
		c.counts(0)
		return nil
	}, false)
	if err != nil {
		c.Fatalf("Transact: %v", err)
	}
	c.counts(1)
	err = c.keys.store.Transact(c.ctx, func(ctx context.Context, outer store.Tx[player]) error {
		if err := c.store.Transact(ctx, inserting(named("b"))); err != nil {
			return err
		}
		return c.tokens.store.Transact(ctx, func(ctx context.Context, _ store.Tx[token]) error {
			err := c.keys.store.Transact(ctx, func(ctx context.Context, tx store.Tx[player]) error { return tx.Delete(ctx, "a") })
			if err != nil {
				return err
			}
			if _, err := outer.Get(ctx, "a"); !errors.Is(err, store.ErrNotFound) {
				c.Errorf("the outer transaction does not see the delete of the joined one: %v", err)
			}
			return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error { return tx.Insert(ctx, named("c")) })
		})
	})
	if err != nil {
		c.Fatalf("Transact: %v", err)
	}
	_, missing := c.keys.store.Get(c.ctx, "a")
	if c.fails("Get of the deleted record", missing, store.ErrNotFound); len(c.list()) != 3 {
		c.Errorf("%d records were saved, want 3", len(c.list()))
	}
}

func jointlyTaken(c *jointTrial) {
	c.insert(named("taken"))
	err := c.keys.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[player]) error {
		if err := tx.Insert(ctx, &player{"a", 1}); err != nil {
			return err
		}
		if err := c.tokens.store.Transact(ctx, inserting(&token{})); err != nil {
			return err
		}
		return c.store.Transact(ctx, inserting(named("taken")))
	})
	c.taken("Transact", err, "email")
	if n := len(c.keys.list()) + len(c.tokens.list()); n != 0 {
		c.Errorf("%d records were saved with one that could not be saved", n)
	}
}

// jointlyOpposed increments a record of each of two stores, in either order, and one of them alone.
func jointlyOpposed(c *jointTrial) {
	record, key := named("a"), &player{"a", 0}
	c.insert(record)
	c.keys.insert(key)
	nothing := func(context.Context) error { return nil }
	first := func(ctx context.Context, then func(context.Context) error) error {
		return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
			return errors.Join(updating(record.ID, func(r *account) { r.Count++ })(ctx, tx), then(ctx))
		})
	}
	second := func(ctx context.Context, then func(context.Context) error) error {
		return c.keys.store.Transact(ctx, func(ctx context.Context, tx store.Tx[player]) error {
			return errors.Join(updating("a", func(k *player) { k.Points++ })(ctx, tx), then(ctx))
		})
	}
	runs := []func() error{
		func() error { return first(c.ctx, func(ctx context.Context) error { return second(ctx, nothing) }) },
		func() error { return second(c.ctx, func(ctx context.Context) error { return first(ctx, nothing) }) },
		func() error { return second(c.ctx, nothing) },
		func() error { return first(c.ctx, nothing) },
	}
	const rounds = 5
	saved := make([]int, len(runs)) // a transaction that fails after too many conflicts does not count
	together(len(runs), func(worker int) error {
		for range rounds {
			switch err := runs[worker](); {
			case err == nil:
				saved[worker]++
			case !errors.Is(err, store.ErrUnavailable):
				c.Errorf("Transact: %v", err)
			}
		}
		return nil
	})
	count, points := int64(saved[0]+saved[1]+saved[3]), int64(saved[0]+saved[1]+saved[2])
	if gotCount, gotPoints := c.get(record.ID).Count, c.keys.get("a").Points; gotCount != count || gotPoints != points {
		c.Errorf("the counts are %d and %d, want %d and %d", gotCount, gotPoints, count, points)
	}
	if all := saved[0] + saved[1] + saved[2] + saved[3]; all < len(runs)*rounds/2 {
		c.Errorf("%d of %d transactions were saved, but most must succeed", all, len(runs)*rounds)
	}
}
