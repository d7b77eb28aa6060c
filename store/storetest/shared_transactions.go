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
			"a failed transaction over three stores saves nothing",
			"This applies to writes before and after those of the other stores.",
			func(c *jointTrial) {
				c.fails("Transact", c.all(c.ctx, func() error { return errRollback }), errRollback)
				c.counts(0)
			},
		},
		{"a transaction over three stores fails if one that joined it fails", "This applies even if the outer function returns nil.", jointlyFailed},
		{"a transaction over three stores that panics saves nothing", "The panic must propagate, and all locks must be released.", jointlyPanicked},
		{
			"a cancelled transaction over three stores saves nothing",
			"The caller no longer waits for the result.",
			func(c *jointTrial) {
				ctx, cancel := context.WithCancel(c.ctx)
				err := c.all(ctx, func() error {
					cancel()
					return nil
				})
				c.fails("Transact", err, context.Canceled)
				c.counts(0)
			},
		},
		{"if one of three stores cannot save a value, nothing is saved", "This applies whether the error occurs on the write or at the end of the transaction.", jointlyTaken},
		{"transactions over two stores in opposite order do not deadlock", "They may run again, but none may hang and no change may be lost.", jointlyOpposed},
		{"transactions of one store run alongside those of several", "No increment may be lost.", jointlyNextToEachOther},
	}
}

// all inserts a record into each store, in a transaction of the first that the others join, and then runs last in it.
func (c *jointTrial) all(ctx context.Context, last func() error) error {
	return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
		if err := tx.Insert(ctx, named("a")); err != nil {
			return err
		}
		if err := c.keys.store.Transact(ctx, inserting(playerOf("a", 1))); err != nil {
			return err
		}
		if err := c.tokens.store.Transact(ctx, inserting(&token{Label: "a"})); err != nil {
			return err
		}
		return last()
	})
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
	})
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

func jointlyFailed(c *jointTrial) {
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[account]) error {
		if err := tx.Insert(ctx, named("a")); err != nil {
			return err
		}
		if err := c.keys.store.Transact(ctx, inserting(playerOf("a", 1))); err != nil {
			return err
		}
		inner := c.tokens.store.Transact(ctx, func(ctx context.Context, tx store.Tx[token]) error {
			return errors.Join(tx.Insert(ctx, &token{}), errRollback)
		})
		c.fails("the inner Transact", inner, errRollback)
		if err := tx.Insert(ctx, named("b")); err == nil {
			c.Errorf("the transaction continues after a joined one failed")
		}
		return nil
	})
	c.fails("the outer Transact", err, errRollback)
	c.counts(0)
}

func jointlyPanicked(c *jointTrial) {
	for range 2 {
		func() {
			defer func() {
				if thrown := recover(); thrown != "thrown" {
					c.Errorf("recovered %v", thrown)
				}
			}()
			_ = c.all(c.ctx, func() error { panic("thrown") })
		}()
		c.counts(0)
	}
	if err := c.all(c.ctx, func() error { return nil }); err != nil {
		c.Errorf("the next transaction: %v", err)
	}
	c.counts(1)
}

func jointlyTaken(c *jointTrial) {
	c.insert(named("taken"))
	err := c.keys.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[player]) error {
		if err := tx.Insert(ctx, playerOf("a", 1)); err != nil {
			return err
		}
		if err := c.tokens.store.Transact(ctx, inserting(&token{})); err != nil {
			return err
		}
		return c.store.Transact(ctx, inserting(named("taken")))
	})
	c.fails("Transact", err, store.UniqueError{Field: "email"})
	if n := len(c.keys.list()) + len(c.tokens.list()); n != 0 {
		c.Errorf("%d records were saved with one that could not be saved", n)
	}
}

// jointlyOpposed increments a record of each of two stores, half of the time in the opposite order.
func jointlyOpposed(c *jointTrial) {
	record, key := named("a"), playerOf("a", 0)
	c.insert(record)
	c.keys.insert(key)
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
	nothing := func(context.Context) error { return nil }
	even, odd := c.eventually(func(worker int) error {
		if worker%2 == 0 {
			return first(c.ctx, func(ctx context.Context) error { return second(ctx, nothing) })
		}
		return second(c.ctx, func(ctx context.Context) error { return first(ctx, nothing) })
	})
	c.both(record.ID, even+odd, even+odd)
}

// jointlyNextToEachOther increments records in transactions of one store and of two stores at once.
func jointlyNextToEachOther(c *jointTrial) {
	record, key := named("a"), playerOf("a", 0)
	c.insert(record)
	c.keys.insert(key)
	points := updating("a", func(k *player) { k.Points++ })
	even, odd := c.eventually(func(worker int) error {
		if worker%2 == 0 {
			return c.keys.store.Transact(c.ctx, points)
		}
		return c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[account]) error {
			return errors.Join(updating(record.ID, func(r *account) { r.Count++ })(ctx, tx), c.keys.store.Transact(ctx, points))
		})
	})
	c.both(record.ID, odd, even+odd)
}

// eventually runs transactions concurrently and returns how many of the even and odd workers were saved. A transaction
// that fails after too many conflicts does not count, but most must succeed.
func (c *jointTrial) eventually(run func(worker int) error) (even, odd int) {
	c.Helper()
	const workers, rounds = 4, 5
	var saved [workers]int
	together(workers, func(worker int) error {
		for range rounds {
			switch err := run(worker); {
			case err == nil:
				saved[worker]++
			case !errors.Is(err, store.ErrUnavailable):
				c.Errorf("Transact: %v", err)
			}
		}
		return nil
	})
	if even, odd = saved[0]+saved[2], saved[1]+saved[3]; even+odd < workers*rounds/2 {
		c.Errorf("%d of %d transactions were saved", even+odd, workers*rounds)
	}
	return even, odd
}

// both checks the counts of the two records.
func (c *jointTrial) both(id int64, count, points int) {
	c.Helper()
	record, key := c.get(id), c.keys.get("a")
	if record.Count != int64(count) || key.Points != int64(points) {
		c.Errorf("the counts are %d and %d, want %d and %d", record.Count, key.Points, count, points)
	}
}
