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
	return []rule[*throughTrial]{
		{
			"random queries through references match the reference implementation, on every page",
			"A record matches if its referenced record does, and is returned once. A record without a reference does not match, and sorts as null. The lists of a condition are alternatives, as in any group. " +
				"A condition back matches a record that one of the other records references and that meets it, once, however many there are. A value counts as null if the record, or the referenced one, does not match NullUnless. Page.Positions must be set, because the position cannot be derived from the record.",
			randomThrough,
		},
		{"Through reports which references are supported", "It must return an error for every store other than the one with the referenced records.", saysThrough},
		{"errors in queries through references are reported", "An invalid query must return an error. It must neither panic nor return every record.", mistakesThrough},
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
	mentions, random := c.fill(40, 60), newGenerator(29)
	randomPages(c.trial, mentions, 250, random, random.grouped)
	c.items.supportsAll = true
	randomPages(c.items, mentions.through["item"], 100, random, random.grouped)
}

func saysThrough(c *throughTrial) {
	mentions, ok := c.store.(store.Joiner)
	if !ok || !supportsGroups(c.store) {
		c.Fatalf("the store has no method Through(field string, other any) error, or its Groups does not return true")
	}
	items, ok := c.items.store.(store.Joiner)
	if !ok {
		c.Fatalf("the store of the referenced records has no method Through(reference string, other any) error")
	}
	wrapped := struct{ store.Store[item] }{c.items.store}
	for _, each := range []struct {
		from      store.Joiner
		reference string
		to        any
		isRight   bool
	}{
		{mentions, "item", c.items.store, true},
		{mentions, "previous", c.store, true},
		{mentions, "Mention.previous", c.store, true},
		{items, "Mention.item", c.store, true},
		{mentions, "item", c.store, false},
		{mentions, "previous", c.items.store, false},
		{mentions, "label", c.items.store, false},
		{mentions, "nothing", c.items.store, false},
		{mentions, "item", nil, false},
		{mentions, "item", wrapped, false},
		{mentions, "item", &wrapped, false},
		{items, "Mention.item", c.items.store, false},
		{items, "Mention.previous", c.store, false},
		{items, "Mention.label", c.store, false},
		{items, "Mention.nothing", c.store, false},
		{items, "Item.item", c.store, false},
	} {
		if err := each.from.Through(each.reference, each.to); (err == nil) != each.isRight {
			c.Errorf("Through of %s to a %T: error %v, want one: %v", each.reference, each.to, err, !each.isRight)
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
