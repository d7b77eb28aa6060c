package storetest

import (
	"context"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

func keyedRules() []rule[*trial[player]] {
	return []rule[*trial[player]]{
		{"an identifier set by the client stays", "Insert must not change it, regardless of its characters.", keyIsPreserved},
		{"identifiers are compared byte for byte", "Identifiers that differ in case, accents, composition, spaces or leading zeros are different.", keyIsExact},
		{"a missing key is ErrNotFound", "The store must compare the complete identifier exactly.", keyIsMissing},
		{"a duplicate key is rejected", "Insert must return a store.UniqueError with the identifier's JSON name and leave the existing record unchanged.", keyIsTaken},
		{"of concurrent inserts of one key, one succeeds", "All others must get a store.UniqueError.", keyRace},
		{"records with string keys are listed in the order of their keys", "Keys sort by their bytes, in every locale.", keyOrder},
		{"a key may be deleted and inserted again in one transaction", "The new record must be saved.", keyAgain},
		{"an update cannot change a string key", "The record passed to Update must have the key passed to Update.", keyStays},
		{"GetMany compares string keys byte for byte", "GetMany must distinguish keys as Get does.", keysTogether},
	}
}

func playerOf(nickname string, points int64) *player {
	return &player{Nickname: nickname, Points: points}
}

func keyIsPreserved(c *trial[player]) {
	for _, key := range []string{
		"ada", "a b", "a/b", "a.json", "100%", "a?b=c&d", `"quoted" 'key'`, "é", "日本語", "🏴‍☠️", "'; DROP TABLE keyed; --", "-1", "a\\b",
	} {
		record := playerOf(key, 7)
		c.insert(record)
		c.same("the record after Insert", playerOf(key, 7), record)
		c.same("Get", playerOf(key, 7), c.get(key))
	}
}

func keyIsExact(c *trial[player]) {
	var all []*player
	for i, key := range []string{" ada", "01", "1", "1.0", "Ada", "ada", "ada ", "e", "e\u0301", "\u00e9"} {
		record := playerOf(key, int64(i))
		c.insert(record)
		all = append(all, record)
	}
	for _, record := range all {
		c.same("Get", record, c.get(record.Nickname))
	}
	c.holds(all...)
}

func keyIsMissing(c *trial[player]) {
	c.insert(playerOf("ada", 1))
	for _, key := range []string{"", "ad", "adaa", "ADA", "%", "ada\x00"} {
		_, err := c.store.Get(c.ctx, key)
		c.fails("Get", err, store.ErrNotFound)
		c.fails("Tx.Delete", c.store.Transact(c.ctx, removing[player](key)), store.ErrNotFound)
	}
	c.holds(playerOf("ada", 1))
}

func keyIsTaken(c *trial[player]) {
	c.insert(playerOf("ada", 1))
	c.taken("Insert", c.store.Transact(c.ctx, inserting(playerOf("ada", 2))), "nickname")
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[player]) error {
		return errors.Join(tx.Insert(ctx, playerOf("bob", 1)), tx.Insert(ctx, playerOf("bob", 2)))
	})
	c.taken("the second Insert of the transaction", err, "nickname")
	c.holds(playerOf("ada", 1))
}

func keyRace(c *trial[player]) {
	errs := together(16, func(i int) error {
		return c.store.Transact(c.ctx, inserting(playerOf("ada", int64(i))))
	})
	winner := c.oneSucceeds(errs, func(err error) { c.taken("Insert at once with others", err, "nickname") })
	c.holds(playerOf("ada", int64(winner)))
}

func keyOrder(c *trial[player]) {
	zoe, ada, mia := playerOf("zoe", 1), playerOf("ada", 2), playerOf("mia", 3)
	upper, accented := playerOf("Zoe", 4), playerOf("élan", 5)
	c.insert(zoe, ada, accented, mia, upper)
	c.holds(upper, ada, mia, zoe, accented)
	c.update("ada", func(k *player) { k.Points = 9 })
	ada.Points = 9
	c.holds(upper, ada, mia, zoe, accented)
}

func keyAgain(c *trial[player]) {
	c.insert(playerOf("ada", 1), playerOf("bob", 1))
	c.transact(func(ctx context.Context, tx store.Tx[player]) error {
		if err := tx.Delete(ctx, "ada"); err != nil {
			return err
		}
		return tx.Insert(ctx, playerOf("ada", 2))
	})
	c.same("Get", playerOf("ada", 2), c.get("ada"))
	c.holds(playerOf("ada", 2), playerOf("bob", 1))
}

func keyStays(c *trial[player]) {
	c.insert(playerOf("ada", 1))
	if err := c.store.Transact(c.ctx, updating("ada", func(k *player) { k.Nickname = "bob" })); err == nil {
		c.Errorf("Update to another key: no error")
	}
	c.holds(playerOf("ada", 1))
}

func uuidRules() []rule[*trial[token]] {
	return []rule[*trial[token]]{
		{"a generated UUID is set before Insert returns", "It must not be zero, no two may be the same, and Get must find the record by it.", uuidIsSet},
		{"a UUID that is set stays", "Insert generates an identifier only if it is zero.", uuidIsPreserved},
		{"a duplicate UUID is rejected", "Insert must return a store.UniqueError for the identifier and leave the existing record unchanged.", uuidIsTaken},
		{"records are updated and deleted by UUID", "A missing record must give store.ErrNotFound.", uuidIsFound},
		{"records are listed in the order of their UUIDs", "The order is that of their text form.", uuidOrder},
		{"GetMany works with UUIDs", "GetMany must return the records in the order of the call, with nil for a missing one.", uuidsTogether},
	}
}

func uuidIsSet(c *trial[token]) {
	identifiersAreSet(c, func(i int) *token { return &token{Label: strconv.Itoa(i)} })
}

func uuidIsPreserved(c *trial[token]) {
	given := uuid.MustParse("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
	record := &token{ID: given, Label: "a"}
	c.insert(record)
	c.same("the record after Insert", &token{ID: given, Label: "a"}, record)
	c.same("Get", record, c.get(given))
}

func uuidIsTaken(c *trial[token]) {
	record := &token{Label: "a"}
	c.insert(record)
	c.taken("Insert", c.store.Transact(c.ctx, inserting(&token{ID: record.ID, Label: "b"})), "id")
	c.holds(record)
}

func uuidIsFound(c *trial[token]) {
	a, b := &token{Label: "a"}, &token{Label: "b"}
	c.insert(a, b)
	c.update(a.ID, func(t *token) { t.Label = "new" })
	c.same("Get after the update", &token{ID: a.ID, Label: "new"}, c.get(a.ID))
	c.remove(a.ID)
	_, err := c.store.Get(c.ctx, a.ID)
	c.fails("Get after the delete", err, store.ErrNotFound)
	c.fails("Tx.Delete", c.store.Transact(c.ctx, removing[token](a.ID)), store.ErrNotFound)
	c.holds(b)
}

func uuidOrder(c *trial[token]) {
	var all []*token
	for _, id := range []string{"00000000-0000-4000-8000-000000000002", "77777777-0000-4000-8000-000000000003", "ffffffff-0000-4000-8000-000000000001"} {
		all = append(all, &token{ID: uuid.MustParse(id)})
	}
	c.insert(all[2], all[0], all[1])
	c.holds(all...)
}
