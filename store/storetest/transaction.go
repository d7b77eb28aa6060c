package storetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trove-api/trove/store"
)

var errRollback = errors.New("rolled back")

func transactionRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"a transaction sees its writes at once, and others when it is saved",
			"Its own Get sees them, and Get, List and GetMany with its context, on which hooks rely. Until it ends, others see the state from before it, at once.",
			seesOwnWrites,
		},
		{
			"a transaction that fails, panics or is cancelled saves nothing",
			"Transact must return the function's error, propagate its panic, or return the context's error. The next transaction must be able to change the records.",
			func(c *trial[account]) {
				a, b, d := three(c)
				added := named("added")
				c.endings(func(ctx context.Context, last func() error) error {
					return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
						added = named("added")
						if err := writeAll(ctx, tx, a, b, added); err != nil {
							return err
						}
						return last()
					})
				}, func() { c.holds(a, b, d) })
				a.Name = "new"
				c.holds(a, d, added)
			},
		},
		{"a transaction within a transaction joins it", "With the context of the outer function, both must see each other's writes, which are saved together.", joins},
		{"a joined transaction is not saved when the outer one fails", "Its success alone must not save anything.", func(c *trial[account]) { joinedEnds(c, false) }},
		{"a transaction fails if one that joined it fails", "This applies even if its own function returns nil, so that nothing is saved in part.", func(c *trial[account]) { joinedEnds(c, true) }},
	}
}

// endings runs a transaction that ends in each way which saves nothing: with an error, a panic, and a cancelled context.
// Then it runs it once more, which must succeed. The transaction calls last when it has written.
func (c scene) endings(run func(ctx context.Context, last func() error) error, unchanged func()) {
	c.Helper()
	for _, ending := range []struct {
		want error
		last func(cancel func()) error
	}{
		{errRollback, func(func()) error { return errRollback }},
		{nil, func(func()) error { panic("thrown") }},
		{context.Canceled, func(cancel func()) error { cancel(); return nil }},
	} {
		func() {
			ctx, cancel := context.WithCancel(c.ctx)
			defer cancel()
			defer func() {
				if thrown := recover(); (thrown != nil) != (ending.want == nil) || thrown != nil && thrown != "thrown" {
					c.Fatalf("Transact panics with %v; want %v", thrown, ending.want)
				}
			}()
			err := run(ctx, func() error { return ending.last(cancel) })
			if c.fails("Transact", err, ending.want); ending.want == nil {
				c.Fatalf("the panic ended in Transact")
			}
		}()
		unchanged()
	}
	if err := run(c.ctx, func() error { return nil }); err != nil {
		c.Fatalf("the next Transact: %v", err)
	}
}

// joinedEnds runs a transaction that another one joins, with each ending of the outer or the inner one. The outer one ignores
// the error of the inner one.
func joinedEnds(c *trial[account], isInner bool) {
	c.endings(func(ctx context.Context, last func() error) error {
		return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
			err := tx.Insert(ctx, named("outer"))
			_ = c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
				if err := tx.Insert(ctx, named("inner")); err != nil || !isInner {
					return err
				}
				return last()
			})
			if err != nil || isInner {
				return err
			}
			return last()
		})
	}, func() { c.holds() })
}

// three inserts a record to update, one to delete and one to leave alone.
func three(c *trial[account]) (a, b, d *account) {
	c.Helper()
	a, b, d = full("a"), full("b"), full("d")
	c.insert(a, b, d)
	return a, b, d
}

// writeAll updates a, deletes b and inserts added, in one transaction.
func writeAll(ctx context.Context, tx store.Tx[account], a, b, added *account) error {
	return inTurn(updating(a.ID, func(r *account) { r.Name = "new" }), removing[account](b.ID), inserting(added))(ctx, tx)
}

func seesOwnWrites(c *trial[account]) {
	a, b, d := three(c)
	updated, added := *a, named("added")
	updated.Name = "new"
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		if err := writeAll(ctx, tx, a, b, added); err != nil {
			return err
		}
		within := *c
		within.ctx = ctx
		within.holdsAlike(&updated, d, added)
		_, err := c.store.Get(ctx, b.ID)
		c.fails("Get of the deleted record with the context of the transaction", err, store.ErrNotFound)
		_, err = tx.Get(ctx, b.ID)
		c.fails("Get of the deleted record in the transaction", err, store.ErrNotFound)
		c.holds(a, b, d)
		for _, record := range []*account{a, b} {
			c.same("Get during the transaction", record, c.get(record.ID))
		}
		return nil
	})
	c.holds(&updated, d, added)
}

func joins(c *trial[account]) {
	outer, inner := named("outer"), named("inner")
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		if err := tx.Insert(ctx, outer); err != nil {
			return err
		}
		err := c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
			return errors.Join(
				updating(outer.ID, func(r *account) { r.Name = "by inner" })(ctx, tx),
				tx.Insert(ctx, inner),
			)
		})
		if err != nil {
			return err
		}
		c.holds()
		return updating(inner.ID, func(r *account) { r.Name = "by outer" })(ctx, tx)
	})
	outer.Name, inner.Name = "by inner", "by outer"
	c.holds(outer, inner)
}

func cancelledBefore(c *trial[account]) {
	record := named("a")
	c.insert(record)
	ctx, cancel := context.WithCancel(c.ctx)
	cancel()
	_, err := c.store.Get(ctx, record.ID)
	c.fails("Get", err, context.Canceled)
	_, err = c.store.List(ctx, store.Query{})
	c.fails("List", err, context.Canceled)
	c.fails("Transact", c.store.Transact(ctx, inserting(named("b"))), context.Canceled)
	c.holds(record)
}

func cancelledWaiting(c *trial[account]) {
	record := named("a")
	c.insert(record)
	endsWaiting(c, func(ctx context.Context, then func()) error {
		return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
			err := updating(record.ID, func(r *account) { r.Count++ })(ctx, tx)
			then()
			return err
		})
	})
}

// endsWaiting checks that a transaction which waits for another one stops waiting when its context ends. The function
// calls then when it has locked what both need.
func endsWaiting(c *trial[account], transact func(ctx context.Context, then func()) error) {
	held, done := make(chan struct{}), make(chan struct{})
	holder, waiter := make(chan error, 1), make(chan error, 1)
	hold := sync.OnceFunc(func() {
		close(held)
		<-done
	})
	go func() { holder <- transact(c.ctx, hold) }()
	select {
	case <-held:
	case err := <-holder:
		c.Fatalf("Transact returned before its function: %v", err)
	}
	ctx, cancel := context.WithTimeout(c.ctx, 50*time.Millisecond)
	defer cancel()
	go func() { waiter <- transact(ctx, func() {}) }()
	select {
	case err := <-waiter:
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			c.Errorf("Transact while another transaction holds the lock: error %v, want the context's", err)
		}
	case <-c.ctx.Done():
		c.Errorf("Transact kept waiting after its context was cancelled")
	}
	close(done)
	c.succeed("the transaction that held the lock", []error{<-holder})
}
