package storetest

import (
	"context"
	"errors"
	"strconv"

	"github.com/trove-api/trove/store"
)

func uniqueRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"random writes are rejected exactly if another record has a unique value",
			"Insert and Update must return a store.UniqueError with the JSON name of the field, also for records of the same transaction, and save nothing: the client gets a 409. " +
				"They are compared byte for byte: those that differ in case, accents, composition or spaces are different. A record may keep its value, and any number of records may have null. Of several writes of one record in a transaction, the last is saved. After an update, a delete or a failed transaction another record may have the value, even within the same transaction.",
			uniqueAtRandom,
		},
		{"of concurrent inserts of one unique value, one succeeds", "All others must get a store.UniqueError. A check before the write is not enough.", uniqueRace},
	}
}

func uniqueAtRandom(c *trial[account]) {
	writesAtRandom(c, func(g *generator) *account {
		r := full(one(g, "ada@x", "Ada@x", " ada@x", "ada@x ", "\u00e9", "e\u0301", "e", "\u00df", "ss", "1", "01", "1.0", "", "a", "b", "c", "d", "f", "g", "h"))
		r.Serial = maybe(g, func() string { return one(g, "", "a", "b", "c") })
		return r
	})
}

func uniqueRace(c *trial[account]) {
	errs := together(16, func(i int) error {
		return c.store.Transact(c.ctx, inserting(&account{Email: "a", Name: strconv.Itoa(i)}))
	})
	c.oneSucceeds(errs, func(err error) { c.taken("concurrent Insert", err, "email") })
	if len(c.list()) != 1 {
		c.Errorf("%d records were saved, want 1", len(c.list()))
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

// sharesNothing changes records after they were written and read, and then the stored ones.
func sharesNothing(c *trial[account]) {
	var inserted, updated *account
	stored := named("b")
	c.insert(stored)
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		inserted, updated = full("a"), full("b")
		updated.ID = stored.ID
		err := errors.Join(tx.Insert(ctx, inserted), tx.Update(ctx, stored.ID, updated))
		scribble(inserted)
		scribble(updated)
		return err
	})
	scribble(inserted)
	scribble(updated)
	a, b := full("a"), full("b")
	a.ID, b.ID = inserted.ID, stored.ID
	c.holds(b, a)
	c.transact(func(ctx context.Context, tx store.Tx[account]) error {
		for range 2 {
			got, err := tx.Get(ctx, a.ID)
			if err != nil {
				return err
			}
			c.same("the transaction's Get", a, got)
			scribble(got)
		}
		return nil
	})
	c.holds(b, a)
	got, listed := c.get(a.ID), c.list()
	c.transact(updating(a.ID, scribble))
	c.same("what Get returned before the update", a, got)
	c.same("what List returned before the update", []*account{b, a}, listed)
}
