package storetest

import (
	"errors"
	"reflect"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// bundle references records with lists, and those with a composite key also with a required and a nullable field. Other
// lists can be filtered too, one of them in an object.
type bundle struct {
	ID     int64       `json:"id" api:"id"`
	Name   string      `json:"name" api:"filter,sort"`
	Keys   []string    `json:"keys" validate:"max=100" api:"ref=Player,filter"`
	Tokens []uuid.UUID `json:"tokens" validate:"max=100" api:"ref=Token,filter,ondelete=null"`
	Seat   seatKey     `json:"seat" api:"ref=Seat,filter"`
	Spare  *seatKey    `json:"spare" api:"ref=Seat,filter=exact|exists,ondelete=null"`
	Seats  []seatKey   `json:"seats" validate:"max=2000" api:"ref=Seat,filter"`
	Labels []string    `json:"labels" api:"filter=contains"`
	Counts []int64     `json:"counts" api:"filter=contains"`
	Inside pouch       `json:"inside"`
}

// pouch is the struct within a bundle.
type pouch struct {
	Labels []uuid.UUID `json:"labels" api:"filter=contains"`
}

// seatKey references a seat. In queries it is a [store.Key].
type seatKey struct {
	Hall int64  `json:"hall"`
	Name string `json:"name"`
}

func (k seatKey) key() store.Key { return store.Key{k.Hall, k.Name} }

// listTrial is the test of one rule on a store of bundles and the stores that they reference.
type listTrial struct {
	*trial[bundle]

	keys   *trial[player]
	tokens *trial[token]
	seats  *trial[seat]
}

func listRules() []rule[*listTrial] {
	return []rule[*listTrial]{
		{
			"references and lists are read unchanged, and saved with their record or not at all",
			"A list keeps its order and its duplicates, however long it is. Nil and empty lists are the same, but null differs from a key of zero values. Get, List, GetMany and the transaction's Get must all return them unchanged.",
			changesLists,
		},
		{
			"a list in Query.Fields is read", "A store may leave other lists nil, because fields that are not read should cost nothing.",
			func(c *listTrial) {
				bundles := oracleOf(c.fill(5))
				for _, fields := range [][]string{{"keys"}, {"tokens", "name"}, {"labels"}, {"inside.labels"}, {"seats", "spare"}} {
					c.readsFields(bundles, store.Query{Fields: fields}, fields...)
				}
			},
		},
		{
			"equal matches lists that contain one of the values, and all fields of a composite reference",
			"Each record must be returned and counted once, regardless of duplicates, pagination and sort order. All parts of a query must work together.",
			comparesLists,
		},
		{"errors in queries of references and lists are reported", "An invalid query must return an error. It must neither panic nor return every record.", mistakesInLists},
		{
			"a reference to a missing record is rejected",
			"Insert and Update must return a store.ReferenceError with the field's name, and save nothing.",
			danglingReferences,
		},
		{"of a concurrent insert and delete that conflict, one succeeds", "No reference to a missing record may remain.", racingReferences},
		{
			"a condition through a list or a composite reference, or back, must hold for one referenced record",
			"One referenced record must match all conditions; two that match one each do not count. A record must be returned once, even if several of its references match, or one list has it twice.",
			comparesThroughLists,
		},
		{
			"sorting through a list is an error, as are invalid conditions through one",
			"With several referenced records there is no single value to sort by.",
			mistakesThroughLists,
		},
	}
}

// names, tokenIDs and seatKeys identify the records that bundles reference. No single field identifies a seat.
func names() []string { return []string{"a", "A", "é", `say "no"`, "[1]", "1"} }

func tokenIDs() []uuid.UUID {
	return []uuid.UUID{uuid.MustParse("00000000-0000-4000-8000-000000000001"), uuid.MustParse("f0000000-0000-4000-8000-00000000000a")}
}

func seatKeys() []seatKey {
	return []seatKey{{0, ""}, {0, "a"}, {1, "a"}, {1, "b;c/d"}, {11, "a"}, {1, "é"}, {-1 << 63, `say "no"`}, {1<<63 - 1, "1"}}
}

// fill inserts bundles and the records they reference. It returns copies of the bundles. The points of a player are its
// number, as is the guest of a seat; both have few different values.
func (c *listTrial) fill(n int) []*bundle {
	c.Helper()
	for i, name := range names() {
		c.keys.insert(&player{name, int64(i % 3)})
	}
	for _, id := range tokenIDs() {
		c.tokens.insert(&token{ID: id})
	}
	for i, k := range seatKeys() {
		c.seats.insert(&seat{k.Hall, k.Name, strconv.Itoa(i % 3)})
	}
	random := newGenerator(3)
	bundles := make([]*bundle, n)
	for i := range bundles {
		bundles[i] = &bundle{
			ID: int64(i + 1), Name: one(random, "a", "b", "c"),
			Keys: someOf(random, names()...), Tokens: someOf(random, tokenIDs()...),
			Seat: one(random, seatKeys()...), Seats: someOf(random, seatKeys()...),
			Spare:  maybe(random, func() seatKey { return one(random, seatKeys()...) }),
			Labels: someOf(random, "red", "Red", "", `"`, "ü", "1", "a\\b"), Counts: someOf(random, 0, 1, -7, int64(1<<53+1), -1<<63, 1<<63-1),
			Inside: pouch{someOf(random, tokenIDs()...)},
		}
		c.insert(new(*bundles[i]))
	}
	return bundles
}

func changesLists(c *listTrial) {
	bundles, keys := c.fill(12), seatKeys()
	c.holdsAlike(bundles...)
	long, seats := []seatKey{}, []*seat{} // more than fit into the arguments of a statement
	for i := range int64(1200) {
		long, seats = append(long, seatKey{100 + i, "z"}), append(seats, &seat{100 + i, "z", "z"})
	}
	c.seats.insertTogether(seats...)
	for _, change := range []func(*bundle){
		func(b *bundle) {
			b.Keys, b.Tokens, b.Labels = append(slices.Clone(b.Keys), "a", "A", "a"), nil, []string{"new"}
		},
		func(b *bundle) { b.Name = "renamed" },
		func(b *bundle) { slices.Reverse(b.Keys) },
		func(b *bundle) { b.Keys, b.Seat, b.Spare = nil, keys[3], &keys[0] },
		func(b *bundle) { b.Spare, b.Seat.Name, b.Seat.Hall = nil, "a", 11 },
		func(b *bundle) { b.Seats = []seatKey{keys[1], keys[3], keys[1]} },
		func(b *bundle) { b.Seats = long },
	} {
		c.rollsBack(updating(int64(2), change))
		c.holdsAlike(bundles...)
		c.transact(updating(int64(2), change))
		bundles[1] = new(*bundles[1])
		bundles[1].Keys = slices.Clone(bundles[1].Keys)
		change(bundles[1])
		c.holdsAlike(bundles...)
	}
	bundles[2].Keys = []string{"1", "é"}
	c.transact(overwriting(int64(3), new(*bundles[2]), false))
	c.holdsAlike(bundles...)
	c.remove(int64(1))
	c.holdsAlike(bundles[1:]...)
}

func comparesLists(c *listTrial) {
	bundles := oracleOf(c.fill(60))
	random := newGenerator(11)
	queries := []store.Query{oneOfMany(manyValues, "keys", store.Equal, none, "1"), oneOfMany(manyLabels, "labels", store.Equal, none, "1"), where("labels", store.Equal, "a\x00"), where("counts", store.Equal, int64(1<<53))}
	nowhere, many := store.Key{int64(7), "none"}, []any{seatKeys()[2].key()}
	for i := range int64(300) {
		many = append(many, store.Key{i + 100, "a"})
	}
	for _, field := range []string{"seat", "spare", "seats"} {
		queries = append(queries, where(field, store.Equal, many...))
	}
	for _, f := range bundles.fields {
		if unknown := (map[string]any{"keys": "nobody", "labels": "nobody", "name": "nobody", "seat": nowhere, "seats": nowhere})[f.name]; unknown != nil {
			for _, operator := range []store.Operator{store.Equal, store.NotEqual} {
				queries = append(queries, where(f.name, operator, unknown), where(f.name, operator, random.value(f, bundles), unknown))
			}
		}
	}
	for _, query := range queries {
		if !c.matches(bundles, counted(query)) {
			return
		}
	}
	randomPages(c.trial, bundles, 150, random, random.query)
	randomPages(c.trial, bundles, 150, random, random.grouped)
}

func mistakesInLists(c *listTrial) {
	c.fill(3)
	c.rejectsAll(map[string]store.Query{
		"a list instead of a value": where("labels", store.Equal, []string{"red"}),
		"a list of keys":            where("seats", store.Equal, seatKeys()),
		"a value of another type":   where("counts", store.Equal, "1"),
		"a key of another type":     where("keys", store.Equal, int64(1)),
		"no value":                  where("keys", store.Equal),
		"an order of lists":         {Order: []store.Order{{Field: "labels"}}},
		"an order of lists of keys": {Order: []store.Order{{Field: "seats"}}},
		"a comparison":              where("counts", store.Less, int64(1)),
		"a comparison of keys":      where("seats", store.Less, seatKeys()[0].key()),
		"an unknown operator":       where("counts", "resembles", int64(1)),
		"a substring of a list":     where("labels", store.Contains, "r"),
	})
	for _, name := range []string{"seat", "spare", "seats"} {
		for what, value := range map[string]any{
			"a struct": seatKey{1, "a"}, "a part": int64(1), "a string": "1;a", "a key of one part": store.Key{int64(1)}, "no key": nil,
			"a key in the wrong order": store.Key{"a", int64(1)}, "a key of three parts": store.Key{int64(1), "a", "a"}, "a foreign part": store.Key{1, "a"},
		} {
			c.rejectsAll(map[string]store.Query{what + " for " + name: where(name, store.Equal, value)})
		}
	}
}

// manyLabels is less than manyValues, because a list without its own table is compared with all values for each record.
const manyLabels = 3_000

func danglingReferences(c *listTrial) {
	bundles, keys := c.fill(1), seatKeys()
	gone := seatKey{1, "a;b"} // each part occurs in some seat
	for field, change := range map[string]func(*bundle){
		"keys":   func(b *bundle) { b.Keys = []string{"a", "nobody"} },
		"tokens": func(b *bundle) { b.Tokens = []uuid.UUID{uuid.Max} },
		"seat":   func(b *bundle) { b.Seat = gone },
		"spare":  func(b *bundle) { b.Spare = &gone },
		"seats":  func(b *bundle) { b.Seats = []seatKey{keys[1], gone} },
	} {
		dangling := *bundles[0]
		dangling.ID = 2
		change(&dangling)
		for call, err := range map[string]error{
			"Insert": c.store.Transact(c.ctx, inserting(&dangling)), "Update": c.store.Transact(c.ctx, updating(int64(1), change)),
		} {
			var found store.ReferenceError
			if want := (store.ReferenceError{Record: reflect.TypeFor[bundle](), Field: field}); !errors.As(err, &found) || found != want {
				c.Errorf("%s: %v, want %+v", call, err, want)
			}
		}
	}
	c.holdsAlike(bundles...)
}

func racingReferences(c *listTrial) {
	keys := seatKeys()
	for i := range 10 {
		c.seats.insert(&seat{keys[3].Hall, keys[3].Name, "x"}, &seat{keys[2].Hall, keys[2].Name, "x"})
		racing := &bundle{ID: int64(i + 1), Seat: keys[2], Seats: []seatKey{keys[3]}}
		if i%2 == 0 {
			racing.Seat, racing.Seats = keys[3], nil
		}
		errs := together(2, func(n int) error {
			if n == 0 {
				return c.store.Transact(c.ctx, inserting(new(*racing)))
			}
			return c.seats.store.Transact(c.ctx, removing[seat](keys[3].key()))
		})
		var rejected store.ReferenceError
		if (errs[0] == nil) == (errs[1] == nil) || !errors.As(errors.Join(errs...), &rejected) || rejected.Referred != (errs[0] == nil) {
			c.Fatalf("the insert returned %v, the delete %v", errs[0], errs[1])
		}
		if errs[0] == nil {
			c.remove(racing.ID)
			c.seats.remove(keys[3].key())
		}
		c.seats.remove(keys[2].key())
	}
}

// fillThrough does what fill does, for queries through references. It returns nil if the store does not support them.
func (c *listTrial) fillThrough(n int) *oracle {
	c.Helper()
	joiner, ok := c.store.(store.Joiner)
	if !ok || !supportsGroups(c.store) {
		return nil
	}
	for field, other := range map[string]any{"keys": c.keys.store, "tokens": c.tokens.store, "seat": c.seats.store, "spare": c.seats.store, "seats": c.seats.store} {
		if joiner.Through(field, other) != nil {
			return nil
		}
	}
	c.supportsAll = true
	bundles, seats := oracleOf(c.fill(n)), oracleOf(c.seats.list())
	bundles.through["keys"], bundles.through["tokens"] = oracleOf(c.keys.list()), oracleOf(c.tokens.list())
	bundles.through["seat"], bundles.through["spare"], bundles.through["seats"] = seats, seats, seats
	for field, to := range bundles.through {
		to.through["Bundle."+field] = bundles
	}
	return bundles
}

func comparesThroughLists(c *listTrial) {
	bundles, random := c.fillThrough(60), newGenerator(41)
	if bundles == nil {
		return
	}
	randomPages(c.trial, bundles, 300, random, random.grouped)
	c.keys.supportsAll, c.tokens.supportsAll, c.seats.supportsAll = true, true, true
	for range trials(100) {
		keys, tokens, seats := bundles.through["keys"], bundles.through["tokens"], bundles.through["seat"]
		if !c.keys.matches(keys, random.grouped(keys)) || !c.tokens.matches(tokens, random.grouped(tokens)) || !c.seats.matches(seats, random.grouped(seats)) {
			return
		}
	}
}

func mistakesThroughLists(c *listTrial) {
	if c.fillThrough(3) == nil {
		return
	}
	c.rejectsAll(map[string]store.Query{
		"an order":                      {Order: []store.Order{{Field: "points", Through: "keys"}}},
		"an order by a list of keys":    {Order: []store.Order{{Field: "guest", Through: "seats"}}},
		"a list that has no references": {Where: through("labels", nil)},
		"a list in an object":           {Where: through("inside.labels", nil)},
		"a value of another type":       {Where: through("keys", on("points", store.Equal, "7"))},
		"no value":                      {Where: through("keys", on("points", store.Equal))},
		"a field of the record":         {Where: through("keys", on("labels", store.Equal, "a"))},
	})
	joiner := c.store.(store.Joiner)
	for field, other := range map[string]any{"keys": c.tokens.store, "labels": c.keys.store, "name": c.keys.store, "seat": c.keys.store} {
		if joiner.Through(field, other) == nil {
			c.Errorf("Through accepts %s to a %T", field, other)
		}
	}
}
