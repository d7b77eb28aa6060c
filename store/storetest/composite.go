package storetest

import (
	"context"
	"errors"
	"strconv"

	"github.com/trove-api/trove/store"
)

func compositeRules() []rule[*trial[seat]] {
	return append([]rule[*trial[seat]]{
		{"all fields of a composite identifier count", "The fields must be compared separately, not as one joined string.", partsTellApart},
		{"a part of a composite identifier finds no record", "The store must compare all fields of the key.", partsAreNoKey},
		{"a duplicate composite key is rejected", "Insert must return a store.UniqueError with all field names, separated by commas, and leave the existing record unchanged.", compositeIsTaken},
		{"of concurrent inserts of one composite key, one succeeds", "All others must get a store.UniqueError.", compositeRace},
		{"an update cannot change part of a composite key", "The record passed to Update must have the key passed to Update.", compositeStays},
		{"updates and deletes by composite key affect one record", "Records that share part of the key must not change.", compositeChanges},
	}, compositeLists()...)
}

// compositeLists are the rules about lists of records.
func compositeLists() []rule[*trial[seat]] {
	return []rule[*trial[seat]]{
		{"records are listed in the order of all key fields", "The first field is the most significant. Numbers sort by value, strings by bytes.", compositeOrder},
		{"a list continues after a composite key", "This applies in both directions, and with sort orders of other fields or of single key fields.", compositePositions},
		{"GetMany works with composite keys", "GetMany must compare keys as Get does.", compositeTogether},
	}
}

func seatAt(hall int64, name, guest string) *seat { return &seat{Hall: hall, Name: name, Guest: guest} }

func seatID(hall int64, name string) store.Key { return store.Key{hall, name} }

func partsTellApart(c *trial[seat]) {
	all := []*seat{
		seatAt(-1, "a", "1"), seatAt(0, "a", "2"), seatAt(1, "", "3"), seatAt(1, "1", "4"), seatAt(1, "a", "5"), seatAt(1, "a;b", "6"), seatAt(1, "ab", "7"),
		seatAt(2, "a", "8"), seatAt(11, "", "9"), seatAt(11, "a", "10"),
	}
	for _, i := range []int{5, 2, 9, 0, 7, 3, 8, 1, 6, 4} {
		c.insert(all[i])
	}
	for _, s := range all {
		c.same("Get", s, c.get(seatID(s.Hall, s.Name)))
	}
	c.holds(all...)
}

func partsAreNoKey(c *trial[seat]) {
	c.insert(seatAt(1, "a", "x"))
	for _, key := range []store.Key{seatID(1, "b"), seatID(2, "a"), seatID(1, ""), seatID(0, "a"), seatID(1, "a\x00")} {
		_, err := c.store.Get(c.ctx, key)
		c.fails("Get", err, store.ErrNotFound)
		c.fails("Tx.Delete", c.store.Transact(c.ctx, removing[seat](key)), store.ErrNotFound)
	}
	for _, id := range []any{int64(1), "a", store.Key{int64(1)}, store.Key{"a", int64(1)}, store.Key{int64(1), "a", "a"}} {
		if _, err := c.store.Get(c.ctx, id); err == nil {
			c.Errorf("Get by %v: no error", id)
		}
	}
	c.holds(seatAt(1, "a", "x"))
}

func compositeIsTaken(c *trial[seat]) {
	c.insert(seatAt(1, "a", "x"))
	c.taken("Insert", c.store.Transact(c.ctx, inserting(seatAt(1, "a", "y"))), "hall,name")
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[seat]) error {
		return errors.Join(tx.Insert(ctx, seatAt(2, "a", "x")), tx.Insert(ctx, seatAt(2, "a", "y")))
	})
	c.taken("the second Insert of the transaction", err, "hall,name")
	c.holds(seatAt(1, "a", "x"))
}

func compositeRace(c *trial[seat]) {
	errs := together(16, func(i int) error {
		return c.store.Transact(c.ctx, inserting(seatAt(1, "a", strconv.Itoa(i))))
	})
	winner := c.oneSucceeds(errs, func(err error) { c.taken("Insert at once with others", err, "hall,name") })
	c.holds(seatAt(1, "a", strconv.Itoa(winner)))
}

func compositeStays(c *trial[seat]) {
	c.insert(seatAt(1, "a", "x"))
	for _, change := range []func(*seat){func(s *seat) { s.Hall = 2 }, func(s *seat) { s.Name = "b" }} {
		if err := c.store.Transact(c.ctx, updating(seatID(1, "a"), change)); err == nil {
			c.Errorf("Update to another key: no error")
		}
	}
	c.holds(seatAt(1, "a", "x"))
}

func compositeChanges(c *trial[seat]) {
	a, b, other := seatAt(1, "a", "x"), seatAt(1, "b", "x"), seatAt(2, "a", "x")
	c.insert(a, b, other)
	c.update(seatID(1, "a"), func(s *seat) { s.Guest = "y" })
	a.Guest = "y"
	c.holds(a, b, other)
	c.remove(seatID(1, "a"))
	c.holds(b, other)
	c.transact(func(ctx context.Context, tx store.Tx[seat]) error {
		return errors.Join(tx.Delete(ctx, seatID(2, "a")), tx.Insert(ctx, seatAt(2, "a", "z")), tx.Insert(ctx, a))
	})
	c.holds(a, b, seatAt(2, "a", "z"))
}

func compositeOrder(c *trial[seat]) {
	all := []*seat{seatAt(-2, "z", "q"), seatAt(2, "B", "r"), seatAt(2, "a", "q"), seatAt(2, "é", "r"), seatAt(10, "A", "q")}
	c.insert(all[3], all[0], all[4], all[2], all[1])
	c.holds(all...)
	for _, order := range [][]string{{"-hall"}, {"name"}, {"guest", "-hall"}} {
		c.matches(oracleOf(all), ordered(order...))
	}
}

func compositePositions(c *trial[seat]) {
	var all []*seat
	for hall := range int64(3) {
		for _, name := range []string{"a", "a\x01", "b"} {
			all = append(all, seatAt(hall, name, strconv.Itoa(len(all)%2)))
		}
	}
	c.insert(all...)
	seats := oracleOf(all)
	for _, names := range [][]string{
		{"hall", "name"},
		{"-hall", "-name"},
		{"-hall", "name"},
		{"name", "hall"},
		{"guest", "hall", "name"},
		{"-guest", "-hall", "-name"},
		{"guest", "-name", "-hall"},
	} {
		query := ordered(names...)
		c.matches(seats, query)
		query.Limit = 4
		for _, at := range seats.records {
			if query.After = seats.position(at, query.Order); !c.matches(seats, query) {
				return
			}
		}
	}
}

func compositeTogether(c *trial[seat]) {
	a, b, other := seatAt(1, "a", "x"), seatAt(1, "b", "x"), seatAt(2, "a", "x")
	c.insert(a, b, other)
	ids, want := make([]any, 0, manyValues), make([]*seat, 0, manyValues)
	for i := range int64(1200) {
		ids, want = append(ids, seatID(i+3, "a")), append(want, nil)
	}
	ids, want = append(ids, seatID(2, "a"), seatID(1, "b"), seatID(2, "b"), seatID(1, "a"), seatID(2, "a")), append(want, other, b, nil, a, other)
	batch(c, ids, want)
}
