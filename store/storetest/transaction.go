package storetest

import (
	"context"
	"errors"

	"github.com/trove-api/trove/store"
)

var errRefused = errors.New("refused")

func transactionRules() []rule[Record] {
	return []rule[Record]{
		{
			"the writes of one transaction are saved together",
			"An insert, an update and a delete in one transaction are all there when it has succeeded.",
			savedTogether,
		},
		{
			"a transaction whose function fails saves nothing",
			"Transact returns the function's error, and the records can be changed by the next transaction.",
			failureSavesNothing,
		},
		{
			"a transaction whose function panics saves nothing",
			"The panic passes on to the caller, and the records can be changed by the next transaction.",
			panicSavesNothing,
		},
		{
			"a transaction reads its own writes",
			"Its Get finds what it has inserted and updated and does not find what it has deleted.",
			readsOwnWrites,
		},
		{
			"the last of several writes of one record is saved",
			"Within a transaction, each write builds on those before it.",
			lastWriteSaved,
		},
		{
			"what a transaction inserted and deleted is not saved",
			"Nothing is left of it: its unique values are free.",
			insertedAndDeleted,
		},
		{
			"what a transaction has not saved yet is seen by nobody else",
			"Get and List from outside answer at once, with what was saved before it began.",
			unsavedIsUnseen,
		},
	}
}

// three inserts a record to update, one to delete and one to leave alone.
func three(c *trial[Record]) (a, b, d *Record) {
	c.Helper()
	a, b, d = full("a"), full("b"), full("d")
	c.insert(a, b, d)
	return a, b, d
}

// writeAll updates a, deletes b and inserts added, in one transaction.
func writeAll(ctx context.Context, tx store.Tx[Record], a, b, added *Record) error {
	if err := updating(a.ID, func(r *Record) { r.Name = "new" })(ctx, tx); err != nil {
		return err
	}
	if err := tx.Delete(ctx, b.ID); err != nil {
		return err
	}
	return tx.Insert(ctx, added)
}

func savedTogether(c *trial[Record]) {
	a, b, d := three(c)
	added := named("added")
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error { return writeAll(ctx, tx, a, b, added) })
	a.Name = "new"
	c.holds(a, d, added)
}

func failureSavesNothing(c *trial[Record]) {
	a, b, d := three(c)
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Record]) error {
		return errors.Join(writeAll(ctx, tx, a, b, named("added")), errRefused)
	})
	c.fails("Transact", err, errRefused)
	c.holds(a, b, d)
	c.update(a.ID, func(r *Record) { r.Name = "later" })
	a.Name = "later"
	c.holds(a, b, d)
}

func panicSavesNothing(c *trial[Record]) {
	a, b, d := three(c)
	thrown := func() (thrown any) {
		defer func() { thrown = recover() }()
		_ = c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Record]) error {
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
	c.update(a.ID, func(r *Record) { r.Name = "later" })
	a.Name = "later"
	c.holds(a, b, d)
}

func readsOwnWrites(c *trial[Record]) {
	a, b, _ := three(c)
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
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

func lastWriteSaved(c *trial[Record]) {
	a, b, _ := three(c)
	c.remove(b.ID)
	added := named("added")
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
		return errors.Join(
			updating(a.ID, func(r *Record) { r.Email, r.Count = "first", 1 })(ctx, tx),
			updating(a.ID, func(r *Record) { r.Email, r.Count = "second", r.Count+1 })(ctx, tx),
			tx.Insert(ctx, added),
			updating(added.ID, func(r *Record) { r.Email = "first" })(ctx, tx),
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

func insertedAndDeleted(c *trial[Record]) {
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
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

func unsavedIsUnseen(c *trial[Record]) {
	a, b, d := three(c)
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
		if err := writeAll(ctx, tx, a, b, named("added")); err != nil {
			return err
		}
		c.same("Get during the transaction", a, c.get(a.ID))
		c.same("Get during the transaction", b, c.get(b.ID))
		c.holds(a, b, d)
		return nil
	})
}
