package storetest

import (
	"context"
	"strconv"

	"github.com/trove-api/trove/store"
)

func identifierRules() []rule[Record] {
	return []rule[Record]{
		{
			"a generated identifier is set before Insert returns",
			"What follows in the transaction, such as the Location of the answer, needs it. It is not zero, and no two are the same.",
			identifierIsSet,
		},
		{
			"an identifier that is set is kept",
			"Insert generates an identifier only where it is zero.",
			identifierIsKept,
		},
		{
			"an identifier that is taken is refused",
			"Insert answers it with a UniqueError of the identifier, and the record that has it stays as it is.",
			identifierIsTaken,
		},
		{
			"an identifier that was given is not generated later",
			"A counter goes on behind the largest identifier that was given, so that the next insert is not refused.",
			givenIsNotGenerated,
		},
		{
			"the identifier of a deleted record is not used again",
			"Links to the deleted record must not lead to another one.",
			notUsedAgain,
		},
		{
			"records that are inserted at once get different identifiers",
			"None is refused and none is lost.",
			insertedAtOnce,
		},
	}
}

func identifierIsSet(c *trial[Record]) {
	seen := map[int64]bool{0: true}
	for _, email := range []string{"a", "b", "d"} {
		record := named(email)
		var within int64
		c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
			err := tx.Insert(ctx, record)
			within = record.ID
			return err
		})
		if seen[within] || within != record.ID {
			c.Errorf("the identifier was %d when Insert returned and %d in the end, after %v", within, record.ID, seen)
		}
		seen[within] = true
		c.same("Get", record, c.get(within))
	}
}

func identifierIsKept(c *trial[Record]) {
	record := named("a")
	record.ID = 4711
	c.insert(record)
	if record.ID != 4711 {
		c.Errorf("Insert made the identifier %d of 4711", record.ID)
	}
	c.same("Get", record, c.get(int64(4711)))
}

func identifierIsTaken(c *trial[Record]) {
	first := named("a")
	c.insert(first)
	second := &Record{ID: first.ID, Email: "b"}
	c.taken("Insert", c.store.Transact(c.ctx, inserting(second)), "id")
	c.holds(first)
}

func givenIsNotGenerated(c *trial[Record]) {
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

func notUsedAgain(c *trial[Record]) {
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

func insertedAtOnce(c *trial[Record]) {
	records := make([]*Record, 20)
	errs := together(len(records), func(i int) error {
		records[i] = named(strconv.Itoa(i))
		return c.store.Transact(c.ctx, inserting(records[i]))
	})
	c.succeed("Insert", errs)
	byID := map[int64]*Record{}
	for _, record := range c.list() {
		byID[record.ID] = record
	}
	for _, record := range records {
		c.same("a record that was inserted at once with others", record, byID[record.ID])
	}
}
