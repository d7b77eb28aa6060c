package storetest

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/trove-api/trove/store"
)

// visit references seats by their composite key: in a required field, in a nullable one, and in lists.
type visit struct {
	ID    int64     `json:"id" api:"id"`
	Label string    `json:"label" api:"filter,sort"`
	Seat  seatKey   `json:"seat" api:"ref=Seat,filter"`
	Spare *seatKey  `json:"spare" api:"ref=Seat,filter=exact|exists,ondelete=null"`
	Seats []seatKey `json:"seats" validate:"max=2000" api:"ref=Seat,filter"`
	Waits []seatKey `json:"waits" validate:"max=2000" api:"ref=Seat,filter,ondelete=null"`
}

// seatKey references a seat.
type seatKey struct {
	Hall int64  `json:"hall"`
	Name string `json:"name"`
}

// referenceTrial is the test of one rule on a store of visits and one of seats. In queries a reference is a
// [store.Key].
type referenceTrial struct {
	*trial[visit]

	seats *trial[seat]
}

func referenceRules() []rule[*referenceTrial] {
	return []rule[*referenceTrial]{
		{
			"composite references are read unchanged, and saved with their record or not at all",
			"Null differs from a key of zero values, and lists keep their order and duplicates. A long list does not depend on how many arguments a statement may have.",
			changesReferences,
		},
		{"queries compare all fields of a composite reference", "A reference that shares a part is different. A list matches if one of its elements does.", comparesReferences},
		{"a condition through a composite reference applies to the referenced record", "For a list, one referenced record must match all conditions.", goesThroughReferences},
		{"errors in queries of composite references are reported", "A key must have all fields, with their types. Anything else is an error.", mistakesInReferences},
		{
			"a composite reference to a missing record is rejected",
			"Insert and Update must return a store.ReferenceError with the field's name, and save nothing.",
			danglingReferences,
		},
		{"a record referenced by a composite key cannot be deleted", "Delete must return a store.ReferenceError with the name of the referencing field, which may be a list.", restrictedReferences},
		{"ondelete=null removes a composite reference", "All fields of the key become null. A list loses only the element.", forgottenReferences},
		{"of a concurrent insert and delete that conflict, one succeeds", "No reference to a missing record may remain.", racingReferences},
	}
}

// seatKeys returns the keys of all seats. No single field identifies one.
func seatKeys() []seatKey {
	return []seatKey{{0, ""}, {0, "a"}, {1, "a"}, {1, "b;c/d"}, {11, "a"}, {1, "é"}, {-1 << 63, `say "no"`}, {1<<63 - 1, "1"}}
}

func (k seatKey) key() store.Key { return store.Key{k.Hall, k.Name} }

// fill inserts seats, with few different guests, and visits. It returns copies of the visits.
func (c *referenceTrial) fill(n int) []*visit {
	c.Helper()
	for i, k := range seatKeys() {
		c.seats.insert(seatAt(k.Hall, k.Name, strconv.Itoa(i%3)))
	}
	random := newGenerator(7)
	some := func() seatKey { return one(random, seatKeys()...) }
	visits := make([]*visit, n)
	for i := range visits {
		visits[i] = &visit{
			ID: int64(i + 1), Label: one(random, "a", "b", "c"), Seat: some(), Spare: maybe(random, some),
			Seats: someOf(random, seatKeys()...), Waits: someOf(random, seatKeys()...),
		}
		c.insert(new(*visits[i]))
	}
	return visits
}

// fillOracle does what fill does, and returns the reference implementation for queries.
func (c *referenceTrial) fillOracle(n int) *oracle {
	c.Helper()
	c.supportsAll = true
	visits, seats := oracleOf(c.fill(n)), oracleOf(c.seats.list())
	for _, name := range []string{"seat", "spare", "seats", "waits"} {
		visits.through[name] = seats
	}
	return visits
}

func changesReferences(c *referenceTrial) {
	visits, keys := c.fill(12), seatKeys()
	c.holdsAlike(visits...)
	long, seats := []seatKey{}, []*seat{}
	for i := range int64(1200) {
		long, seats = append(long, seatKey{100 + i, "z"}), append(seats, seatAt(100+i, "z", "z"))
	}
	c.seats.insertTogether(seats...)
	for _, change := range []func(*visit){
		func(v *visit) { v.Seat, v.Spare = keys[3], &keys[0] },
		func(v *visit) { v.Seat.Name, v.Seat.Hall = "a", 11 },
		func(v *visit) { v.Spare, v.Seats = nil, []seatKey{keys[1], keys[3], keys[1]} },
		func(v *visit) { v.Label = "new" },
		func(v *visit) { v.Seats, v.Waits = []seatKey{keys[3], keys[1]}, nil },
		func(v *visit) { v.Seats = long },
	} {
		c.rollsBack(updating(int64(2), change))
		c.holdsAlike(visits...)
		c.update(int64(2), change)
		change(visits[1])
		c.holdsAlike(visits...)
	}
	c.remove(int64(1))
	c.holdsAlike(visits[1:]...)
}

func danglingReferences(c *referenceTrial) {
	visits, keys := c.fill(1), seatKeys()
	gone := seatKey{1, "a;b"} // each part occurs in some seat
	for field, change := range map[string]func(*visit){
		"seat":  func(v *visit) { v.Seat = gone },
		"spare": func(v *visit) { v.Spare = &gone },
		"seats": func(v *visit) { v.Seats = []seatKey{keys[1], gone} },
		"waits": func(v *visit) { v.Waits = []seatKey{gone} },
	} {
		made := *visits[0]
		made.ID = 2
		change(&made)
		c.refers("Insert", c.store.Transact(c.ctx, inserting(&made)), field, false)
		c.refers("Update", c.store.Transact(c.ctx, updating(int64(1), change)), field, false)
	}
	c.holdsAlike(visits...)
}

// refers checks that an error is a store.ReferenceError for the field.
func (c *referenceTrial) refers(call string, err error, field string, referred bool) {
	c.Helper()
	var found store.ReferenceError
	want := store.ReferenceError{Record: reflect.TypeFor[visit](), Field: field, Referred: referred}
	if !errors.As(err, &found) || found != want {
		c.Errorf("%s: %v, want %+v", call, err, want)
	}
}

func restrictedReferences(c *referenceTrial) {
	c.fill(0)
	keys := seatKeys()
	restricting := &visit{ID: 1, Seat: keys[2], Seats: []seatKey{keys[3], keys[4]}}
	c.insert(new(*restricting))
	for field, k := range map[string]seatKey{"seat": keys[2], "seats": keys[4]} {
		c.refers("Delete", c.seats.store.Transact(c.ctx, removing[seat](k.key())), field, true)
	}
	c.seats.remove(keys[1].key()) // shares parts with the others
	c.holdsAlike(restricting)
}

func forgottenReferences(c *referenceTrial) {
	c.fill(0)
	keys := seatKeys()
	visits := []*visit{
		{ID: 1, Seat: keys[2], Spare: &keys[3], Waits: []seatKey{keys[3], keys[4], keys[3], keys[2]}},
		{ID: 2, Seat: keys[2], Spare: &keys[4], Waits: []seatKey{keys[3]}},
	}
	for _, visit := range visits {
		c.insert(new(*visit))
	}
	c.seats.remove(keys[3].key())
	visits[0].Spare, visits[0].Waits, visits[1].Waits = nil, []seatKey{keys[4], keys[2]}, nil
	c.holdsAlike(visits...)
}

func racingReferences(c *referenceTrial) {
	keys := seatKeys()
	for i := range 10 {
		c.seats.insert(seatAt(keys[3].Hall, keys[3].Name, "x"), seatAt(keys[2].Hall, keys[2].Name, "x"))
		racing := &visit{ID: int64(i + 1), Seat: keys[2], Seats: []seatKey{keys[3]}}
		if i%2 == 0 {
			racing.Seat, racing.Seats = keys[3], nil
		}
		errs := together(2, func(n int) error {
			if n == 0 {
				return c.store.Transact(c.ctx, inserting(new(*racing)))
			}
			return c.seats.store.Transact(c.ctx, removing[seat](keys[3].key()))
		})
		var refused store.ReferenceError
		if (errs[0] == nil) == (errs[1] == nil) || !errors.As(errors.Join(errs...), &refused) || refused.Referred != (errs[0] == nil) {
			c.Fatalf("the insert returned %v, the delete %v", errs[0], errs[1])
		}
		if errs[0] == nil {
			c.remove(racing.ID)
			c.seats.remove(keys[3].key())
		}
		c.seats.remove(keys[2].key())
	}
}

func comparesReferences(c *referenceTrial) {
	visits, keys := c.fillOracle(60), seatKeys()
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
		if random.coin() && supportsGroups(c.store) {
			where = both(where, group(condition(), both(condition(), condition())).Where)
		}
		if !c.matches(visits, store.Query{Where: where, Offset: random.IntN(3), Limit: random.IntN(20), Count: true}) {
			return
		}
	}
	many := make([]any, 0, 300)
	for i := range int64(300) {
		many = append(many, store.Key{i + 100, "a"})
	}
	for _, name := range fields {
		if !c.matches(visits, store.Query{Where: on(name, store.Equal, append(many, keys[2].key())...), Count: true}) {
			return
		}
	}
}

func goesThroughReferences(c *referenceTrial) {
	joiner, ok := c.store.(store.Joiner)
	if !ok || !supportsGroups(c.store) {
		return
	}
	for _, name := range []string{"seat", "spare", "seats", "waits"} {
		if err := joiner.Through(name, c.seats.store); err != nil {
			c.Errorf("Through %s: %v", name, err)
		}
	}
	visits := c.fillOracle(60)
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
		if !c.matches(visits, store.Query{Where: where, Offset: random.IntN(3), Limit: random.IntN(20), Count: true}) {
			return
		}
	}
	for _, descending := range []bool{false, true} {
		for _, order := range []store.Order{{Field: "guest", Through: "seat"}, {Field: "guest", Through: "spare"}, {Field: "name", Through: "seat"}} {
			order.Descending = descending
			if !c.matches(visits, store.Query{Order: []store.Order{order}, Count: true}) {
				return
			}
		}
	}
	c.rejectsAll(map[string]store.Query{"an order through a list": {Order: []store.Order{{Field: "guest", Through: "seats"}}}})
}

func mistakesInReferences(c *referenceTrial) {
	c.fill(3)
	for _, name := range []string{"seat", "spare", "seats"} {
		for what, value := range map[string]any{
			"a struct": seatKey{1, "a"}, "a part": int64(1), "a string": "1;a", "a key of one part": store.Key{int64(1)}, "no key": nil,
			"a key in the wrong order": store.Key{"a", int64(1)}, "a key of three parts": store.Key{int64(1), "a", "a"}, "a foreign part": store.Key{1, "a"},
		} {
			c.rejectsAll(map[string]store.Query{what + " for " + name: {Where: on(name, store.Equal, value)}})
		}
	}
	c.rejectsAll(map[string]store.Query{
		"no value":                  {Where: on("seats", store.Equal)},
		"a list instead of a value": {Where: on("seats", store.Equal, seatKeys())},
		"an order of lists":         {Order: []store.Order{{Field: "seats"}}},
		"a comparison of a list":    {Where: on("seats", store.Less, seatKeys()[0].key())},
	})
}
