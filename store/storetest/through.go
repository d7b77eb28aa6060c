package storetest

import (
	"github.com/trove-api/trove/store"
)

// mention may refer to an item, and to another mention.
type mention struct {
	ID       int64  `json:"id" api:"id"`
	Label    string `json:"label" api:"filter,sort"`
	Item     *int64 `json:"item" api:"ref=Item,filter=exact|exists"`
	Previous *int64 `json:"previous" api:"ref=Mention,filter"`
}

// throughTrial is the test of one rule on a store of mentions and one of items.
type throughTrial struct {
	*trial[mention]

	items *trial[item]
}

// through returns a condition that one of some lists holds of what a field refers to.
func through(field string, lists ...[]store.Condition) []store.Condition {
	return []store.Condition{{Through: field, Any: lists}}
}

func throughRules() []rule[*throughTrial] {
	return append(throughConditionRules(), throughOrderRules()...)
}

func throughConditionRules() []rule[*throughTrial] {
	active, low, named := on("active", store.Equal, true), on("level", store.Equal, level("low")), on("name", store.Equal, "a", "b", "")
	noRank, labelled := on("rank", store.Exists, false), on("label", store.Equal, "one")
	return []rule[*throughTrial]{
		{
			"a condition through a reference is about the record that it is to",
			"A record is found by what it refers to, once, whatever finds that. One that refers to nothing is not.",
			asksThrough(
				store.Query{Where: through("item", named)}, store.Query{Where: through("item", active)}, store.Query{Where: through("item", both(active, low))},
				store.Query{Where: through("item", noRank)}, store.Query{Where: through("item", on("rank", store.NotEqual, int16(0)))},
				store.Query{Where: through("item", on("id", store.Equal, int64(3)))}, store.Query{Where: through("item", on("name", store.Contains, "a"))},
				store.Query{Where: through("item", on("home.city", store.HasPrefix, "a"))}, store.Query{Where: through("item", on("count", store.Less, int64(7)))},
				store.Query{Where: through("item", named), Order: []store.Order{{Field: "label", Descending: true}}, Limit: 5, Offset: 2},
				store.Query{Where: both(through("item", active), labelled)}, store.Query{Where: both(through("item", active), through("item", low))},
			),
		},
		{
			"the lists of a condition through a reference are alternatives",
			"As those of any group: none holds for nothing, and an empty one for whatever there is.",
			asksThrough(
				store.Query{Where: through("item", active, low)}, store.Query{Where: through("item", named, noRank)}, store.Query{Where: through("item")},
				store.Query{Where: through("item", nil)}, store.Query{Where: through("item", nil, active)}, store.Query{Where: []store.Condition{{Through: "item"}}},
				store.Query{Where: through("item", both(group(named, low).Where, active))}, store.Query{Where: through("item", group().Where)},
				store.Query{Where: group(through("item", named), labelled).Where}, store.Query{Where: group(both(through("item", active), labelled), through("item", low)).Where},
			),
		},
		{
			"a store may refer to its own records",
			"The names of both are the same, and mean each its own.",
			asksThrough(
				store.Query{Where: through("previous", labelled)}, store.Query{Where: both(through("previous", labelled), labelled)},
				store.Query{Where: through("previous", through("previous", labelled))}, store.Query{Where: through("previous", through("item", active))},
				store.Query{Order: []store.Order{{Field: "label", Through: "previous"}}}, store.Query{Order: []store.Order{{Field: "id", Through: "previous", Descending: true}}},
			),
		},
	}
}

func throughOrderRules() []rule[*throughTrial] {
	active, low, labelled := on("active", store.Equal, true), on("level", store.Equal, level("low")), on("label", store.Equal, "one")
	return []rule[*throughTrial]{
		{
			"an order through a reference is by a field of the record that it is to",
			"Null comes first, and so does what refers to nothing.",
			asksThrough(
				store.Query{Order: []store.Order{{Field: "name", Through: "item"}}}, store.Query{Order: []store.Order{{Field: "rank", Through: "item", Descending: true}}},
				store.Query{Order: []store.Order{{Field: "home.floor", Through: "item"}}, Offset: 3, Limit: 20}, store.Query{Order: []store.Order{{Field: "id", Through: "item"}}},
				store.Query{Order: []store.Order{{Field: "active", Through: "item", Descending: true}, {Field: "label"}}, Where: labelled},
				store.Query{Order: []store.Order{{Field: "label"}, {Field: "seenAt", Through: "item"}, {Field: "key", Through: "item", Descending: true}}},
			),
		},
		{
			"an order through a reference hides what the caller may not see",
			"It counts as null where the record, or the one that it refers to, does not fulfil the conditions.",
			asksThrough(
				store.Query{Order: []store.Order{{Field: "name", Through: "item", NullUnless: through("item", active)}}},
				store.Query{Order: []store.Order{{Field: "name", Through: "item", NullUnless: labelled, Descending: true}}},
				store.Query{Order: []store.Order{{Field: "name", Through: "item", NullUnless: both(labelled, through("item", active, low))}, {Field: "label"}}},
				store.Query{Order: []store.Order{{Field: "name", Through: "item", NullUnless: through("item")}}}, store.Query{Order: []store.Order{{Field: "label", NullUnless: through("item", active)}}},
				store.Query{Order: []store.Order{{Field: "count", Through: "item", NullUnless: through("previous", labelled)}, {Field: "label", Through: "previous", NullUnless: through("previous", through("item", active))}}},
			),
		},
		{"random queries through references are answered as by the book, on every page", "Where a page ends the store says what the record itself does not tell.", randomThrough},
		{"a store says which references it goes through", "To any other store than the one that has the records it could only guess.", saysThrough},
		{"mistakes in what goes through references are errors", "They are not answered with everything, nor by a panic.", mistakesThrough},
	}
}

// asksThrough makes the check of a rule that is a list of queries over the same records.
func asksThrough(queries ...store.Query) func(*throughTrial) {
	return func(c *throughTrial) {
		mentions := c.fill(60, 90)
		for _, query := range queries {
			query.Count = true
			if !c.answers(mentions, query) {
				return
			}
		}
	}
}

// fill inserts items, and mentions of them.
func (c *throughTrial) fill(items, mentions int) *book {
	c.Helper()
	c.answersAll = true
	random := newGenerator(23)
	all, made := random.items(items), make([]*mention, mentions)
	for i := range made {
		made[i] = &mention{ID: int64(i + 1), Label: one(random, "one", "two", "three", "")}
		made[i].Item = maybe(random, func() int64 { return int64(1 + random.IntN(items)) })
		if i > 0 {
			made[i].Previous = maybe(random, func() int64 { return int64(1 + random.IntN(i)) })
		}
	}
	c.items.insertTogether(all...)
	c.insertTogether(made...)
	b := bookOf(made)
	b.through["item"], b.through["previous"] = bookOf(all), b
	return b
}

func randomThrough(c *throughTrial) {
	random := newGenerator(29)
	randomPages(c.trial, c.fill(40, 60), 150, random, random.throughQuery)
}

func saysThrough(c *throughTrial) {
	says, ok := c.store.(store.Joiner)
	if !ok || !knowsGroups(c.store) {
		c.Fatalf("the store has no method Through(field string, other any) error, or does not say by Groups that it answers groups")
	}
	for field, of := range map[string]any{"item": c.items.store, "previous": c.store} {
		if err := says.Through(field, of); err != nil {
			c.Errorf("%s: %v", field, err)
		}
	}
	wrapped := struct{ store.Store[item] }{c.items.store}
	for _, wrong := range []struct {
		field string
		of    any
	}{{"item", c.store}, {"previous", c.items.store}, {"label", c.items.store}, {"nothing", c.items.store}, {"item", nil}, {"item", wrapped}, {"item", &wrapped}} {
		if says.Through(wrong.field, wrong.of) == nil {
			c.Errorf("it says that it goes through %s to a %T", wrong.field, wrong.of)
		}
	}
}

func mistakesThrough(c *throughTrial) {
	c.fill(3, 3)
	for name, mistake := range map[string][]store.Condition{
		"an unknown reference":        through("nothing", nil),
		"a field that is none":        through("label", nil),
		"a field of the wrong record": through("item", on("label", store.Equal, "one")),
		"a foreign type":              through("item", on("count", store.Equal, "7")),
		"no value":                    through("item", on("count", store.Equal)),
		"an unknown operator":         through("item", on("count", "resembles", int64(7))),
	} {
		c.refuses(map[string]store.Query{
			name: {Where: mistake}, name + " in a group": group(mistake), name + " of the one before": {Where: through("previous", mistake)},
			name + " that an order hides": {Order: []store.Order{{Field: "label", NullUnless: mistake}}},
		})
	}
	for _, order := range []store.Order{{Field: "nothing", Through: "item"}, {Field: "label", Through: "item"}, {Field: "name", Through: "label"}, {Field: "name", Through: "nothing"}} {
		c.refuses(map[string]store.Query{"an order": {Order: []store.Order{order}}})
	}
}

// throughQuery asks for some of the mentions, in some order, by what they refer to.
func (g *generator) throughQuery(b *book) store.Query {
	query := store.Query{Count: g.coin()}
	for range g.IntN(3) {
		query.Where = append(query.Where, g.mentionCondition(b, 2))
	}
	for range g.IntN(3) {
		order := store.Order{Field: one(g, "label", "item"), Descending: g.coin()}
		switch g.IntN(4) {
		case 0:
			order.Field, order.Through = one(g, "label", "id"), "previous"
		case 1, 2:
			order.Field, order.Through = one(g, fieldNames()...), "item"
		}
		for range g.IntN(3) {
			order.NullUnless = append(order.NullUnless, g.mentionCondition(b, 1))
		}
		query.Order = append(query.Order, order)
	}
	if g.coin() {
		query.Offset, query.Limit = g.IntN(8), 1+g.IntN(20)
	}
	return query
}

// mentionCondition returns a condition on mentions, or on what they refer to.
func (g *generator) mentionCondition(b *book, depth int) store.Condition {
	lists := make([][]store.Condition, g.IntN(3))
	switch kind := g.IntN(5); {
	case kind == 0 && depth > 0:
		for i := range lists {
			lists[i] = append(lists[i], g.mentionCondition(b, depth-1))
		}
		return store.Condition{Any: lists, Through: one(g, "", "previous")}
	case kind == 1:
		return on("label", one(g, store.Equal, store.NotEqual), one(g, "one", "two", ""))[0]
	case kind == 2:
		return on("item", store.Exists, g.coin())[0]
	}
	if len(lists) == 0 {
		lists = [][]store.Condition{nil}
	}
	for i := range lists {
		for range g.IntN(3) {
			lists[i] = append(lists[i], g.condition(b.through["item"]))
		}
	}
	return store.Condition{Through: "item", Any: lists}
}
