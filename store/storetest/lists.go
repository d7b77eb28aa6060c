package storetest

import (
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// bundle has lists of references and other lists that can be filtered, one of them in an object.
type bundle struct {
	ID     int64       `json:"id" api:"id"`
	Name   string      `json:"name" api:"sort"`
	Keys   []string    `json:"keys" validate:"max=100" api:"ref=Player,filter"`
	Tokens []uuid.UUID `json:"tokens" validate:"max=100" api:"ref=Token,filter,ondelete=null"`
	Labels []string    `json:"labels" api:"filter=contains"`
	Counts []int64     `json:"counts" api:"filter=contains"`
	Inside pouch       `json:"inside"`
}

// pouch is the struct within a bundle.
type pouch struct {
	Labels []uuid.UUID `json:"labels" api:"filter=contains"`
}

// listTrial is the test of one rule on a store of bundles and the stores that their lists reference.
type listTrial struct {
	*trial[bundle]

	keys   *trial[player]
	tokens *trial[token]
}

func listRules() []rule[*listTrial] {
	return append([]rule[*listTrial]{
		{
			"a list keeps its order and its duplicates, and is saved with its record or not at all",
			"A list is not a set. Get, List, GetMany and the transaction's Get must all return it unchanged.",
			changesLists,
		},
		{
			"a list without elements is empty",
			"Nil and empty lists are the same in JSON.",
			func(c *listTrial) {
				none, empty := &bundle{Name: "nil"}, &bundle{Keys: []string{}, Tokens: []uuid.UUID{}, Labels: []string{}, Counts: []int64{}}
				c.insert(none, empty)
				c.holdsAlike(&bundle{ID: none.ID, Name: "nil"}, &bundle{ID: empty.ID})
			},
		},
		{"a list in Query.Fields is read", "A store may leave other lists nil, because fields that are not read should cost nothing.", readsOnlyRequestedLists},
		{
			"equal matches lists that contain one of the values",
			"Each record must be returned and counted once, regardless of duplicates, pagination and sort order. All parts of a query must work together.",
			comparesLists,
		},
		{"errors in queries of lists are reported", "An invalid query must return an error. It must neither panic nor return every record.", mistakesInLists},
	}, listThroughRules()...)
}

// names and tokenIDs identify the records that lists reference.
func names() []string { return []string{"a", "A", "é", `say "no"`, "[1]", "1"} }

func tokenIDs() []uuid.UUID {
	return []uuid.UUID{uuid.MustParse("00000000-0000-4000-8000-000000000001"), uuid.MustParse("f0000000-0000-4000-8000-00000000000a")}
}

// fill inserts bundles and the records they reference. It returns copies of the bundles.
func (c *listTrial) fill(n int) []*bundle {
	c.Helper()
	for _, name := range names() {
		c.keys.insert(playerOf(name, 1))
	}
	for _, id := range tokenIDs() {
		c.tokens.insert(&token{ID: id})
	}
	random := newGenerator(3)
	bundles := make([]*bundle, n)
	for i := range bundles {
		bundles[i] = &bundle{
			ID: int64(i + 1), Name: one(random, "a", "b", "c"),
			Keys: someOf(random, names()...), Tokens: someOf(random, tokenIDs()...),
			Labels: someOf(random, "red", "Red", "", `"`, "ü", "1", "a\\b"), Counts: someOf(random, 0, 1, -7, int64(1<<53+1), -1<<63, 1<<63-1),
			Inside: pouch{someOf(random, tokenIDs()...)},
		}
		c.insert(new(*bundles[i]))
	}
	return bundles
}

func changesLists(c *listTrial) {
	bundles := c.fill(12)
	c.holdsAlike(bundles...)
	change := func(b *bundle) {
		b.Keys, b.Tokens, b.Labels = append(slices.Clone(b.Keys), "a", "A", "a"), nil, []string{"new"}
	}
	c.rollsBack(updating(int64(2), change))
	c.holdsAlike(bundles...)
	for _, change := range []func(*bundle){change, func(b *bundle) { b.Name = "renamed" }, func(b *bundle) { slices.Reverse(b.Keys) }, func(b *bundle) { b.Keys = nil }} {
		c.update(int64(2), change)
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

func readsOnlyRequestedLists(c *listTrial) {
	want := oracleOf(c.fill(5))
	for _, fields := range [][]string{{"keys"}, {"tokens", "name"}, {"labels"}, {"inside.labels"}} {
		page, err := c.store.List(c.ctx, store.Query{Fields: fields})
		if err != nil || len(page.Items) != len(want.records) {
			c.Fatalf("List of %v: %d items, %v", fields, len(page.Items), err)
		}
		for i, got := range page.Items {
			for _, name := range fields {
				c.same(name, want.value(want.records[i], name), want.value(got, name))
			}
		}
	}
}

func comparesLists(c *listTrial) {
	bundles := oracleOf(c.fill(60))
	random := newGenerator(11)
	fields := []string{"keys", "tokens", "labels", "counts", "inside.labels", "name"}
	condition := func() store.Condition {
		field := one(random, fields...)
		values := []any{"nobody"} // one that no record has
		if field != "keys" && field != "labels" && field != "name" {
			values = nil
		}
		for len(values) < 1+random.IntN(3) {
			switch found := bundles.value(one(random, bundles.records...), field).(type) {
			case []any:
				values = append(values, found...)
			default:
				values = append(values, found)
			}
		}
		return store.Condition{Fields: []string{field}, Operator: one(random, store.Equal, store.Equal, store.NotEqual), Values: values}
	}
	queries := []store.Query{manyKeys("keys", manyValues), manyKeys("labels", manyLabels), where("labels", store.Equal, "a\x00"), where("counts", store.Equal, int64(1<<53))}
	for range trials(300) {
		query := store.Query{Offset: random.IntN(3), Limit: random.IntN(20)}
		for range 1 + random.IntN(2) {
			query.Where = append(query.Where, condition())
		}
		if random.IntN(3) == 0 {
			query.Where = append(query.Where, store.Condition{Any: [][]store.Condition{{condition()}, {condition(), condition()}}})
		}
		if random.coin() {
			query.Order = []store.Order{{Field: "name", Descending: random.coin()}}
		}
		queries = append(queries, query)
	}
	for _, query := range queries {
		if !c.matches(bundles, counted(query)) {
			return
		}
	}
}

func mistakesInLists(c *listTrial) {
	c.fill(3)
	c.rejectsAll(map[string]store.Query{
		"a list instead of a value": where("labels", store.Equal, []string{"red"}),
		"a value of another type":   where("counts", store.Equal, "1"),
		"a key of another type":     where("keys", store.Equal, int64(1)),
		"no value":                  where("keys", store.Equal),
		"an order of lists":         {Order: []store.Order{{Field: "labels"}}},
		"a comparison":              where("counts", store.Less, int64(1)),
		"an unknown operator":       where("counts", "resembles", int64(1)),
		"a substring of a list":     where("labels", store.Contains, "r"),
	})
}

// manyLabels is less than manyValues, because a list without its own table is compared with all values for each record.
const manyLabels = 3_000

// manyKeys returns a query for any of many values.
func manyKeys(name string, many int) store.Query {
	values := make([]any, 0, many+1)
	for i := range many {
		values = append(values, "none "+strconv.Itoa(i))
	}
	return where(name, store.Equal, append(values, "1")...)
}

func listThroughRules() []rule[*listTrial] {
	return []rule[*listTrial]{
		{
			"a condition through a list must hold for one referenced record",
			"One referenced record must match all conditions; two that match one each do not count. A record must be returned once, even if several of its references match.",
			comparesThroughLists,
		},
		{
			"sorting through a list is an error, as are invalid conditions through one",
			"With several referenced records there is no single value to sort by.",
			mistakesThroughLists,
		},
	}
}

// fillThrough does what fill does, for queries through lists. It returns nil if the store does not support them. The
// points of a player are its number.
func (c *listTrial) fillThrough(n int) *oracle {
	c.Helper()
	joiner, ok := c.store.(store.Joiner)
	if !ok || !supportsGroups(c.store) || joiner.Through("keys", c.keys.store) != nil || joiner.Through("tokens", c.tokens.store) != nil {
		return nil
	}
	c.supportsAll = true
	bundles, keys, tokens := oracleOf(c.fill(n)), []*player{}, []*token{}
	for i, name := range names() {
		c.keys.update(name, func(k *player) { k.Points = int64(i % 3) })
		keys = append(keys, playerOf(name, int64(i%3)))
	}
	for _, id := range tokenIDs() {
		tokens = append(tokens, &token{ID: id})
	}
	bundles.through["keys"], bundles.through["tokens"] = oracleOf(keys), oracleOf(tokens)
	return bundles
}

func comparesThroughLists(c *listTrial) {
	bundles := c.fillThrough(60)
	if bundles == nil {
		return
	}
	first, random := tokenIDs()[0], newGenerator(41)
	two, some := on("points", store.Equal, int64(2)), on("nickname", store.Equal, "a", "1")
	conditions := [][]store.Condition{
		through("keys", both(two, some)), both(through("keys", two), through("keys", some)), through("keys"), through("keys", nil),
		through("tokens", on("id", store.Equal, first)), through("tokens", nil), both(through("keys", two), on("tokens", store.Equal, first)),
	}
	condition := func() []store.Condition {
		lists := make([][]store.Condition, random.IntN(3))
		for i := range lists {
			for range random.IntN(3) {
				lists[i] = append(lists[i], oneOfConditions(random)...)
			}
		}
		return through("keys", lists...)
	}
	for range trials(150) {
		where := condition()
		if random.coin() {
			where = both(where, group(condition(), both(condition(), on("name", store.Equal, "a"))).Where)
		}
		conditions = append(conditions, where)
	}
	for _, where := range conditions {
		query := store.Query{Where: where, Order: []store.Order{{Field: "name", Descending: random.coin()}}, Offset: random.IntN(3), Limit: random.IntN(20), Count: true}
		if !c.matches(bundles, query) {
			return
		}
	}
}

func oneOfConditions(random *generator) []store.Condition {
	if random.coin() {
		return on("nickname", one(random, store.Equal, store.NotEqual), one(random, names()...))
	}
	return on("points", one(random, store.Equal, store.NotEqual, store.Less, store.GreaterEqual), one[any](random, int64(0), int64(1), int64(2), int64(9)))
}

func mistakesThroughLists(c *listTrial) {
	if c.fillThrough(3) == nil {
		return
	}
	c.rejectsAll(map[string]store.Query{
		"an order":                      {Order: []store.Order{{Field: "points", Through: "keys"}}},
		"a list that has no references": {Where: through("labels", nil)},
		"a list in an object":           {Where: through("inside.labels", nil)},
		"a value of another type":       {Where: through("keys", on("points", store.Equal, "7"))},
		"no value":                      {Where: through("keys", on("points", store.Equal))},
		"a field of the record":         {Where: through("keys", on("name", store.Equal, "a"))},
	})
	joiner := c.store.(store.Joiner)
	for field, other := range map[string]any{"keys": c.tokens.store, "labels": c.keys.store, "name": c.keys.store} {
		if joiner.Through(field, other) == nil {
			c.Errorf("Through accepts %s to a %T", field, other)
		}
	}
}
