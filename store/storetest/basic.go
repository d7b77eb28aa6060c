package storetest

import (
	"context"
	"slices"
	"strconv"

	"github.com/trove-api/trove/store"
)

// recordRules are about records whose identifier is a generated integer: what every store does.
func recordRules() []rule[*trial[account]] {
	return slices.Concat(
		basicRules(), valueRules(), settledRules(), orderRules(), identifierRules(), uniqueRules(), copyRules(),
		transactionRules(), joinRules(), concurrencyRules(), cancelRules(), batchRules(),
	)
}

func basicRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"an empty store lists no records", "A collection without records is an answer, not an error.", func(c *trial[account]) { c.holds() }},
		{"a record that was inserted is read by its identifier", "Get finds what a transaction saved, as soon as Transact has returned.", readsInserted},
		{"an update replaces the whole record", "A member that became zero, empty or null is written like any other.", updateReplaces},
		{"an update leaves other records alone", "Update changes the one record that has the id.", updateIsAlone},
		{
			"an update to another identifier is refused",
			"Update takes a record that carries the id it is put in place of. Another one is an error and changes nothing.",
			updateKeepsID,
		},
		{"a deleted record is gone", "After a delete, neither Get nor List has the record.", deleteRemoves},
		{"a missing record is ErrNotFound", "Get, and the transaction's Get, Update and Delete say so with an error that is store.ErrNotFound, which is answered 404.", missing},
	}
}

func readsInserted(c *trial[account]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	c.same("Get", a, c.get(a.ID))
	c.same("Get", b, c.get(b.ID))
	c.holds(a, b)
}

func updateReplaces(c *trial[account]) {
	record := full("a")
	c.insert(record)
	empty := &account{ID: record.ID, Email: "a"}
	c.update(record.ID, func(r *account) { *r = *empty })
	c.same("Get after the update", empty, c.get(record.ID))
	c.holds(empty)
}

func updateIsAlone(c *trial[account]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	c.update(a.ID, func(r *account) { r.Name = "new" })
	c.same("Get of the other record", b, c.get(b.ID))
}

func updateKeepsID(c *trial[account]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	err := c.store.Transact(c.ctx, updating(a.ID, func(r *account) { r.ID = b.ID + 1 }))
	if err == nil {
		c.Errorf("Update to another identifier: no error")
	}
	c.holds(a, b)
}

func deleteRemoves(c *trial[account]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	c.remove(a.ID)
	_, err := c.store.Get(c.ctx, a.ID)
	c.fails("Get after the delete", err, store.ErrNotFound)
	c.holds(b)
}

func missing(c *trial[account]) {
	record := named("a")
	c.insert(record)
	nobody := record.ID + 1000
	_, err := c.store.Get(c.ctx, nobody)
	c.fails("Get", err, store.ErrNotFound)
	calls := map[string]work[account]{
		"Tx.Get": func(ctx context.Context, tx store.Tx[account]) error {
			_, err := tx.Get(ctx, nobody)
			return err
		},
		"Tx.Update": overwriting(nobody, &account{ID: nobody, Email: "b"}, false),
		"Tx.Delete": removing[account](nobody),
	}
	for name, call := range calls {
		c.fails(name, c.store.Transact(c.ctx, call), store.ErrNotFound)
	}
	c.holds(record)
}

func orderRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"records are listed in the order of their identifier", "A list without an order has this one, whenever a record was inserted or changed.", listsInOrder},
		{"records of one transaction are listed in the order of their identifier", "Identifiers that are generated grow from insert to insert.", batchInOrder},
	}
}

func listsInOrder(c *trial[account]) {
	b, a, d := named("b"), named("a"), named("d")
	b.ID, a.ID, d.ID = 20, 3, 100
	c.insert(b, a, d)
	c.holds(a, b, d)
	c.update(a.ID, func(r *account) { r.Name = "new" })
	a.Name = "new"
	c.holds(a, b, d)
	c.remove(b.ID)
	c.holds(a, d)
	c.insert(b)
	c.holds(a, b, d)
}

func batchInOrder(c *trial[account]) {
	batch := []*account{named("h"), named("b"), named("g"), named("a"), named("f"), named("c"), named("e"), named("d")}
	c.insertTogether(batch...)
	c.holds(batch...)
}

func identifierRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"a generated identifier is set before Insert returns",
			"What follows in the transaction, such as the Location of the answer, needs it. It is not zero, and no two are the same.",
			identifierIsSet,
		},
		{"an identifier that is set is kept", "Insert generates an identifier only where it is zero.", identifierIsKept},
		{"an identifier that is taken is refused", "Insert answers it with a UniqueError of the identifier, and the record that has it stays as it is.", identifierIsTaken},
		{
			"an identifier that was given is not generated later",
			"A counter goes on behind the largest identifier that was given, so that the next insert is not refused.",
			givenIsNotGenerated,
		},
		{"the identifier of a deleted record is not used again", "Links to the deleted record must not lead to another one.", notUsedAgain},
		{"records that are inserted at once get different identifiers", "None is refused and none is lost.", insertedAtOnce},
	}
}

func identifierIsSet(c *trial[account]) {
	identifiersAreSet(c, func(i int) *account { return named(strconv.Itoa(i)) })
}

// identifiersAreSet checks that the identifiers of records are generated when Insert returns, and differ.
func identifiersAreSet[R any](c *trial[R], made func(i int) *R) {
	c.Helper()
	seen := map[any]bool{idsOf([]*R{new(R)})[0]: true}
	for i := range 5 {
		record := made(i)
		var within any
		c.transact(func(ctx context.Context, tx store.Tx[R]) error {
			err := tx.Insert(ctx, record)
			within = idsOf([]*R{record})[0]
			return err
		})
		if now := idsOf([]*R{record})[0]; seen[within] || within != now {
			c.Errorf("the identifier was %v when Insert returned and %v in the end, after %v", within, now, seen)
		}
		seen[within] = true
		c.same("Get", record, c.get(within))
	}
}

func identifierIsKept(c *trial[account]) {
	record := named("a")
	record.ID = 4711
	c.insert(record)
	if record.ID != 4711 {
		c.Errorf("Insert made the identifier %d of 4711", record.ID)
	}
	c.same("Get", record, c.get(int64(4711)))
}

func identifierIsTaken(c *trial[account]) {
	first := named("a")
	c.insert(first)
	second := &account{ID: first.ID, Email: "b"}
	c.taken("Insert", c.store.Transact(c.ctx, inserting(second)), "id")
	c.holds(first)
}

func givenIsNotGenerated(c *trial[account]) {
	given := named("given")
	given.ID = 3
	c.insert(given)
	for i := range 4 {
		record := named(strconv.Itoa(i))
		if err := c.store.Transact(c.ctx, inserting(record)); err != nil {
			c.Fatalf("insert %d after the identifier 3 was given: %v", i+1, err)
		}
	}
}

func notUsedAgain(c *trial[account]) {
	seen := map[int64]bool{}
	for i := range 3 {
		record := named(strconv.Itoa(i))
		c.insert(record)
		if seen[record.ID] {
			c.Errorf("the identifier %d of a deleted record was generated again", record.ID)
		}
		seen[record.ID] = true
		c.remove(record.ID)
	}
}

func insertedAtOnce(c *trial[account]) {
	records := make([]*account, 20)
	errs := together(len(records), func(i int) error {
		records[i] = named(strconv.Itoa(i))
		return c.store.Transact(c.ctx, inserting(records[i]))
	})
	c.succeed("Insert", errs)
	byID := map[int64]*account{}
	for _, record := range c.list() {
		byID[record.ID] = record
	}
	for _, record := range records {
		c.same("a record that was inserted at once with others", record, byID[record.ID])
	}
}
