package storetest

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/trove-api/trove/store"
)

// compositeCases lists the rules of [RunComposite].
func compositeCases() []rule[Seat] {
	return append([]rule[Seat]{
		{
			"all parts of an identifier tell records apart",
			"Each is compared by itself: what ends one part does not begin the next.",
			partsTellApart,
		},
		{
			"a record of several identifiers is missing by each of them alone",
			"The store looks for the whole key.",
			partsAreNoKey,
		},
		{
			"a composite key that is taken is refused",
			"Insert answers it with a store.UniqueError of all names, with commas, and the record stays.",
			compositeIsTaken,
		},
		{
			"of many that insert one composite key at once one succeeds",
			"The others get a UniqueError.",
			compositeRace,
		},
		{
			"an update cannot change a part of a key",
			"Update takes a record that carries the key it is put in place of.",
			compositeStays,
		},
		{
			"a record of several identifiers is changed and removed alone",
			"Those that share a part of its key stay.",
			compositeChanges,
		},
	}, compositeLists()...)
}

// compositeLists are the rules about several records.
func compositeLists() []rule[Seat] {
	return []rule[Seat]{
		{
			"records are listed in the order of all parts",
			"The first part weighs most; numbers are ordered as numbers, texts by their bytes.",
			compositeOrder,
		},
		{
			"a list goes on behind a composite key",
			"In each direction, after orders by other fields and by parts alone.",
			compositePositions,
		},
		{
			"records are got together by composite keys",
			"A store.BatchGetter tells them apart as Get does.",
			compositeTogether,
		},
	}
}

func seat(hall int64, name, guest string) *Seat { return &Seat{Hall: hall, Name: name, Guest: guest} }

func place(hall int64, name string) store.Key { return store.Key{hall, name} }

func partsTellApart(c *trial[Seat]) {
	all := []*Seat{
		seat(-1, "a", "1"), seat(0, "a", "2"), seat(1, "", "3"), seat(1, "1", "4"), seat(1, "a", "5"), seat(1, "a;b", "6"), seat(1, "ab", "7"),
		seat(2, "a", "8"), seat(11, "", "9"), seat(11, "a", "10"),
	}
	for _, i := range []int{5, 2, 9, 0, 7, 3, 8, 1, 6, 4} {
		c.insert(all[i])
	}
	for _, s := range all {
		c.same("Get", s, c.get(place(s.Hall, s.Name)))
	}
	c.holds(all...)
}

func partsAreNoKey(c *trial[Seat]) {
	c.insert(seat(1, "a", "x"))
	for _, key := range []store.Key{place(1, "b"), place(2, "a"), place(1, ""), place(0, "a"), place(1, "a\x00")} {
		_, err := c.store.Get(c.ctx, key)
		c.fails("Get", err, store.ErrNotFound)
		c.fails("Tx.Delete", c.store.Transact(c.ctx, removing[Seat](key)), store.ErrNotFound)
	}
	for _, id := range []any{int64(1), "a", store.Key{int64(1)}, store.Key{"a", int64(1)}, store.Key{int64(1), "a", "a"}} {
		if _, err := c.store.Get(c.ctx, id); err == nil {
			c.Errorf("Get by %v: no error", id)
		}
	}
	c.holds(seat(1, "a", "x"))
}

func compositeIsTaken(c *trial[Seat]) {
	c.insert(seat(1, "a", "x"))
	c.taken("Insert", c.store.Transact(c.ctx, inserting(seat(1, "a", "y"))), "hall,name")
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Seat]) error {
		return errors.Join(tx.Insert(ctx, seat(2, "a", "x")), tx.Insert(ctx, seat(2, "a", "y")))
	})
	c.taken("the second Insert of the transaction", err, "hall,name")
	c.holds(seat(1, "a", "x"))
}

func compositeRace(c *trial[Seat]) {
	errs := together(16, func(i int) error {
		return c.store.Transact(c.ctx, inserting(seat(1, "a", strconv.Itoa(i))))
	})
	winner := slices.Index(errs, nil)
	for i, err := range errs {
		if i != winner {
			c.taken("Insert at once with others", err, "hall,name")
		}
	}
	if winner < 0 {
		c.Fatalf("none of the inserts succeeded")
	}
	c.holds(seat(1, "a", strconv.Itoa(winner)))
}

func compositeStays(c *trial[Seat]) {
	c.insert(seat(1, "a", "x"))
	for _, change := range []func(*Seat){func(s *Seat) { s.Hall = 2 }, func(s *Seat) { s.Name = "b" }} {
		if err := c.store.Transact(c.ctx, updating(place(1, "a"), change)); err == nil {
			c.Errorf("Update to another key: no error")
		}
	}
	c.holds(seat(1, "a", "x"))
}

func compositeChanges(c *trial[Seat]) {
	a, b, other := seat(1, "a", "x"), seat(1, "b", "x"), seat(2, "a", "x")
	c.insert(a, b, other)
	c.update(place(1, "a"), func(s *Seat) { s.Guest = "y" })
	a.Guest = "y"
	c.holds(a, b, other)
	c.remove(place(1, "a"))
	c.holds(b, other)
	c.transact(func(ctx context.Context, tx store.Tx[Seat]) error {
		return errors.Join(tx.Delete(ctx, place(2, "a")), tx.Insert(ctx, seat(2, "a", "z")), tx.Insert(ctx, a))
	})
	c.holds(a, b, seat(2, "a", "z"))
}

func compositeOrder(c *trial[Seat]) {
	all := []*Seat{seat(-2, "z", "q"), seat(2, "B", "r"), seat(2, "a", "q"), seat(2, "é", "r"), seat(10, "A", "q")}
	c.insert(all[3], all[0], all[4], all[2], all[1])
	c.holds(all...)
	listed := func(name string, want []*Seat, order ...store.Order) {
		page, err := c.store.List(c.ctx, store.Query{Order: order})
		if err != nil {
			c.Fatalf("List: %v", err)
		}
		c.same(name, want, page.Items)
	}
	listed("List by a part, descending", []*Seat{all[4], all[3], all[2], all[1], all[0]}, store.Order{Field: "hall", Descending: true})
	listed("List by the other part", []*Seat{all[4], all[1], all[2], all[0], all[3]}, store.Order{Field: "name"})
	listed("List by a field", []*Seat{all[4], all[2], all[0], all[3], all[1]}, store.Order{Field: "guest"}, store.Order{Field: "hall", Descending: true})
}

func compositePositions(c *trial[Seat]) {
	var all []*Seat
	for hall := range int64(3) {
		for _, name := range []string{"a", "a\x01", "b"} {
			all = append(all, seat(hall, name, strconv.Itoa(len(all)%2)))
		}
	}
	c.insert(all...)
	value := map[string]func(*Seat) any{
		"hall": func(s *Seat) any { return s.Hall }, "name": func(s *Seat) any { return s.Name }, "guest": func(s *Seat) any { return s.Guest },
	}
	for _, order := range [][]store.Order{
		{{Field: "hall"}, {Field: "name"}},
		{{Field: "hall", Descending: true}, {Field: "name", Descending: true}},
		{{Field: "hall", Descending: true}, {Field: "name"}},
		{{Field: "name"}, {Field: "hall"}},
		{{Field: "guest"}, {Field: "hall"}, {Field: "name"}},
		{{Field: "guest", Descending: true}, {Field: "hall", Descending: true}, {Field: "name", Descending: true}},
		{{Field: "guest"}, {Field: "name", Descending: true}, {Field: "hall", Descending: true}},
	} {
		whole, err := c.store.List(c.ctx, store.Query{Order: order})
		if err != nil {
			c.Fatalf("List: %v", err)
		}
		for i, at := range whole.Items {
			after := make([]any, len(order))
			for n, o := range order {
				after[n] = value[o.Field](at)
			}
			rest, err := c.store.List(c.ctx, store.Query{Order: order, After: after, Limit: 4})
			if err != nil {
				c.Fatalf("List after a position: %v", err)
			}
			want := whole.Items[i+1 : min(i+5, len(whole.Items))]
			if len(want)+len(rest.Items) > 0 {
				c.same("List after a position", want, rest.Items)
			}
		}
	}
}

func compositeTogether(c *trial[Seat]) {
	batches, ok := c.store.(store.BatchGetter[Seat])
	if !ok {
		return
	}
	a, b, other := seat(1, "a", "x"), seat(1, "b", "x"), seat(2, "a", "x")
	c.insert(a, b, other)
	ids, want := make([]any, 0, manyValues), make([]*Seat, 0, manyValues)
	for i := range int64(1200) {
		ids, want = append(ids, place(i+3, "a")), append(want, nil)
	}
	ids, want = append(ids, place(2, "a"), place(1, "b"), place(2, "b"), place(1, "a"), place(2, "a")), append(want, other, b, nil, a, other)
	got, err := batches.GetMany(c.ctx, ids)
	if err != nil {
		c.Fatalf("GetMany: %v", err)
	}
	c.same("GetMany", want, got)
}
