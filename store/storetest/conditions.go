package storetest

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// where returns a query with one condition on one field.
func where(name string, operator store.Operator, values ...any) store.Query {
	return store.Query{Where: []store.Condition{{Fields: []string{name}, Operator: operator, Values: values}}}
}

// operatorRules compare each operator on each field that supports it, with the values of items.
func operatorRules() []rule[*trial[item]] {
	const less = "Numbers compare by value, times as instants, strings by their bytes, in every locale, and a store.Ordered by its key. Null is neither less nor greater than any value."
	reasons := map[store.Operator]string{
		store.Equal:        "Numbers compare by value, times as instants, strings and UUIDs by their bytes, and a store.Ordered by its key. Several values are alternatives.",
		store.NotEqual:     "Null is different from every value. Each of several values is excluded.",
		store.Exists:       "Zero, false and the empty string are values. A field within a null object is null.",
		store.Less:         less,
		store.LessEqual:    less,
		store.Greater:      less,
		store.GreaterEqual: less,
	}
	for _, operator := range filter.Searching() {
		reasons[operator] = "Case is ignored by Unicode's simple folding, not by that of ASCII or a locale. Wildcards and quotes of the database have no meaning. Several values are alternatives."
	}
	var rules []rule[*trial[item]]
	for _, operator := range slices.Sorted(maps.Keys(reasons)) {
		rules = append(rules, rule[*trial[item]]{
			"the operator \"" + string(operator) + "\" finds the same items as the reference implementation", reasons[operator],
			func(c *trial[item]) {
				items := fill(c, 80)
				for _, f := range fields() {
					if slices.Contains(f.operators(), operator) && !comparesField(c, items, f, operator) {
						return
					}
				}
			},
		})
	}
	return rules
}

// comparesField runs queries with one operator on one field, and reports whether all results are right.
func comparesField(c *trial[item], items *oracle, f field, operator store.Operator) bool {
	c.Helper()
	var values []any
	switch {
	case operator == store.Exists:
		values = []any{true, false}
	case filter.Searches(operator):
		values = []any{
			"é", "É", "σίσυφος", "SEA", "ſEA", "KELVIN", "STRASSE", "straße", "ss", "e\u0301", "TWO", "a", "b", "words", "日", "zz",
			"%", "_", `\`, "*", "?", "[", "]", "'", `"`, "--", "100%", "a_b", "'; DROP TABLE item; --",
		}
	default:
		for _, record := range items.records {
			if value := items.value(record, f.name); value != nil && !slices.Contains(values, value) && len(values) < 12 {
				values = append(values, value)
			}
		}
	}
	queries := []store.Query{}
	for _, value := range sampled(3, values...) {
		queries = append(queries, where(f.name, operator, value))
	}
	if operator == store.Equal || operator == store.NotEqual || filter.Searches(operator) {
		queries = append(queries, where(f.name, operator, values[0], values[1]), where(f.name, operator, values[len(values)/2:]...))
	}
	for _, query := range queries {
		if !c.matches(items, query) {
			return false
		}
	}
	return true
}

// manyValues is more than databases allow as parameters of one statement.
const manyValues = 70_000

func manyRules() []rule[*trial[item]] {
	at := time.Date(2024, 2, 29, 21, 30, 0, 0, time.UTC)
	return []rule[*trial[item]]{
		{
			"a condition may have many values",
			"Clients can send long lists, so the store must accept more values than the database allows as parameters of one statement.",
			func(c *trial[item]) {
				comparesAll(c, sampled(4,
					oneOfMany("name", store.Equal, func(i int) any { return "none " + strconv.Itoa(i) }, "a", "É", `say "no"\`, ""),
					oneOfMany("count", store.Equal, func(i int) any { return int64(i + 1000) }, int64(1<<53+1), int64(-1<<63)),
					oneOfMany("score", store.Equal, func(i int) any { return float64(i) + 0.7 }, 0.1, 1e300),
					oneOfMany("seenAt", store.Equal, func(i int) any { return at.AddDate(0, 0, -i-1).Add(time.Nanosecond) }, at),
					oneOfMany("key", store.Equal, func(i int) any { return uuid.UUID{1, byte(i), byte(i >> 8), byte(i >> 16)} }, uuid.MustParse("f0000000-0000-4000-8000-000000000001")),
					oneOfMany("rank", store.NotEqual, func(i int) any { return int16(i%1000 + 1000) }, int16(9)),
					oneOfMany("alias", store.NotEqual, func(i int) any { return "none " + strconv.Itoa(i) }, "a"),
				)...)
			},
		},
		{"a query may have many conditions", "All of them must hold.", func(c *trial[item]) { comparesAll(c, manyConditions(trials(3000))) }},
	}
}

// oneOfMany returns a query for any of many values, of which items may have the last ones.
func oneOfMany(name string, operator store.Operator, filler func(i int) any, last ...any) store.Query {
	values := make([]any, 0, manyValues+len(last))
	for i := range manyValues {
		values = append(values, filler(i))
	}
	return where(name, operator, append(values, last...)...)
}

// manyConditions returns a query with n conditions, of which only the first excludes items.
func manyConditions(n int) store.Query {
	query := where("active", store.Equal, true)
	for i := range n {
		query.Where = append(query.Where, where("name", store.NotEqual, "none "+strconv.Itoa(i)).Where...)
	}
	return query
}
