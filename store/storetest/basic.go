package storetest

import (
	"context"
	"slices"
	"strconv"

	"github.com/trove-api/trove/store"
)

// recordRules are about records with a generated integer identifier, which every store supports.
func recordRules() []rule[*trial[account]] {
	return slices.Concat(
		basicRules(), valueRules(), settledRules(), orderRules(), identifierRules(), uniqueRules(), copyRules(),
		transactionRules(), joinRules(), concurrencyRules(), cancelRules(), batchRules(),
	)
}

func basicRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"an empty store lists no records", "A collection without records is valid, so List must not return an error.", func(c *trial[account]) { c.holds() }},
		{"an inserted record is found by its identifier", "Get finds the record as soon as Transact has returned.", readsInserted},
		{"an update replaces the whole record", "Update writes every field, including those that became zero, empty or null.", updateReplaces},
		{"an update leaves other records alone", "Update changes only the record with that id.", updateIsAlone},
		{
			"an update cannot change the identifier",
			"The record passed to Update must have the id passed to Update. If not, Update returns an error and changes nothing.",
			updateKeepsID,
		},
		{"a deleted record is not found", "After a delete, neither Get nor List returns the record.", deleteRemoves},
		{"a missing record is ErrNotFound", "Get, and the transaction's Get, Update and Delete, must return store.ErrNotFound. The client gets a 404.", missing},
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
		{"records are listed in the order of their identifier", "This is the default order, regardless of when a record was inserted or changed.", listsInOrder},
		{"records of one transaction are listed in the order of their identifier", "Generated identifiers increase with each insert.", batchInOrder},
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
			"Later steps of the transaction need it, such as the Location header. It must not be zero, and no two may be the same.",
			identifierIsSet,
		},
		{"an identifier that is set stays", "Insert generates an identifier only if it is zero.", identifierIsPreserved},
		{"a duplicate identifier is rejected", "Insert must return a store.UniqueError for the identifier and leave the existing record unchanged.", identifierIsTaken},
		{
			"an identifier set by the caller is not generated later",
			"The counter must continue after the largest identifier that a caller set, or the next insert would fail.",
			givenIsNotGenerated,
		},
		{"the identifier of a deleted record is not reused", "Links to the deleted record must not lead to a different record.", notUsedAgain},
		{"concurrently inserted records get different identifiers", "No insert may fail, and no record may be lost.", insertedAtOnce},
	}
}

func identifierIsSet(c *trial[account]) {
	identifiersAreSet(c, func(i int) *account { return named(strconv.Itoa(i)) })
}

// identifiersAreSet checks that identifiers are generated when Insert returns, and differ.
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
			c.Errorf("the identifier was %v when Insert returned and %v later; earlier ones are %v", within, now, seen)
		}
		seen[within] = true
		c.same("Get", record, c.get(within))
	}
}

func identifierIsPreserved(c *trial[account]) {
	record := named("a")
	record.ID = 4711
	c.insert(record)
	if record.ID != 4711 {
		c.Errorf("Insert changed the identifier 4711 to %d", record.ID)
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
			c.Fatalf("insert %d after the identifier 3 was set: %v", i+1, err)
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
		c.same("a concurrently inserted record", record, byID[record.ID])
	}
}
