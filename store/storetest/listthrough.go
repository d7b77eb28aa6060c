package storetest

import (
	"slices"

	"github.com/trove-api/trove/store"
)

func listThroughRules() []listRule {
	return []listRule{
		{
			"a condition through a list is about one of the records that it refers to",
			"Two that fulfil a part each do not fulfil the whole, and a record is found once, however many of a list do.",
			asksThroughLists,
		},
		{
			"random conditions through lists are answered as by the book",
			"In groups too, beside others, and where nothing that is referred to fulfils them.",
			randomThroughLists,
		},
		{
			"an order through a list is an error, and so are mistakes in what goes through one",
			"None of several records has the value that an order would be by.",
			mistakesThroughLists,
		},
	}
}

// goesThrough reports whether the store says that it can be asked through its lists: nobody asks
// another one.
func (c *listTrial) goesThrough() bool {
	says, ok := c.bundles.(store.Joiner)
	return ok && knowsGroups(c.bundles) && says.Through("keys", c.keys) == nil && says.Through("tokens", c.tokens) == nil
}

// points are those of the record with each name.
func (c *listTrial) points() map[string]int64 {
	c.Helper()
	points := map[string]int64{}
	for i, name := range names() {
		points[name] = int64(i % 3)
		if err := c.keys.Transact(c.ctx, updating(name, func(k *Keyed) { k.Points = points[name] })); err != nil {
			c.Fatalf("Update: %v", err)
		}
	}
	return points
}

func asksThroughLists(c *listTrial) {
	if !c.goesThrough() {
		return
	}
	bundles, points := c.fill(60), c.points()
	first := tokenIDs()[0]
	two, some, none := on("points", store.Equal, int64(2)), on("nickname", store.Equal, "a", "1"), on("points", store.Greater, int64(2))
	for _, where := range [][]store.Condition{
		through("keys", two), through("keys", some), through("keys", both(two, some)), both(through("keys", two), through("keys", some)),
		through("keys", none), through("keys"), through("keys", nil), through("keys", two, some), through("keys", none, some),
		through("keys", on("points", store.NotEqual, int64(1))), through("keys", on("nickname", store.NotEqual, names()[0], names()[1])),
		through("keys", on("points", store.LessEqual, int64(1))), through("tokens", on("id", store.Equal, first)), through("tokens", nil),
		both(through("keys", two), on("tokens", store.Equal, first)), both(through("keys", some), on("keys", store.NotEqual, "a")),
		group(through("keys", two), on("name", store.Equal, "b")).Where, group(both(through("keys", some), on("name", store.Equal, "b")), through("tokens", none[:0])).Where,
	} {
		c.answersThrough(bundles, points, store.Query{Where: where})
		c.answersThrough(bundles, points, store.Query{Where: where, Order: []store.Order{{Field: "name", Descending: true}}, Offset: 2, Limit: 7})
	}
}

func randomThroughLists(c *listTrial) {
	if !c.goesThrough() {
		return
	}
	bundles, points := c.fill(40), c.points()
	random := newGenerator(41)
	one := func() []store.Condition {
		lists := make([][]store.Condition, random.IntN(3))
		for i := range lists {
			for range random.IntN(3) {
				lists[i] = append(lists[i], oneOfConditions(random)...)
			}
		}
		return through("keys", lists...)
	}
	for range trials(150) {
		query := store.Query{Where: one(), Offset: random.IntN(3), Limit: random.IntN(20)}
		if random.coin() {
			query.Where = append(query.Where, group(one(), both(one(), on("name", store.Equal, "a"))).Where...)
		}
		c.answersThrough(bundles, points, query)
	}
}

func oneOfConditions(random *generator) []store.Condition {
	if random.coin() {
		return on("nickname", one(random, store.Equal, store.NotEqual), one(random, names()...))
	}
	return on("points", one(random, store.Equal, store.NotEqual, store.Less, store.GreaterEqual), one[any](random, int64(0), int64(1), int64(2), int64(9)))
}

// answersThrough checks the answer to a query, in which each condition through a list is replaced for
// the oracle by the keys of the records that fulfil it.
func (c *listTrial) answersThrough(bundles []*Bundle, points map[string]int64, query store.Query) {
	c.Helper()
	query.Count = true
	plain := query
	plain.Where = withKeys(points, query.Where)
	want, total := bookOfLists(bundles, plain)
	got, err := c.bundles.List(c.ctx, query)
	if err != nil {
		c.Errorf("List of %+v: %v", query, err)
		return
	}
	if got.Total != total {
		c.Errorf("List of %+v: Total is %d, want %d", query, got.Total, total)
	}
	c.same("List", want, got.Items)
}

// withKeys returns conditions none of which goes through a list.
func withKeys(points map[string]int64, conditions []store.Condition) []store.Condition {
	plain := slices.Clone(conditions)
	for i, condition := range plain {
		switch {
		case condition.Through == "tokens":
			plain[i] = store.Condition{Fields: []string{"tokens"}, Operator: store.Equal, Values: []any{tokenIDs()[0], tokenIDs()[1]}}
			if len(condition.Any) > 0 && len(condition.Any[0]) > 0 {
				plain[i].Values = condition.Any[0][0].Values
			}
		case condition.Through != "":
			plain[i] = store.Condition{Fields: []string{"keys"}, Operator: store.Equal}
			for name, has := range points {
				if slices.ContainsFunc(condition.Any, func(list []store.Condition) bool { return keyHolds(list, name, has) }) {
					plain[i].Values = append(plain[i].Values, name)
				}
			}
		case condition.Any != nil:
			plain[i].Any = make([][]store.Condition, len(condition.Any))
			for n, list := range condition.Any {
				plain[i].Any[n] = withKeys(points, list)
			}
		}
	}
	return plain
}

// keyHolds reports whether the record with a name and points fulfils conditions.
func keyHolds(conditions []store.Condition, name string, points int64) bool {
	return !slices.ContainsFunc(conditions, func(c store.Condition) bool {
		if c.Fields[0] == "nickname" {
			return !holdsFor(c, name)
		}
		return !holdsFor(c, points)
	})
}

func mistakesThroughLists(c *listTrial) {
	if !c.goesThrough() {
		return
	}
	c.fill(3)
	for name, query := range map[string]store.Query{
		"an order":              {Order: []store.Order{{Field: "points", Through: "keys"}}},
		"a list of no keys":     {Where: through("labels", nil)},
		"a list in an object":   {Where: through("inside.labels", nil)},
		"a foreign type":        {Where: through("keys", on("points", store.Equal, "7"))},
		"no value":              {Where: through("keys", on("points", store.Equal))},
		"a field of the record": {Where: through("keys", on("name", store.Equal, "a"))},
	} {
		if page, err := c.bundles.List(c.ctx, query); err == nil {
			c.Errorf("%s in %+v: no error, and %d items", name, query, len(page.Items))
		}
	}
	says := c.bundles.(store.Joiner)
	for field, other := range map[string]any{"keys": c.tokens, "labels": c.keys, "name": c.keys} {
		if says.Through(field, other) == nil {
			c.Errorf("it says that it goes through %s to a %T", field, other)
		}
	}
}
