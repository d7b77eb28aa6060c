package storetest

import (
	"cmp"
	"slices"

	"github.com/trove-api/trove/store"
)

func comparesReferences(c *referenceTrial) {
	visits, keys := c.fill(60), seatKeys()
	random := newGenerator(17)
	fields := []string{"seat", "spare", "seats", "waits"}
	condition := func() []store.Condition {
		name := one(random, fields...)
		if name == "spare" && random.coin() {
			return on(name, store.Exists, random.coin())
		}
		values := []any{one(random, keys...).key()}
		for range random.IntN(3) {
			values = append(values, one(random, keys...).key(), store.Key{int64(7), "none"})
		}
		return on(name, one(random, store.Equal, store.NotEqual), values...)
	}
	for range trials(150) {
		where := condition()
		if random.coin() {
			where = both(where, condition())
		}
		if random.coin() && knowsGroups(c.visits) {
			where = both(where, group(condition(), both(condition(), condition())).Where)
		}
		c.answers(visits, store.Query{Where: where, Offset: random.IntN(3), Limit: random.IntN(20)})
	}
	many := make([]any, 0, 300)
	for i := range int64(300) {
		many = append(many, store.Key{i + 100, "a"})
	}
	for _, name := range fields {
		c.answers(visits, store.Query{Where: on(name, store.Equal, append(many, keys[2].key())...)})
	}
}

func goesThroughReferences(c *referenceTrial) {
	says, ok := c.visits.(store.Joiner)
	if !ok || !knowsGroups(c.visits) {
		return
	}
	for _, name := range []string{"seat", "spare", "seats", "waits"} {
		if err := says.Through(name, c.seats); err != nil {
			c.Errorf("Through %s: %v", name, err)
		}
	}
	visits := c.fill(60)
	random := newGenerator(19)
	condition := func() []store.Condition {
		switch random.IntN(3) {
		case 0:
			return on("guest", one(random, store.Equal, store.NotEqual), one(random, "0", "1", "2", "none"))
		case 1:
			return on("hall", one(random, store.Equal, store.Less), one(random, seatKeys()...).Hall)
		}
		return on("name", store.Equal, one(random, seatKeys()...).Name)
	}
	for range trials(150) {
		lists := make([][]store.Condition, random.IntN(3))
		for i := range lists {
			lists[i] = both(condition(), condition())[:1+random.IntN(2)]
		}
		where := through(one(random, "seat", "spare", "seats", "waits"), lists...)
		if random.coin() {
			where = both(where, on("label", store.Equal, one(random, "a", "b")))
		}
		c.answers(visits, store.Query{Where: where, Offset: random.IntN(3), Limit: random.IntN(20)})
	}
	for _, descending := range []bool{false, true} {
		for _, order := range []store.Order{{Field: "guest", Through: "seat"}, {Field: "guest", Through: "spare"}, {Field: "name", Through: "seat"}} {
			order.Descending = descending
			c.answers(visits, store.Query{Order: []store.Order{order}})
		}
	}
	if _, err := c.visits.List(c.ctx, store.Query{Order: []store.Order{{Field: "guest", Through: "seats"}}}); err == nil {
		c.Errorf("an order through a list: no error")
	}
}

func mistakesInReferences(c *referenceTrial) {
	c.fill(3)
	for _, name := range []string{"seat", "spare", "seats"} {
		for what, value := range map[string]any{
			"a struct": SeatKey{1, "a"}, "a part": int64(1), "a text": "1;a", "a key of one part": store.Key{int64(1)}, "no key": nil,
			"a key in another order": store.Key{"a", int64(1)}, "a key of three parts": store.Key{int64(1), "a", "a"}, "a foreign part": store.Key{1, "a"},
		} {
			if page, err := c.visits.List(c.ctx, store.Query{Where: on(name, store.Equal, value)}); err == nil {
				c.Errorf("%s for %s: no error, and %d items", what, name, len(page.Items))
			}
		}
	}
	for name, query := range map[string]store.Query{
		"no value":               {Where: on("seats", store.Equal)},
		"a list for a value":     {Where: on("seats", store.Equal, seatKeys())},
		"an order of lists":      {Order: []store.Order{{Field: "seats"}}},
		"a comparison of a list": {Where: on("seats", store.Less, seatKeys()[0].key())},
	} {
		if page, err := c.visits.List(c.ctx, query); err == nil {
			c.Errorf("%s: no error, and %d items", name, len(page.Items))
		}
	}
}

// answers checks the answer to a query against that of the book.
func (c *referenceTrial) answers(visits []*Visit, query store.Query) {
	c.Helper()
	query.Count = true
	if checker, ok := c.visits.(store.QueryChecker); ok {
		if err := checker.CheckQuery(store.Query{Where: withoutValues(query.Where), Order: query.Order}); err != nil {
			c.Errorf("CheckQuery of %+v: %v", query, err)
			return
		}
	}
	want := slices.DeleteFunc(slices.Clone(visits), func(v *Visit) bool { return !visitHolds(query.Where, v) })
	for _, order := range query.Order {
		slices.SortFunc(want, func(a, b *Visit) int {
			by := cmp.Or(compareValues(seatValue(a, order), seatValue(b, order)), cmp.Compare(a.ID, b.ID))
			if order.Descending {
				return -by
			}
			return by
		})
	}
	total := len(want)
	want = want[min(query.Offset, total):]
	if query.Limit > 0 {
		want = want[:min(query.Limit, len(want))]
	}
	got, err := c.visits.List(c.ctx, query)
	if err != nil {
		c.Errorf("List of %+v: %v", query, err)
		return
	}
	if got.Total != total {
		c.Errorf("List of %+v: Total is %d, want %d", query, got.Total, total)
	}
	if c.same("List", want, got.Items); len(want) != len(got.Items) {
		c.Errorf("the query is %+v", query)
	}
}

// keysOf returns what a visit refers to by a field.
func keysOf(v *Visit, name string) []SeatKey {
	switch {
	case name == "seat":
		return []SeatKey{v.Seat}
	case name == "seats":
		return v.Seats
	case name == "waits":
		return v.Waits
	case v.Spare == nil:
		return nil
	}
	return []SeatKey{*v.Spare}
}

// guestOf returns the guest that [referenceTrial.fill] has given a seat.
func guestOf(k SeatKey) *Seat {
	for i, known := range seatKeys() {
		if known == k {
			return seat(k.Hall, k.Name, string(rune('0'+i%3)))
		}
	}
	return nil
}

func seatField(s *Seat, name string) any {
	switch name {
	case "hall":
		return s.Hall
	case "name":
		return s.Name
	}
	return s.Guest
}

// seatValue returns the value of an order through a reference, nil where that is null.
func seatValue(v *Visit, order store.Order) any {
	keys := keysOf(v, order.Through)
	if keys == nil {
		return nil
	}
	return seatField(guestOf(keys[0]), order.Field)
}

func visitHolds(conditions []store.Condition, v *Visit) bool {
	return !slices.ContainsFunc(conditions, func(c store.Condition) bool {
		switch {
		case c.Through != "":
			return !slices.ContainsFunc(keysOf(v, c.Through), func(k SeatKey) bool {
				return slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return seatHolds(list, guestOf(k)) })
			})
		case c.Any != nil:
			return !slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return visitHolds(list, v) })
		case c.Fields[0] == "label":
			return !holdsFor(c, v.Label)
		case c.Operator == store.Exists:
			return (v.Spare != nil) != c.Values[0]
		}
		has := slices.ContainsFunc(keysOf(v, c.Fields[0]), func(k SeatKey) bool { return slices.Contains(c.Values, any(k.key())) })
		return has != (c.Operator == store.Equal)
	})
}

func seatHolds(conditions []store.Condition, s *Seat) bool {
	return !slices.ContainsFunc(conditions, func(c store.Condition) bool { return !holdsFor(c, seatField(s, c.Fields[0])) })
}
