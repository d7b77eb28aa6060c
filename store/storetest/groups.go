package storetest

import (
	"strconv"

	"github.com/trove-api/trove/store"
)

// group returns a query for records that match all conditions of one of the lists.
func group(lists ...[]store.Condition) store.Query {
	return store.Query{Where: []store.Condition{{Any: append([][]store.Condition{}, lists...)}}}
}

// on returns a condition on one field.
func on(name string, operator store.Operator, values ...any) []store.Condition {
	return where(name, operator, values...).Where
}

// not reverses a condition.
func not(condition []store.Condition) []store.Condition {
	reversed := condition[0]
	reversed.Not = true
	return []store.Condition{reversed}
}

// both concatenates conditions.
func both(lists ...[]store.Condition) (all []store.Condition) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// groupRules are about groups. Stores that do not support them skip these rules.
func groupRules() []rule[*trial[item]] {
	active, low, zero := on("active", store.Equal, true), on("level", store.Equal, level("low")), on("rank", store.Equal, int16(0))
	noRank, named := on("rank", store.Exists, false), on("name", store.Contains, "a")
	return []rule[*trial[item]]{
		{
			"a group holds if all conditions of one of its lists hold",
			"A group is an OR of ANDs, and a condition like any other. A record that matches several lists must be returned and counted once.",
			compares(
				counted(group(active, low)), counted(group(both(active, low), zero)), counted(group(low, low, low)), counted(windowed(group(low, zero), 2, 5)),
				counted(group(on("alias", store.Equal, "a"), on("alias", store.Exists, false))), counted(group(on("id", store.Equal, int64(7)), both(named, active))),
				counted(store.Query{Where: both(active, group(low, zero).Where)}), counted(store.Query{Where: both(group(low, zero).Where, group(active, named).Where)}),
				counted(group(group(both(group(both(active, named), zero).Where, low), noRank).Where, zero)),                                                       // as access rules that combine others
				store.Query{Where: []store.Condition{{Fields: []string{"nothing"}, Operator: "resembles", Values: []any{7}, Any: [][]store.Condition{low, zero}}}}, // only Any counts
			),
		},
		{
			"a group without lists matches no record, and an empty list matches all",
			"An OR of nothing is false, and an AND of nothing is true.",
			compares(
				counted(group()), counted(group([]store.Condition{})), counted(group(nil)), counted(group(low, nil)), counted(group(nil, low)),
				counted(store.Query{Where: both(active, group().Where)}), counted(group(group().Where, low)), counted(group(group(nil).Where, low)),
			),
		},
		{
			"a reversed condition holds where it did not, also for null",
			"Every record matches either a condition or its opposite, never both or none of them.",
			func(c *trial[item]) {
				var queries []store.Query
				for _, conditions := range [][]store.Condition{
					low, active, zero, noRank, named, on("rank", store.Less, int16(3)), on("alias", store.NotEqual, "a"), on("alias", store.HasPrefix, "a"), on("home.floor", store.GreaterEqual, 2),
					group().Where, group(nil).Where, group(active, zero).Where, group(both(named, not(zero)), low).Where,
				} {
					queries = append(queries, counted(store.Query{Where: not(conditions)}), counted(group(both(active, not(conditions)), low)), hidden(ordered("name"), 0, not(conditions)))
				}
				comparesAll(c, queries...)
			},
		},
		{
			"a group may have many lists",
			"A caller may have permission for each of a thousand records separately.",
			func(c *trial[item]) {
				many := oneOfMany("name", store.Equal, func(i int) any { return "none " + strconv.Itoa(i) }, "a", "É")
				comparesAll(c, group(alternatives(trials(2000), both(low, active))...), group(both(manyConditions(500).Where, low), zero), group(many.Where, zero))
			},
		},
		{"errors within groups are reported", "An invalid query must return an error. It must neither panic nor return every record.", mistakesInGroups},
		{
			"random groups match the reference implementation, on every page",
			"All parts of a query must work together.",
			func(c *trial[item]) {
				random := newGenerator(13)
				randomPages(c, fill(c, 60), 120, random, random.grouped)
			},
		},
	}
}

// alternatives returns n lists, of which only the last matches records.
func alternatives(n int, last []store.Condition) [][]store.Condition {
	lists := make([][]store.Condition, 0, n+1)
	for i := range n {
		lists = append(lists, on("name", store.Equal, "none "+strconv.Itoa(i)))
	}
	return append(lists, last)
}

func mistakesInGroups(c *trial[item]) {
	if !supportsGroups(c.store) {
		return
	}
	fill(c, 3)
	fine := on("id", store.Exists, true)
	for name, mistake := range map[string][]store.Condition{
		"an unknown field":        on("nothing", store.Equal, "a"),
		"a value of another type": on("count", store.Equal, "7"),
		"no value":                on("count", store.Equal),
		"an unknown operator":     on("count", "resembles", int64(7)),
	} {
		c.rejectsAll(map[string]store.Query{
			name: group(mistake), name + " in a second list": group(fine, mistake), name + " after another condition": group(both(fine, mistake)),
			name + " in an inner group":        group(group(fine, mistake).Where),
			name + " in NullUnless":            {Order: []store.Order{{Field: "name", NullUnless: mistake}}},
			name + " in a group of NullUnless": {Order: []store.Order{{Field: "name", NullUnless: group(fine, mistake).Where}}},
		})
	}
}

// hiddenRules are about sort orders that hide values. Stores that do not support groups skip them.
func hiddenRules() []rule[*trial[item]] {
	active, low := on("active", store.Equal, true), on("level", store.Equal, level("low"))
	return []rule[*trial[item]]{
		{
			"a value hidden by NullUnless sorts as null",
			"The position of a record must not reveal a hidden value. It is among the nulls, which come first in ascending order. Hidden identifiers still break ties. Each field of a sort order can have its own access rule.",
			compares(
				hidden(ordered("name"), 0, active), hidden(ordered("-rank", "-id"), 0, low), hidden(ordered("alias"), 0, group(active, low).Where),
				hidden(ordered("home.floor"), 0, both(active, low)), hidden(ordered("-seenAt", "id"), 0, on("rank", store.Exists, true)), hidden(ordered("key"), 0, active),
				hidden(ordered("name"), 0, group().Where), hidden(ordered("name"), 0, group(nil).Where), hidden(ordered("name"), 0, []store.Condition{}),
				hidden(ordered("id"), 0, active), hidden(ordered("-id", "name"), 0, low), counted(windowed(hidden(ordered("name"), 0, active), 3, 9)),
				hidden(ordered("name", "rank"), 1, active), hidden(hidden(ordered("-level", "seenAt", "-id"), 0, low), 1, on("rank", store.Exists, true)),
			),
		},
		{
			"random sort orders with NullUnless match the reference implementation, on every page",
			"Query.After has nil for a hidden value.",
			func(c *trial[item]) {
				random := newGenerator(17)
				randomPages(c, fill(c, 60), 120, random, random.hiding)
			},
		},
	}
}

// hidden sets NullUnless of a sort field of the query.
func hidden(query store.Query, i int, unless []store.Condition) store.Query {
	query.Order[i].NullUnless = unless
	return query
}
