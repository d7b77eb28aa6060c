package storetest

import (
	"context"
	"errors"
	"strconv"

	"github.com/trove-api/trove/store"
)

func uniqueRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"an insert with a duplicate unique value is rejected", "The error must be a store.UniqueError with the JSON name of the field. The client gets a 409.", insertTaken},
		{"an update to a duplicate unique value is rejected", "As for an insert. The record must not change.", updateTaken},
		{"two records with one unique value in one transaction are rejected", "Earlier inserts of a transaction count for its later ones. Nothing may be saved.", takenWithin},
		{"a record may keep its unique value", "An update that leaves the value unchanged must not conflict with the record itself.", ownValue},
		{"null is never a duplicate", "Any number of records may have null in a unique field.", nullIsFree},
		{"unique values are compared byte for byte", "Values that differ in case, accents, composition or spaces are different.", uniqueIsExact},
		{"a unique value can be reused once it is removed", "After an update or delete another record may use it, even within the same transaction.", givenUp},
		{"a unique value that was not saved can be used", "A failed transaction must not reserve values.", notSaved},
		{"of concurrent inserts of one unique value, one succeeds", "All others must get a store.UniqueError. A check before the write is not enough.", uniqueRace},
	}
}

func insertTaken(c *trial[account]) {
	first := full("a")
	c.insert(first)
	c.taken("Insert", c.store.Transact(c.ctx, inserting(named("a"))), "email")
	second := named("b")
	second.Serial = new(*first.Serial)
	c.taken("Insert", c.store.Transact(c.ctx, inserting(second)), "serial")
	c.holds(first)
}

func updateTaken(c *trial[account]) {
	a, b := full("a"), named("b")
	c.insert(a, b)
	err := c.store.Transact(c.ctx, updating(b.ID, func(r *account) { r.Email = "a" }))
	c.taken("Update", err, "email")
	err = c.store.Transact(c.ctx, updating(b.ID, func(r *account) { r.Serial = a.Serial }))
	c.taken("Update", err, "serial")
	c.holds(a, b)
}

func takenWithin(c *trial[account]) {
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[account]) error {
		return errors.Join(tx.Insert(ctx, named("other")), tx.Insert(ctx, named("a")), tx.Insert(ctx, named("a")))
	})
	c.taken("Insert", err, "email")
	c.holds()
}

func ownValue(c *trial[account]) {
	record := full("a")
	c.insert(record)
	c.update(record.ID, func(r *account) { r.Name = "new" })
	record.Name = "new"
	c.holds(record)
}

func nullIsFree(c *trial[account]) {
	a, b, d := named("a"), named("b"), full("d")
	c.insert(a, b, d)
	c.update(d.ID, func(r *account) { r.Serial = nil })
	d.Serial = nil
	c.holds(a, b, d)
}

func uniqueIsExact(c *trial[account]) {
	var all []*account
	for _, email := range []string{"ada@x", "Ada@x", " ada@x", "ada@x ", "\u00e9", "e\u0301", "e", "\u00df", "ss", "1", "01", "1.0", ""} {
		record := named(email)
		record.Serial = &email
		c.insert(record)
		all = append(all, record)
	}
	c.holds(all...)
}

func givenUp(c *trial[account]) {
	a, b := full("a"), full("b")
	c.insert(a, b)
	c.update(a.ID, func(r *account) { r.Email, r.Serial = "z", nil })
	c.remove(b.ID)
	again, next := full("a"), full("b")
	c.insert(again, next)
	last := full("b")
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		if err := tx.Delete(ctx, next.ID); err != nil {
			return err
		}
		return tx.Insert(ctx, last)
	})
	a.Email, a.Serial = "z", nil
	c.holds(a, again, last)
}

func notSaved(c *trial[account]) {
	c.rollsBack(inserting(full("a")))
	record := full("a")
	c.insert(record)
	c.holds(record)
}

func uniqueRace(c *trial[account]) {
	errs := together(16, func(i int) error {
		record := named("a")
		record.Name = strconv.Itoa(i)
		return c.store.Transact(c.ctx, inserting(record))
	})
	c.oneSucceeds(errs, func(err error) { c.taken("concurrent Insert", err, "email") })
	if len(c.list()) != 1 {
		c.Errorf("%d records were saved, want 1", len(c.list()))
	}
}

func copyRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"a record may be changed after it was inserted", "The store must keep a copy, so that the caller can change its record without changing the saved one.", insertCopies},
		{"a record may be changed after it was updated", "The same applies as for an insert.", updateCopies},
		{"a transaction's Get returns a copy", "A change must be saved only by Update.", getCopies},
		{"a record does not change after it was read", "Readers share records, so a later update must not modify them.", readsAreSnapshots},
	}
}

// scribble changes everything in a record that a shallow copy would share.
func scribble(r *account) {
	r.Name = "scribble"
	*r.Serial, *r.Note, *r.Score, *r.LeftAt = "scribble", "scribble", -1, r.LeftAt.AddDate(1, 0, 0)
	r.Data[0], r.Tags[0], r.Marks["x"], r.Marks["new"] = 'X', "scribble", -1, -1
	*r.Address.Floor, r.Address.Bells[0] = -1, "scribble"
	r.Home.Street, *r.Home.Floor, r.Home.Bells[0] = "scribble", -7, "scribble"
}

func insertCopies(c *trial[account]) {
	record := full("a")
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		*record = *full("a")
		err := tx.Insert(ctx, record)
		scribble(record)
		return err
	})
	scribble(record)
	want := full("a")
	want.ID = record.ID
	c.holds(want)
}

func updateCopies(c *trial[account]) {
	stored := named("a")
	c.insert(stored)
	changed := full("a")
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		*changed = *full("a")
		changed.ID = stored.ID
		err := tx.Update(ctx, stored.ID, changed)
		scribble(changed)
		return err
	})
	scribble(changed)
	want := full("a")
	want.ID = stored.ID
	c.holds(want)
}

func getCopies(c *trial[account]) {
	record := full("a")
	c.insert(record)
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		first, err := tx.Get(ctx, record.ID)
		if err != nil {
			return err
		}
		scribble(first)
		second, err := tx.Get(ctx, record.ID)
		if err != nil {
			return err
		}
		c.same("the transaction's second Get", record, second)
		scribble(second)
		return nil
	})
	c.holds(record)
}

func readsAreSnapshots(c *trial[account]) {
	record := full("a")
	c.insert(record)
	got, listed := c.get(record.ID), c.list()
	c.update(record.ID, scribble)
	c.same("what Get returned before the update", record, got)
	c.same("what List returned before the update", []*account{record}, listed)
}
