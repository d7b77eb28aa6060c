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
		{"the writes of one transaction are saved together", "After a successful transaction, its insert, update and delete must all be visible.", savedTogether},
		{"a transaction whose function fails saves nothing", "Transact must return the function's error, and the next transaction must be able to change the records.", failureSavesNothing},
		{"a transaction whose function panics saves nothing", "The panic must propagate to the caller, and the next transaction must be able to change the records.", panicSavesNothing},
		{"a transaction reads its own writes", "Its Get must find records that it inserted and updated, and must not find those that it deleted.", readsOwnWrites},
		{
			"a read with the context of a transaction sees its writes",
			"Get, List and GetMany must return what the transaction inserted and updated, and not what it deleted. A hook that gets only the context relies on it.",
			contextReadsWrites,
		},
		{"the last of several writes of one record is saved", "Within a transaction, each write builds on the ones before.", lastWriteSaved},
		{"a record inserted and deleted in one transaction is not saved", "Its unique values must be free again.", insertedAndDeleted},
		{"uncommitted writes are invisible to others", "Get and List outside the transaction must return at once, with the state from before it.", unsavedIsUnseen},
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
		c.Errorf("Transact propagated the panic as %v", thrown)
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

func contextReadsWrites(c *trial[account]) {
	a, b, d := three(c)
	added := named("added")
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		if err := writeAll(ctx, tx, a, b, added); err != nil {
			return err
		}
		updated := *a
		updated.Name = "new"
		within := *c
		within.ctx = ctx
		within.holds(&updated, d, added)
		if got, err := c.store.Get(ctx, b.ID); !errors.Is(err, store.ErrNotFound) {
			c.Errorf("Get of the deleted record with the context of the transaction: %v, %v, want store.ErrNotFound", got, err)
		}
		c.holds(a, b, d)
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
		{"a transaction within a transaction joins it", "With the context of the outer function, both must see each other's writes, which are saved together.", joins},
		{"a joined transaction is not saved when the outer one fails", "Its success alone must not save anything.", outerFails},
		{"a transaction fails if one that joined it fails", "This applies even if its own function returns nil, so that nothing is saved in part.", innerFails},
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
			return errors.Join(tx.Insert(ctx, named("inner")), errRollback)
		})
		c.fails("the inner Transact", err, errRollback)
		return nil
	})
	c.fails("the outer Transact", err, errRollback)
	c.holds()
}

func cancelRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"every call with a cancelled context returns an error", "Get, List and Transact must return the context's error and save nothing.", cancelledBefore},
		{
			"a transaction whose context is cancelled while it runs saves nothing",
			"This applies even if its function returns nil. The error must be the context's, and the next transaction must be able to change the records.",
			cancelledWithin,
		},
		{"waiting for another transaction ends with the context", "If the client gives up, its request must stop waiting for the record.", cancelledWaiting},
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

// endsWaiting checks that a transaction which waits for another one stops waiting when its context ends. The function
// calls then when it has locked what both need.
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
	finish()
	c.succeed("the transaction that held the lock", []error{<-holder})
}
