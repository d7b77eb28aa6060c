package storetest

import (
	"context"
	"errors"
	"slices"

	"github.com/trove-api/trove/store"
)

// keyedCases lists the rules of [RunKeyed].
func keyedCases() []rule[Keyed] {
	return []rule[Keyed]{
		{
			"an identifier that the client chose is kept",
			"Insert changes nothing in it, whatever characters it has.",
			keyIsKept,
		},
		{
			"identifiers are equal only byte for byte",
			"Case, accents, composition, spaces and leading zeros tell them apart.",
			keyIsExact,
		},
		{
			"a missing key is ErrNotFound",
			"The store looks for the whole identifier, as it is.",
			keyIsMissing,
		},
		{
			"a key that is taken is refused",
			"Insert answers it with a store.UniqueError of the identifier's JSON name, and the record stays.",
			keyIsTaken,
		},
		{
			"of many that insert one key at once one succeeds",
			"The others get a UniqueError.",
			keyRace,
		},
		{
			"keyed records are listed in the order of their keys",
			"By their bytes, in every locale.",
			keyOrder,
		},
		{
			"a key may be deleted and inserted again in one transaction",
			"The new record is saved.",
			keyAgain,
		},
		{
			"an update of a keyed record cannot change its key",
			"Update takes a record that carries the key it is put in place of.",
			keyStays,
		},
		{
			"keyed records are got together by their keys, byte for byte",
			"A store.BatchGetter tells keys apart as Get does.",
			keysTogether,
		},
	}
}

func keyed(nickname string, points int64) *Keyed { return &Keyed{Nickname: nickname, Points: points} }

func keyIsKept(c *trial[Keyed]) {
	for _, key := range []string{
		"ada", "a b", "a/b", "a.json", "100%", "a?b=c&d", `"quoted" 'key'`, "é", "日本語", "🏴‍☠️", "'; DROP TABLE keyed; --", "-1", "a\\b",
	} {
		record := keyed(key, 7)
		c.insert(record)
		c.same("the record after Insert", keyed(key, 7), record)
		c.same("Get", keyed(key, 7), c.get(key))
	}
}

func keyIsExact(c *trial[Keyed]) {
	var all []*Keyed
	for i, key := range []string{" ada", "01", "1", "1.0", "Ada", "ada", "ada ", "e", "e\u0301", "\u00e9"} {
		record := keyed(key, int64(i))
		c.insert(record)
		all = append(all, record)
	}
	for _, record := range all {
		c.same("Get", record, c.get(record.Nickname))
	}
	c.holds(all...)
}

func keyIsMissing(c *trial[Keyed]) {
	c.insert(keyed("ada", 1))
	for _, key := range []string{"", "ad", "adaa", "ADA", "%", "ada\x00"} {
		_, err := c.store.Get(c.ctx, key)
		c.fails("Get", err, store.ErrNotFound)
		c.fails("Tx.Delete", c.store.Transact(c.ctx, removing[Keyed](key)), store.ErrNotFound)
	}
	c.holds(keyed("ada", 1))
}

func keyIsTaken(c *trial[Keyed]) {
	c.insert(keyed("ada", 1))
	c.taken("Insert", c.store.Transact(c.ctx, inserting(keyed("ada", 2))), "nickname")
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Keyed]) error {
		return errors.Join(tx.Insert(ctx, keyed("bob", 1)), tx.Insert(ctx, keyed("bob", 2)))
	})
	c.taken("the second Insert of the transaction", err, "nickname")
	c.holds(keyed("ada", 1))
}

func keyRace(c *trial[Keyed]) {
	errs := together(16, func(i int) error {
		return c.store.Transact(c.ctx, inserting(keyed("ada", int64(i))))
	})
	winner := slices.Index(errs, nil)
	for i, err := range errs {
		if i != winner {
			c.taken("Insert at once with others", err, "nickname")
		}
	}
	if winner < 0 {
		c.Fatalf("none of the inserts succeeded")
	}
	c.holds(keyed("ada", int64(winner)))
}

func keyOrder(c *trial[Keyed]) {
	zoe, ada, mia := keyed("zoe", 1), keyed("ada", 2), keyed("mia", 3)
	upper, accented := keyed("Zoe", 4), keyed("élan", 5)
	c.insert(zoe, ada, accented, mia, upper)
	c.holds(upper, ada, mia, zoe, accented)
	c.update("ada", func(k *Keyed) { k.Points = 9 })
	ada.Points = 9
	c.holds(upper, ada, mia, zoe, accented)
}

func keyAgain(c *trial[Keyed]) {
	c.insert(keyed("ada", 1), keyed("bob", 1))
	c.transact(func(ctx context.Context, tx store.Tx[Keyed]) error {
		if err := tx.Delete(ctx, "ada"); err != nil {
			return err
		}
		return tx.Insert(ctx, keyed("ada", 2))
	})
	c.same("Get", keyed("ada", 2), c.get("ada"))
	c.holds(keyed("ada", 2), keyed("bob", 1))
}

func keyStays(c *trial[Keyed]) {
	c.insert(keyed("ada", 1))
	if err := c.store.Transact(c.ctx, updating("ada", func(k *Keyed) { k.Nickname = "bob" })); err == nil {
		c.Errorf("Update to another key: no error")
	}
	c.holds(keyed("ada", 1))
}
