package storetest

import (
	"slices"
	"strconv"

	"github.com/trove-api/trove/store"
)

// group returns a query for what fulfils all conditions of one of some lists.
func group(lists ...[]store.Condition) store.Query {
	return store.Query{Where: []store.Condition{{Any: append([][]store.Condition{}, lists...)}}}
}

// on returns the conditions of a query on one field.
func on(name string, operator store.Operator, values ...any) []store.Condition {
	return where(name, operator, values...).Where
}

// both returns conditions one after the other.
func both(lists ...[]store.Condition) (all []store.Condition) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// groupRules are about conditions that are groups. A store that does not say that it knows them
// is not asked.
func groupRules() []rule[Item] {
	active, low, zero := on("active", store.Equal, true), on("level", store.Equal, Level("low")), on("rank", store.Equal, int16(0))
	noRank, named := on("rank", store.Exists, false), on("name", store.Contains, "a")
	return []rule[Item]{
		{
			"a group holds where all conditions of one of its lists hold",
			"It is an OR of ANDs: whoever may see a record for one reason may see it. A record that more lists hold for is found and counted once.",
			asks(
				counted(group(active, low)), counted(group(both(active, low), zero)), counted(group(low, low, low)), counted(group(active)),
				counted(group(on("alias", store.Equal, "a"), on("alias", store.Exists, false))), counted(group(noRank, zero)),
				counted(group(on("rank", store.NotEqual, int16(0)), on("known", store.NotEqual, true))), counted(group(on("id", store.Equal, int64(7)), both(named, active))),
				counted(windowed(group(low, zero), 2, 5)), group(on("home.city", store.HasPrefix, "a"), on("place.floor", store.Less, 2)),
				group([]store.Condition{{Fields: []string{"name", "alias", "home.city"}, Operator: store.Contains, Values: []any{"é", "sea"}}}, zero),
			),
		},
		{
			"groups and other conditions must all hold",
			"A group is one condition among others.",
			asks(
				counted(store.Query{Where: both(active, group(low, zero).Where)}), counted(store.Query{Where: both(group(low, zero).Where, active)}),
				counted(store.Query{Where: both(group(low, zero).Where, group(active, named).Where)}),
				counted(store.Query{Where: both(group(low).Where, group(active).Where, named)}),
			),
		},
		{
			"a group without a list holds for no record, and an empty list for all",
			"Nobody may see what no reason lets him see; a reason that asks for nothing lets him see everything.",
			asks(
				counted(group()), counted(group([]store.Condition{})), counted(group(nil)), counted(group(low, nil)), counted(group(nil, low)),
				counted(store.Query{Where: both(active, group().Where)}), counted(store.Query{Where: both(group(nil).Where, active)}),
				counted(group(group().Where, low)), counted(group(group(nil).Where, low)), counted(group(both(group().Where, active), low)),
			),
		},
		{
			"groups stand within groups",
			"Rules are made of rules.",
			asks(
				counted(group(both(active, group(low, zero).Where), noRank)), counted(group(both(group(low, zero).Where, group(active, named).Where))),
				counted(group(group(group(group(low).Where, zero).Where).Where)), counted(group(group(both(group(both(active, named), zero).Where, low), noRank).Where, zero)),
			),
		},
	}
}

// oddGroupRules are about groups of odd forms.
func oddGroupRules() []rule[Item] {
	active, low, zero := on("active", store.Equal, true), on("level", store.Equal, Level("low")), on("rank", store.Equal, int16(0))
	return []rule[Item]{
		{
			"what a group says beside its lists is not looked at",
			"A field or a value that is left there has no meaning.",
			asks(store.Query{Where: []store.Condition{{Fields: []string{"nothing"}, Operator: "resembles", Values: []any{7}, Any: [][]store.Condition{low, zero}}}}),
		},
		{
			"a group may have many lists",
			"Somebody may have a reason for each of a thousand records.",
			asks(sampled(2, group(alternatives(trials(2000), zero)...), group(alternatives(trials(2000), both(low, active))...),
				store.Query{Where: group(both(manyConditions(500).Where, low), zero).Where},
				store.Query{Where: group(oneOfMany("name", store.Equal, func(i int) any { return "none " + strconv.Itoa(i) }, "a", "É").Where, zero).Where})...),
		},
		{
			"mistakes within groups are errors",
			"They are not answered with everything, nor by a panic.",
			mistakesInGroups,
		},
		{
			"random groups are answered as by the book, on every page",
			"What holds for each part of a query holds for all together.",
			func(c *trial[Item]) { randomPages(c, 13, (*generator).grouped) },
		},
	}
}

// alternatives returns lists that hold for no record, and a last one.
func alternatives(n int, last []store.Condition) [][]store.Condition {
	lists := make([][]store.Condition, 0, n+1)
	for i := range n {
		lists = append(lists, on("name", store.Equal, "none "+strconv.Itoa(i)))
	}
	return append(lists, last)
}

func mistakesInGroups(c *trial[Item]) {
	if !knowsGroups(c.store) {
		return
	}
	fill(c, 3)
	fine := on("id", store.Exists, true)
	for name, mistake := range map[string][]store.Condition{
		"an unknown field":    on("nothing", store.Equal, "a"),
		"a foreign type":      on("count", store.Equal, "7"),
		"no value":            on("count", store.Equal),
		"an unknown operator": on("count", "resembles", int64(7)),
	} {
		for _, query := range []store.Query{
			group(mistake), group(fine, mistake), group(both(fine, mistake)), group(group(fine, mistake).Where),
			{Order: []store.Order{{Field: "name", NullUnless: mistake}}},
			{Order: []store.Order{{Field: "name", NullUnless: group(fine, mistake).Where}}},
		} {
			if page, err := c.store.List(c.ctx, query); err == nil {
				c.Errorf("%s in %+v: no error, and %d items", name, query, len(page.Items))
			}
		}
	}
}

// randomPages asks for all pages of random queries, each from where the one before ended.
func randomPages(c *trial[Item], seed uint64, generate func(*generator, []*Item) store.Query) {
	items := fill(c, 60)
	random := newGenerator(seed)
	for range trials(120) {
		query := generate(random, items)
		if !answers(c, items, query) {
			return
		}
		query.Order = append(upToIdentifier(query.Order), store.Order{Field: "id", Descending: random.coin()})
		query.After, query.Offset, query.Limit = nil, 0, 5+random.IntN(20)
		for more := true; more; {
			if !answers(c, items, query) {
				return
			}
			page := answer(items, query).Items
			if more = len(page) == query.Limit; more {
				query.After = positionOf(page[len(page)-1], query.Order)
			}
		}
	}
}

// upToIdentifier returns an order without the identifier and what is behind it.
func upToIdentifier(order []store.Order) []store.Order {
	end := slices.IndexFunc(order, func(o store.Order) bool { return o.Field == "id" && len(o.NullUnless) == 0 })
	if end < 0 {
		return order
	}
	return order[:end]
}
