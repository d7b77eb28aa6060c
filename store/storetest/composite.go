package storetest

import (
	"context"
	"errors"
	"strconv"

	"github.com/trove-api/trove/store"
)

func compositeRules() []rule[*trial[seat]] {
	return append([]rule[*trial[seat]]{
		{"all parts of an identifier tell records apart", "Each is compared by itself: what ends one part does not begin the next.", partsTellApart},
		{"a record of several identifiers is missing by each of them alone", "The store looks for the whole key.", partsAreNoKey},
		{"a composite key that is taken is refused", "Insert answers it with a store.UniqueError of all names, with commas, and the record stays.", compositeIsTaken},
		{"of many that insert one composite key at once one succeeds", "The others get a UniqueError.", compositeRace},
		{"an update cannot change a part of a key", "Update takes a record that carries the key it is put in place of.", compositeStays},
		{"a record of several identifiers is changed and removed alone", "Those that share a part of its key stay.", compositeChanges},
	}, compositeLists()...)
}

// compositeLists are the rules about several records.
func compositeLists() []rule[*trial[seat]] {
	return []rule[*trial[seat]]{
		{"records are listed in the order of all parts", "The first part weighs most; numbers are ordered as numbers, texts by their bytes.", compositeOrder},
		{"a list goes on behind a composite key", "In each direction, after orders by other fields and by parts alone.", compositePositions},
		{"records are got together by composite keys", "A store.BatchGetter tells them apart as Get does.", compositeTogether},
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
		c.answers(bookOf(all), ordered(order...))
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
	seats := bookOf(all)
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
		c.answers(seats, query)
		query.Limit = 4
		for _, at := range seats.records {
			if query.After = seats.position(at, query.Order); !c.answers(seats, query) {
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
