package storetest

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// where returns a query with one condition on one field.
func where(name string, operator store.Operator, values ...any) store.Query {
	return store.Query{Where: []store.Condition{{Fields: []string{name}, Operator: operator, Values: values}}}
}

// fieldRules compare each field by each operator that it supports, with few and many values, and sort by it.
func fieldRules() []rule[*trial[item]] {
	at := time.Date(2024, 2, 29, 21, 30, 0, 0, time.UTC)
	return []rule[*trial[item]]{
		{
			"each operator finds the same items as the reference implementation, in each field",
			"Numbers compare by value, times as instants, strings and UUIDs by their bytes, in every locale, and a store.Ordered by its key. Several values are alternatives; with NotEqual each of them is excluded. " +
				"Null is different from every value, and neither less nor greater than any. Zero, false and the empty string exist, but a field within a null object does not. " +
				"Searches ignore case by Unicode's simple folding, not by that of ASCII or a locale, and wildcards and quotes of the database have no meaning.",
			func(c *trial[item]) {
				items, random := fill(c, 80), newGenerator(31)
				for _, f := range items.fields {
					for _, operator := range f.operators() {
						for range trials(24) {
							if !c.matches(items, store.Query{Where: []store.Condition{random.comparison(f, operator, items)}}) {
								return
							}
						}
					}
				}
			},
		},
		{
			"items are sorted by each field, in both directions",
			"Null comes first in ascending order and last in descending order. False comes before true, and strings sort by their bytes. Ties are sorted by the identifier, in the direction of the last field.",
			func(c *trial[item]) {
				items := fill(c, 80)
				for _, f := range items.fields {
					if !c.matches(items, ordered(f.name)) || !c.matches(items, ordered("-"+f.name)) {
						return
					}
				}
			},
		},
		{
			"a condition may have many values",
			"Clients can send long lists, so the store must accept more values than the database allows as parameters of one statement.",
			func(c *trial[item]) {
				queries := []store.Query{
					oneOfMany(manyValues, "name", store.Equal, none, "a", "É", `say "no"\`, ""),
					oneOfMany(manyValues, "count", store.Equal, func(i int) any { return int64(i + 1000) }, int64(1<<53+1), int64(-1<<63)),
					oneOfMany(manyValues, "score", store.Equal, func(i int) any { return float64(i) + 0.7 }, 0.1, 1e300),
					oneOfMany(manyValues, "seenAt", store.Equal, func(i int) any { return at.AddDate(0, 0, -i-1).Add(time.Nanosecond) }, at),
					oneOfMany(manyValues, "key", store.Equal, func(i int) any { return uuid.UUID{1, byte(i), byte(i >> 8), byte(i >> 16)} }, uuid.MustParse("f0000000-0000-4000-8000-000000000001")),
					oneOfMany(manyValues, "rank", store.NotEqual, func(i int) any { return int16(i%1000 + 1000) }, int16(9)),
					oneOfMany(manyValues, "alias", store.NotEqual, none, "a"),
				}
				comparesAll(c, queries[:trials(len(queries))]...)
			},
		},
		{"a query may have many conditions", "All of them must hold.", func(c *trial[item]) { comparesAll(c, manyConditions(trials(3000))) }},
	}
}

// manyValues is more than databases allow as parameters of one statement.
const manyValues = 70_000

// none returns a string that no item has.
func none(i int) any { return "none " + strconv.Itoa(i) }

// oneOfMany returns a query for any of many values, of which items may have the last ones.
func oneOfMany(many int, name string, operator store.Operator, filler func(i int) any, last ...any) store.Query {
	values := make([]any, 0, many+len(last))
	for i := range many {
		values = append(values, filler(i))
	}
	return where(name, operator, append(values, last...)...)
}

// manyConditions returns a query with n conditions, of which only the first excludes items.
func manyConditions(n int) store.Query {
	query := where("active", store.Equal, true)
	for i := range n {
		query.Where = append(query.Where, where("name", store.NotEqual, none(i)).Where...)
	}
	return query
}
