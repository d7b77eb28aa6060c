package storetest

import (
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
func groupRules() []rule[*trial[item]] {
	active, low, zero := on("active", store.Equal, true), on("level", store.Equal, level("low")), on("rank", store.Equal, int16(0))
	noRank, named := on("rank", store.Exists, false), on("name", store.Contains, "a")
	return []rule[*trial[item]]{
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
func oddGroupRules() []rule[*trial[item]] {
	active, low, zero := on("active", store.Equal, true), on("level", store.Equal, level("low")), on("rank", store.Equal, int16(0))
	return []rule[*trial[item]]{
		{
			"what a group says beside its lists is not looked at",
			"A field or a value that is left there has no meaning.",
			asks(store.Query{Where: []store.Condition{{Fields: []string{"nothing"}, Operator: "resembles", Values: []any{7}, Any: [][]store.Condition{low, zero}}}}),
		},
		{
			"a group may have many lists",
			"Somebody may have a reason for each of a thousand records.",
			asksLong(2,
				func() store.Query { return group(alternatives(trials(2000), zero)...) },
				func() store.Query { return group(alternatives(trials(2000), both(low, active))...) },
				func() store.Query { return store.Query{Where: group(both(manyConditions(500).Where, low), zero).Where} },
				func() store.Query {
					many := oneOfMany("name", store.Equal, func(i int) any { return "none " + strconv.Itoa(i) }, "a", "É")()
					return store.Query{Where: group(many.Where, zero).Where}
				},
			),
		},
		{"mistakes within groups are errors", "They are not answered with everything, nor by a panic.", mistakesInGroups},
		{
			"random groups are answered as by the book, on every page",
			"What holds for each part of a query holds for all together.",
			func(c *trial[item]) {
				random := newGenerator(13)
				randomPages(c, fill(c, 60), 120, random, random.grouped)
			},
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

func mistakesInGroups(c *trial[item]) {
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
		c.refuses(map[string]store.Query{
			name: group(mistake), name + " in a second list": group(fine, mistake), name + " behind another condition": group(both(fine, mistake)),
			name + " in an inner group":              group(group(fine, mistake).Where),
			name + " of an order":                    {Order: []store.Order{{Field: "name", NullUnless: mistake}}},
			name + " in a group that an order hides": {Order: []store.Order{{Field: "name", NullUnless: group(fine, mistake).Where}}},
		})
	}
}

// hiddenRules are about orders that hide values. A store that does not say that it knows groups
// is not asked for them.
func hiddenRules() []rule[*trial[item]] {
	active, low := on("active", store.Equal, true), on("level", store.Equal, level("low"))
	return []rule[*trial[item]]{
		{
			"what does not fulfil the conditions of an order stands where null does",
			"Where a record stands tells nothing of a value that is hidden. It is among those whose value is null, first when ascending.",
			asks(
				hidden(ordered("name"), active), hidden(ordered("-name"), active), hidden(ordered("rank", "name"), active), hidden(ordered("-rank", "-id"), low),
				hidden(ordered("alias"), group(active, low).Where), hidden(ordered("home.floor"), both(active, low)), hidden(ordered("-seenAt", "id"), on("rank", store.Exists, true)),
				hidden(ordered("key"), active), hidden(ordered("score"), active), hidden(ordered("active"), low), hidden(ordered("count"), on("name", store.Contains, "a")),
				hidden(ordered("name"), group().Where), hidden(ordered("name"), group(nil).Where), hidden(ordered("name"), []store.Condition{}),
				counted(windowed(hidden(ordered("name"), active), 3, 9)),
			),
		},
		{
			"an identifier that is hidden does not end an order",
			"Those that do not show it are still told apart by it, last of all.",
			asks(hidden(ordered("id"), active), hidden(ordered("-id"), active), hidden(ordered("id", "name"), active), hidden(ordered("-id", "name"), low)),
		},
		{
			"each field of an order hides by itself",
			"Members have rules of their own.",
			asks(
				second(ordered("name", "rank"), active), second(ordered("-name", "-rank", "id"), low),
				second(hidden(ordered("rank", "name"), active), low), second(hidden(ordered("-level", "seenAt", "-id"), low), on("rank", store.Exists, true)),
			),
		},
		{
			"random orders that hide are answered as by the book, on every page",
			"A position has null where the value is hidden.",
			func(c *trial[item]) {
				random := newGenerator(17)
				randomPages(c, fill(c, 60), 120, random, random.hiding)
			},
		},
	}
}

// hidden returns a query whose first field of the order is null unless conditions hold.
func hidden(query store.Query, unless []store.Condition) store.Query {
	query.Order[0].NullUnless = unless
	return query
}

// second is hidden for the second field.
func second(query store.Query, unless []store.Condition) store.Query {
	query.Order[1].NullUnless = unless
	return query
}
