package storetest

import (
	"context"

	"github.com/trove-api/trove/store"
)

func copyRules() []rule[Record] {
	return []rule[Record]{
		{
			"a record may be changed after it was inserted",
			"The store keeps a copy: a caller goes on with its record without changing what is saved.",
			insertCopies,
		},
		{
			"a record may be changed after an update with it",
			"As for an insert.",
			updateCopies,
		},
		{
			"what a transaction reads is a copy",
			"A change to it is saved by Update, and by nothing else.",
			getCopies,
		},
		{
			"a record that was read stays as it was read",
			"Readers share records, so a later update must not change one under them.",
			readsAreSnapshots,
		},
	}
}

// scribble changes everything within a record that a careless copy would share.
func scribble(r *Record) {
	r.Name = "scribble"
	*r.Serial, *r.Note, *r.Score, *r.LeftAt = "scribble", "scribble", -1, r.LeftAt.AddDate(1, 0, 0)
	r.Data[0], r.Tags[0], r.Marks["x"], r.Marks["new"] = 'X', "scribble", -1, -1
	*r.Address.Floor, r.Address.Bells[0] = -1, "scribble"
	r.Home.Street, *r.Home.Floor, r.Home.Bells[0] = "scribble", -7, "scribble"
}

func insertCopies(c *trial[Record]) {
	record := full("a")
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
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

func updateCopies(c *trial[Record]) {
	stored := named("a")
	c.insert(stored)
	changed := full("a")
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
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

func getCopies(c *trial[Record]) {
	record := full("a")
	c.insert(record)
	c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
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

func readsAreSnapshots(c *trial[Record]) {
	record := full("a")
	c.insert(record)
	got, listed := c.get(record.ID), c.list()
	c.update(record.ID, scribble)
	c.same("what Get returned before the update", record, got)
	c.same("what List returned before the update", []*Record{record}, listed)
}
