package storetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trove-api/trove/store"
)

var errRefused = errors.New("refused")

func transactionRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"the writes of one transaction are saved together", "An insert, an update and a delete in one transaction are all there when it has succeeded.", savedTogether},
		{"a transaction whose function fails saves nothing", "Transact returns the function's error, and the records can be changed by the next transaction.", failureSavesNothing},
		{"a transaction whose function panics saves nothing", "The panic passes on to the caller, and the records can be changed by the next transaction.", panicSavesNothing},
		{"a transaction reads its own writes", "Its Get finds what it has inserted and updated and does not find what it has deleted.", readsOwnWrites},
		{"the last of several writes of one record is saved", "Within a transaction, each write builds on those before it.", lastWriteSaved},
		{"what a transaction inserted and deleted is not saved", "Nothing is left of it: its unique values are free.", insertedAndDeleted},
		{"what a transaction has not saved yet is seen by nobody else", "Get and List from outside answer at once, with what was saved before it began.", unsavedIsUnseen},
	}
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
	if err := updating(a.ID, func(r *account) { r.Name = "new" })(ctx, tx); err != nil {
		return err
	}
	if err := tx.Delete(ctx, b.ID); err != nil {
		return err
	}
	return tx.Insert(ctx, added)
}

func savedTogether(c *trial[account]) {
	a, b, d := three(c)
	added := named("added")
	c.transact(func(ctx context.Context, tx store.Tx[account]) error { return writeAll(ctx, tx, a, b, added) })
	a.Name = "new"
	c.holds(a, d, added)
}

func failureSavesNothing(c *trial[account]) {
	a, b, d := three(c)
	c.rollsBack(func(ctx context.Context, tx store.Tx[account]) error { return writeAll(ctx, tx, a, b, named("added")) })
	c.holds(a, b, d)
	c.update(a.ID, func(r *account) { r.Name = "later" })
	a.Name = "later"
	c.holds(a, b, d)
}

func panicSavesNothing(c *trial[account]) {
	a, b, d := three(c)
	thrown := func() (thrown any) {
		defer func() { thrown = recover() }()
		_ = c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[account]) error {
			if err := writeAll(ctx, tx, a, b, named("added")); err != nil {
				return err
			}
			panic("thrown by the function")
		})
		return nil
	}()
	if thrown != "thrown by the function" {
		c.Errorf("the panic of the function came out of Transact as %v", thrown)
	}
	c.holds(a, b, d)
	c.update(a.ID, func(r *account) { r.Name = "later" })
	a.Name = "later"
	c.holds(a, b, d)
}

func readsOwnWrites(c *trial[account]) {
	a, b, _ := three(c)
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		added := named("added")
		if err := writeAll(ctx, tx, a, b, added); err != nil {
			return err
		}
		updated, err := tx.Get(ctx, a.ID)
		if err != nil {
			return err
		}
		want := *a
		want.Name = "new"
		c.same("Get after Update in the transaction", &want, updated)
		inserted, err := tx.Get(ctx, added.ID)
		if err != nil {
			return err
		}
		c.same("Get after Insert in the transaction", added, inserted)
		if got, err := tx.Get(ctx, b.ID); !errors.Is(err, store.ErrNotFound) {
			c.Errorf("Get after Delete in the transaction: %v, %v, want store.ErrNotFound", got, err)
		}
		return nil
	})
}

func lastWriteSaved(c *trial[account]) {
	a, b, _ := three(c)
	c.remove(b.ID)
	added := named("added")
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		return errors.Join(
			updating(a.ID, func(r *account) { r.Email, r.Count = "first", 1 })(ctx, tx),
			updating(a.ID, func(r *account) { r.Email, r.Count = "second", r.Count+1 })(ctx, tx),
			tx.Insert(ctx, added),
			updating(added.ID, func(r *account) { r.Email = "first" })(ctx, tx),
		)
	})
	got := c.get(a.ID)
	if got.Email != "second" || got.Count != 2 {
		c.Errorf("after two updates email is %q and count %d, want \"second\" and 2", got.Email, got.Count)
	}
	if got := c.get(added.ID); got.Email != "first" {
		c.Errorf("after an insert and an update email is %q, want \"first\"", got.Email)
	}
}

func insertedAndDeleted(c *trial[account]) {
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		passing := full("a")
		if err := tx.Insert(ctx, passing); err != nil {
			return err
		}
		return tx.Delete(ctx, passing.ID)
	})
	c.holds()
	record := full("a")
	c.insert(record)
	c.holds(record)
}

func unsavedIsUnseen(c *trial[account]) {
	a, b, d := three(c)
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		if err := writeAll(ctx, tx, a, b, named("added")); err != nil {
			return err
		}
		c.same("Get during the transaction", a, c.get(a.ID))
		c.same("Get during the transaction", b, c.get(b.ID))
		c.holds(a, b, d)
		return nil
	})
}

func joinRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"a transaction within a transaction joins it", "With the context that the outer function was handed, both see each other's writes, which are saved together.", joins},
		{"a joined transaction is not saved when the outer one fails", "Its success saves nothing by itself.", outerFails},
		{"a transaction fails when one that joined it does", "Even if its own function returns nil: half of what was meant is not saved.", innerFails},
	}
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

func outerFails(c *trial[account]) {
	c.rollsBack(func(ctx context.Context, _ store.Tx[account]) error {
		return c.store.Transact(ctx, inserting(named("inner")))
	})
	c.holds()
}

func innerFails(c *trial[account]) {
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[account]) error {
		if err := tx.Insert(ctx, named("outer")); err != nil {
			return err
		}
		err := c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
			return errors.Join(tx.Insert(ctx, named("inner")), errRefused)
		})
		c.fails("the inner Transact", err, errRefused)
		return nil
	})
	c.fails("the outer Transact", err, errRefused)
	c.holds()
}

func cancelRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"a cancelled context is an error of every call", "Get, List and Transact return an error that is the context's, and nothing is saved.", cancelledBefore},
		{
			"a transaction whose context is cancelled while it runs saves nothing",
			"Even if its function returns nil. The error is the context's, and the records can be changed by the next transaction.",
			cancelledWithin,
		},
		{"waiting for another transaction ends with the context", "A request that its client gave up does not go on waiting for a record.", cancelledWaiting},
	}
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

func cancelledWithin(c *trial[account]) {
	record := named("a")
	c.insert(record)
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	err := c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
		err := updating(record.ID, func(r *account) { r.Name = "new" })(ctx, tx)
		cancel()
		return err
	})
	c.fails("Transact", err, context.Canceled)
	c.holds(record)
	c.update(record.ID, func(r *account) { r.Name = "later" })
	record.Name = "later"
	c.holds(record)
}

func cancelledWaiting(c *trial[account]) {
	record := named("a")
	c.insert(record)
	count := func(ctx context.Context, then func()) error {
		return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[account]) error {
			err := updating(record.ID, func(r *account) { r.Count++ })(ctx, tx)
			then()
			return err
		})
	}
	endsWaiting(c, count)
}

// endsWaiting checks that a transaction which waits for what another one holds gives up
// with its context. The transaction calls then when it has what both need.
func endsWaiting(c *trial[account], transact func(ctx context.Context, then func()) error) {
	held, done := make(chan struct{}), make(chan struct{})
	var once, all sync.Once
	finish := func() { all.Do(func() { close(done) }) }
	defer finish()
	holder, waiter := make(chan error, 1), make(chan error, 1)
	go func() {
		holder <- transact(c.ctx, func() {
			once.Do(func() { close(held) })
			<-done
		})
	}()
	select {
	case <-held:
	case err := <-holder:
		c.Fatalf("Transact has ended before its function: %v", err)
	}
	ctx, cancel := context.WithTimeout(c.ctx, 50*time.Millisecond)
	defer cancel()
	go func() { waiter <- transact(ctx, func() {}) }()
	select {
	case err := <-waiter:
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			c.Errorf("Transact while another transaction has what it needs: error %v, want the context's", err)
		}
	case <-c.ctx.Done():
		c.Errorf("Transact went on waiting after its context was cancelled")
	}
	finish()
	c.succeed("the transaction that was waited for", []error{<-holder})
}
