package storetest

import (
	"context"

	"github.com/trove-api/trove/store"
)

func basicRules() []rule[Record] {
	return []rule[Record]{
		{
			"an empty store lists no records",
			"A collection without records is an answer, not an error.",
			func(c *trial[Record]) { c.holds() },
		},
		{
			"a record that was inserted is read by its identifier",
			"Get finds what a transaction saved, as soon as Transact has returned.",
			readsInserted,
		},
		{
			"an update replaces the whole record",
			"A member that became zero, empty or null is written like any other.",
			updateReplaces,
		},
		{
			"an update leaves other records alone",
			"Update changes the one record that has the id.",
			updateIsAlone,
		},
		{
			"an update to another identifier is refused",
			"Update takes a record that carries the id it is put in place of. Another one is an error and changes nothing.",
			updateKeepsID,
		},
		{
			"a deleted record is gone",
			"After a delete, neither Get nor List has the record.",
			deleteRemoves,
		},
		{
			"a missing record is ErrNotFound",
			"Get, and the transaction's Get, Update and Delete say so with an error that is store.ErrNotFound, which is answered 404.",
			missing,
		},
	}
}

func readsInserted(c *trial[Record]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	c.same("Get", a, c.get(a.ID))
	c.same("Get", b, c.get(b.ID))
	c.holds(a, b)
}

func updateReplaces(c *trial[Record]) {
	record := full("a")
	c.insert(record)
	empty := &Record{ID: record.ID, Email: "a"}
	c.update(record.ID, func(r *Record) { *r = *empty })
	c.same("Get after the update", empty, c.get(record.ID))
	c.holds(empty)
}

func updateIsAlone(c *trial[Record]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	c.update(a.ID, func(r *Record) { r.Name = "new" })
	c.same("Get of the other record", b, c.get(b.ID))
}

func updateKeepsID(c *trial[Record]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	err := c.store.Transact(c.ctx, updating(a.ID, func(r *Record) { r.ID = b.ID + 1 }))
	if err == nil {
		c.Errorf("Update to another identifier: no error")
	}
	c.holds(a, b)
}

func deleteRemoves(c *trial[Record]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	c.remove(a.ID)
	_, err := c.store.Get(c.ctx, a.ID)
	c.fails("Get after the delete", err, store.ErrNotFound)
	c.holds(b)
}

func missing(c *trial[Record]) {
	record := named("a")
	c.insert(record)
	nobody := record.ID + 1000
	_, err := c.store.Get(c.ctx, nobody)
	c.fails("Get", err, store.ErrNotFound)
	calls := map[string]work[Record]{
		"Tx.Get": func(ctx context.Context, tx store.Tx[Record]) error {
			_, err := tx.Get(ctx, nobody)
			return err
		},
		"Tx.Update": func(ctx context.Context, tx store.Tx[Record]) error {
			return tx.Update(ctx, nobody, &Record{ID: nobody, Email: "b"})
		},
		"Tx.Delete": removing[Record](nobody),
	}
	for name, call := range calls {
		c.fails(name, c.store.Transact(c.ctx, call), store.ErrNotFound)
	}
	c.holds(record)
}
