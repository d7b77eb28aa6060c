package storetest

import (
	"slices"

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

// groupRules are about groups, and about sort orders that hide values. Stores that do not support groups skip these rules.
func groupRules() []rule[*trial[item]] {
	active, low, zero := on("active", store.Equal, true), on("level", store.Equal, level("low")), on("rank", store.Equal, int16(0))
	return []rule[*trial[item]]{
		{
			"a group may have many lists",
			"A caller may have permission for each of a thousand records separately.",
			func(c *trial[item]) {
				many := oneOfMany(manyValues, "name", store.Equal, none, "a", "É")
				comparesAll(c, group(alternatives(trials(2000), slices.Concat(low, active))...), group(slices.Concat(manyConditions(500).Where, low), zero), group(many.Where, zero))
			},
		},
		{
			"random groups, and sort orders with NullUnless, match the reference implementation on every page",
			"A group is an OR of ANDs, and a condition like any other: without lists it matches no record, and an empty list matches all. A record that matches several lists is returned and counted once. " +
				"A reversed condition matches exactly the records that it did not, also those with null. Of a condition with groups, the other fields do not count. " +
				"The position of a record must not reveal a hidden value. It is among the nulls, which come first in ascending order, and nil in Query.After. Hidden identifiers still break ties. Each field of a sort order can have its own access rule.",
			func(c *trial[item]) {
				random := newGenerator(13)
				randomPages(c, fill(c, 60), 240, random, random.grouped)
			},
		},
	}
}

// alternatives returns n lists, of which only the last matches records.
func alternatives(n int, last []store.Condition) [][]store.Condition {
	lists := make([][]store.Condition, 0, n+1)
	for i := range n {
		lists = append(lists, on("name", store.Equal, none(i)))
	}
	return append(lists, last)
}
