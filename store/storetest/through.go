package storetest

import (
	"github.com/trove-api/trove/store"
)

// mention may reference an item and another mention.
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

// through returns a condition on the record that a field references.
func through(field string, lists ...[]store.Condition) []store.Condition {
	return []store.Condition{{Through: field, Any: lists}}
}

func throughRules() []rule[*throughTrial] {
	active, low, named := on("active", store.Equal, true), on("level", store.Equal, level("low")), on("name", store.Equal, "a", "b", "")
	noRank, labelled := on("rank", store.Exists, false), on("label", store.Equal, "one")
	sorted := func(order ...store.Order) store.Query { return store.Query{Order: order} }
	return []rule[*throughTrial]{
		{
			"a condition through a reference applies to the referenced record",
			"A record matches if its referenced record does, and must be returned once. A record without a reference does not match. Records of the same store have the same field names.",
			comparesThrough(
				through("item", named), through("item", both(active, low)), through("item", noRank), through("item", on("rank", store.NotEqual, int16(0))),
				through("item", on("id", store.Equal, int64(3))), through("item", on("home.city", store.HasPrefix, "a")), both(through("item", active), labelled),
				both(through("item", active), through("item", low)), both(through("previous", labelled), labelled), through("previous", through("previous", labelled)),
				through("previous", through("item", active)),
			),
		},
		{
			"the lists of a condition through a reference are alternatives",
			"As in any group, no list matches no record, and an empty list matches every referenced record.",
			comparesThrough(
				through("item", active, low), through("item"), through("item", nil), through("item", nil, active), []store.Condition{{Through: "item"}},
				through("item", both(group(named, low).Where, active)), through("item", group().Where), group(both(through("item", active), labelled), through("item", low)).Where,
			),
		},
		{
			"a condition back through a reference applies to the records that reference a record",
			"A record matches if one of them does, and must be returned once, however many there are. Null references no record.",
			comparesBack,
		},
		{
			"sorting through a reference uses a field of the referenced record",
			"Null comes first, as does a record without a reference.",
			comparesThroughOrder(
				sorted(store.Order{Field: "name", Through: "item"}), windowed(sorted(store.Order{Field: "home.floor", Through: "item", Descending: true}), 3, 20),
				sorted(store.Order{Field: "label"}, store.Order{Field: "seenAt", Through: "item"}, store.Order{Field: "key", Through: "item", Descending: true}),
				sorted(store.Order{Field: "label", Through: "previous"}), sorted(store.Order{Field: "id", Through: "previous", Descending: true}),
			),
		},
		{
			"sorting through a reference respects NullUnless",
			"The value counts as null if the record, or the referenced one, does not match the conditions.",
			comparesThroughOrder(
				sorted(store.Order{Field: "name", Through: "item", NullUnless: through("item", active)}),
				sorted(store.Order{Field: "name", Through: "item", NullUnless: both(labelled, through("item", active, low))}, store.Order{Field: "label"}),
				sorted(store.Order{Field: "name", Through: "item", NullUnless: through("item")}), sorted(store.Order{Field: "label", NullUnless: through("item", active)}),
				sorted(store.Order{Field: "label", Through: "previous", NullUnless: through("previous", through("item", active)), Descending: true}),
			),
		},
		{"random queries through references match the reference implementation, on every page", "Page.Positions must be set, because the position cannot be derived from the record.", randomThrough},
		{"Through reports which references are supported", "It must return an error for every store other than the one with the referenced records.", saysThrough},
		{"errors in queries through references are reported", "An invalid query must return an error. It must neither panic nor return every record.", mistakesThrough},
	}
}

// comparesThrough returns a check that runs queries with these conditions.
func comparesThrough(conditions ...[]store.Condition) func(*throughTrial) {
	queries := make([]store.Query, len(conditions))
	for i, where := range conditions {
		queries[i].Where = where
	}
	return comparesThroughOrder(queries...)
}

// comparesThroughOrder returns a check that runs queries on the same records.
func comparesThroughOrder(queries ...store.Query) func(*throughTrial) {
	return func(c *throughTrial) {
		mentions := c.fill(60, 90)
		for _, query := range queries {
			query.Count = true
			if !c.matches(mentions, query) {
				return
			}
		}
	}
}

// comparesBack compares queries of items and mentions by the mentions that reference them.
func comparesBack(c *throughTrial) {
	mentions := c.fill(60, 90)
	c.items.supportsAll = true
	active, labelled, loose := on("active", store.Equal, true), on("label", store.Equal, "one"), on("label", store.NotEqual, "one")
	for _, where := range [][]store.Condition{
		through("Mention.item", labelled), through("Mention.item", nil), through("Mention.item"), through("Mention.item", both(labelled, loose)), through("Mention.item", labelled, on("label", store.Equal, "two")),
		both(through("Mention.item", labelled), through("Mention.item", loose)), both(through("Mention.item", labelled), active), not(through("Mention.item", labelled)),
		through("Mention.item", through("previous", labelled)), through("Mention.item", through("Mention.previous", through("item", active))), group(both(not(through("Mention.item", nil)), active), active).Where,
	} {
		if !c.items.matches(mentions.through["item"], store.Query{Where: where, Order: []store.Order{{Field: "name"}}, Limit: 40, Count: true}) {
			return
		}
	}
	for _, where := range [][]store.Condition{
		through("Mention.previous", labelled), not(through("Mention.previous", labelled)), through("Mention.previous", through("Mention.previous", loose)), through("item", through("Mention.item", labelled)),
		through("previous", not(through("Mention.previous", labelled))),
	} {
		if !c.matches(mentions, store.Query{Where: where, Count: true}) {
			return
		}
	}
}

// fill inserts items, and mentions of them.
func (c *throughTrial) fill(items, mentions int) *oracle {
	c.Helper()
	c.supportsAll = true
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
	b := oracleOf(made)
	b.through["item"], b.through["previous"], b.through["Mention.previous"] = oracleOf(all), b, b
	b.through["item"].through["Mention.item"] = b
	return b
}

func randomThrough(c *throughTrial) {
	random := newGenerator(29)
	randomPages(c.trial, c.fill(40, 60), 200, random, random.throughQuery)
}

func saysThrough(c *throughTrial) {
	joiner, ok := c.store.(store.Joiner)
	if !ok || !supportsGroups(c.store) {
		c.Fatalf("the store has no method Through(field string, other any) error, or its Groups does not return true")
	}
	for field, of := range map[string]any{"item": c.items.store, "previous": c.store} {
		if err := joiner.Through(field, of); err != nil {
			c.Errorf("%s: %v", field, err)
		}
	}
	back, ok := c.items.store.(store.Joiner)
	if !ok {
		c.Fatalf("the store of the referenced records has no method Through(reference string, other any) error")
	}
	for _, err := range []error{back.Through("Mention.item", c.store), joiner.Through("Mention.previous", c.store)} {
		if err != nil {
			c.Errorf("back through a reference: %v", err)
		}
	}
	for reference, of := range map[string]any{"Mention.item": c.items.store, "Mention.previous": c.store, "Mention.label": c.store, "Mention.nothing": c.store, "Item.item": c.store} {
		if back.Through(reference, of) == nil {
			c.Errorf("Through accepts %s to a %T", reference, of)
		}
	}
	wrapped := struct{ store.Store[item] }{c.items.store}
	for _, wrong := range []struct {
		field string
		of    any
	}{{"item", c.store}, {"previous", c.items.store}, {"label", c.items.store}, {"nothing", c.items.store}, {"item", nil}, {"item", wrapped}, {"item", &wrapped}} {
		if joiner.Through(wrong.field, wrong.of) == nil {
			c.Errorf("Through accepts %s to a %T", wrong.field, wrong.of)
		}
	}
}

func mistakesThrough(c *throughTrial) {
	c.fill(3, 3)
	for name, mistake := range map[string][]store.Condition{
		"an unknown reference":            through("nothing", nil),
		"a field that is not a reference": through("label", nil),
		"a field of the wrong record":     through("item", on("label", store.Equal, "one")),
		"a value of another type":         through("item", on("count", store.Equal, "7")),
		"no value":                        through("item", on("count", store.Equal)),
		"an unknown operator":             through("item", on("count", "resembles", int64(7))),
		"an unknown reference back":       through("Mention.nothing", nil),
		"a reference of others back":      through("Mention.item", nil),
		"a wrong field back":              through("Mention.previous", on("name", store.Equal, "one")),
	} {
		c.rejectsAll(map[string]store.Query{
			name: {Where: mistake}, name + " in a group": group(mistake), name + " through another reference": {Where: through("previous", mistake)},
			name + " in NullUnless": {Order: []store.Order{{Field: "label", NullUnless: mistake}}},
		})
	}
	for _, order := range []store.Order{{Field: "nothing", Through: "item"}, {Field: "label", Through: "item"}, {Field: "name", Through: "label"}, {Field: "name", Through: "nothing"}} {
		c.rejectsAll(map[string]store.Query{"a sort order": {Order: []store.Order{order}}})
	}
}

// throughQuery returns a query of mentions by fields of the records they reference.
func (g *generator) throughQuery(b *oracle) store.Query {
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
			order.Field, order.Through = one(g, g.fields...).name, "item"
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
func (g *generator) mentionCondition(b *oracle, depth int) store.Condition {
	lists := make([][]store.Condition, g.IntN(3))
	switch kind := g.IntN(5); {
	case kind == 0 && depth > 0:
		for i := range lists {
			lists[i] = append(lists[i], g.mentionCondition(b, depth-1))
		}
		return store.Condition{Any: lists, Through: one(g, "", "previous", "Mention.previous"), Not: g.IntN(4) == 0}
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
	return store.Condition{Through: "item", Any: lists, Not: g.IntN(4) == 0}
}
