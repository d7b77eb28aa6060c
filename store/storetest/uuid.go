package storetest

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// uuidCases lists the rules of [RunUUID].
func uuidCases() []rule[Token] {
	return []rule[Token]{
		{
			"a generated UUID is set before Insert returns",
			"It is not zero, no two are the same, and Get finds the record by it.",
			uuidIsSet,
		},
		{
			"a UUID that is set is kept",
			"Insert generates an identifier only where it is zero.",
			uuidIsKept,
		},
		{
			"a UUID that is taken is refused",
			"Insert answers it with a store.UniqueError of the identifier, and the record that has it stays.",
			uuidIsTaken,
		},
		{
			"records with UUIDs are updated and deleted by them",
			"What is missing is store.ErrNotFound.",
			uuidIsFound,
		},
		{
			"records with UUIDs are listed in the order of their UUIDs",
			"Which is that of their text.",
			uuidOrder,
		},
		{
			"records with UUIDs are got together by them",
			"A store.BatchGetter returns them in the order of the call, nil for one that is missing.",
			uuidsTogether,
		},
	}
}

func uuidIsSet(c *trial[Token]) {
	seen := map[uuid.UUID]bool{uuid.Nil: true}
	for i := range 5 {
		record := &Token{Label: strconv.Itoa(i)}
		var within uuid.UUID
		c.transact(func(ctx context.Context, tx store.Tx[Token]) error {
			err := tx.Insert(ctx, record)
			within = record.ID
			return err
		})
		if seen[within] || within != record.ID {
			c.Errorf("the identifier was %v when Insert returned and %v in the end, after %v", within, record.ID, seen)
		}
		seen[within] = true
		c.same("Get", record, c.get(within))
	}
}

func uuidIsKept(c *trial[Token]) {
	given := uuid.MustParse("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
	record := &Token{ID: given, Label: "a"}
	c.insert(record)
	c.same("the record after Insert", &Token{ID: given, Label: "a"}, record)
	c.same("Get", record, c.get(given))
}

func uuidIsTaken(c *trial[Token]) {
	record := &Token{Label: "a"}
	c.insert(record)
	c.taken("Insert", c.store.Transact(c.ctx, inserting(&Token{ID: record.ID, Label: "b"})), "id")
	c.holds(record)
}

func uuidIsFound(c *trial[Token]) {
	a, b := &Token{Label: "a"}, &Token{Label: "b"}
	c.insert(a, b)
	c.update(a.ID, func(t *Token) { t.Label = "new" })
	c.same("Get after the update", &Token{ID: a.ID, Label: "new"}, c.get(a.ID))
	c.remove(a.ID)
	_, err := c.store.Get(c.ctx, a.ID)
	c.fails("Get after the delete", err, store.ErrNotFound)
	c.fails("Tx.Delete", c.store.Transact(c.ctx, removing[Token](a.ID)), store.ErrNotFound)
	c.holds(b)
}

func uuidOrder(c *trial[Token]) {
	var all []*Token
	for _, id := range []string{"00000000-0000-4000-8000-000000000002", "77777777-0000-4000-8000-000000000003", "ffffffff-0000-4000-8000-000000000001"} {
		all = append(all, &Token{ID: uuid.MustParse(id)})
	}
	c.insert(all[2], all[0], all[1])
	c.holds(all...)
}
