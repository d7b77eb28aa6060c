package storetest

import (
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

// each returns one query per value.
func each(name string, operator store.Operator, values ...any) []store.Query {
	queries := make([]store.Query, len(values))
	for i, value := range values {
		queries[i] = where(name, operator, value)
	}
	return queries
}

func conditionRules() []rule[*trial[item]] {
	at := time.Date(2024, 2, 29, 21, 30, 0, 0, time.UTC)
	key := uuid.MustParse("f0000000-0000-4000-8000-000000000001")
	return append(append(textRules(), comparisonRules(at)...), []rule[*trial[item]]{
		{
			"equal compares values exactly",
			"Numbers compare by value, times as instants, strings and UUIDs by their bytes.",
			compares(
				where("name", store.Equal, "a"), where("name", store.Equal, "É"), where("name", store.Equal, ""), where("name", store.Equal, "a "),
				where("level", store.Equal, level("low")), where("active", store.Equal, true), where("known", store.Equal, false),
				where("count", store.Equal, int64(1<<53+1)), where("count", store.Equal, int64(-1<<63)), where("rank", store.Equal, int16(0)),
				where("size", store.Equal, uint32(1<<32-1)), where("score", store.Equal, 0.1), where("score", store.Equal, 0.0),
				where("seenAt", store.Equal, at.In(time.FixedZone("", -60*60))), where("leftAt", store.Equal, at.Add(time.Microsecond)),
				where("key", store.Equal, key), where("ref", store.Equal, key),
				where("place.city", store.Equal, "sea"), where("home.floor", store.Equal, 12), where("home.since", store.Equal, at),
			),
		},
		{
			"equal matches any of several values",
			"The values are alternatives.",
			compares(where("name", store.Equal, "a", "z", "nothing"), where("count", store.Equal, int64(7), int64(-5)), where("ref", store.Equal, key, uuid.Nil)),
		},
		{
			"not equal matches null, and excludes each of several values",
			"Null is different from every value.",
			compares(
				where("name", store.NotEqual, "a"), where("alias", store.NotEqual, "a", "b"), where("known", store.NotEqual, true),
				where("rank", store.NotEqual, int16(0), int16(9)), where("leftAt", store.NotEqual, at), where("home.floor", store.NotEqual, 2),
				where("ref", store.NotEqual, key),
			),
		},
		{
			"exists distinguishes null from values",
			"Zero, false and the empty string are values. A field within a null object is null.",
			compares(
				where("alias", store.Exists, true), where("alias", store.Exists, false), where("known", store.Exists, true), where("rank", store.Exists, false),
				where("score", store.Exists, true), where("leftAt", store.Exists, false), where("ref", store.Exists, true),
				where("place.floor", store.Exists, false), where("home.floor", store.Exists, true), where("home.floor", store.Exists, false),
			),
		},
		{
			"all conditions must hold",
			"A record that fails one condition does not match.",
			compares(
				store.Query{Where: append(where("active", store.Equal, true).Where, where("count", store.Greater, int64(0)).Where...), Count: true},
				store.Query{Where: append(where("rank", store.Greater, int16(0)).Where, where("rank", store.Less, int16(10)).Where...)},
				store.Query{Where: append(where("alias", store.Contains, "a").Where, where("alias", store.Equal, "b").Where...)},
			),
		},
		{
			"a condition on several fields holds if it holds for one of them",
			"Null in one field must not hide a match in another.",
			compares(
				store.Query{Where: []store.Condition{{Fields: []string{"name", "alias", "place.city", "home.city"}, Operator: store.Contains, Values: []any{"é"}}}},
				store.Query{Where: []store.Condition{{Fields: []string{"alias", "home.city"}, Operator: store.HasPrefix, Values: []any{"a"}}}},
			),
		},
	}...)
}

// comparisonRules are about the operators from [store.Less] to [store.GreaterEqual].
func comparisonRules(at time.Time) []rule[*trial[item]] {
	return []rule[*trial[item]]{
		{
			"numbers are compared by value",
			"10 is greater than 9, and -5 less than 0.",
			compares(append(append(append(
				each("count", store.Less, int64(7), int64(0), int64(1<<53+1), int64(-1<<63)),
				each("rank", store.GreaterEqual, int16(9), int16(-2), int16(11))...),
				each("size", store.Greater, uint32(2), uint32(1<<31))...),
				each("score", store.LessEqual, 9.5, 0.1, -2.0, 1e300)...)...),
		},
		{
			"times are compared as instants",
			"Different zones can denote the same instant. Microseconds count.",
			compares(append(append(append(
				each("seenAt", store.Less, at, at.Add(time.Microsecond), time.Unix(0, 0)),
				each("seenAt", store.GreaterEqual, at.In(time.FixedZone("", 5*60*60)), time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC))...),
				each("leftAt", store.Greater, at, time.Unix(0, 0))...),
				each("home.since", store.LessEqual, at, time.Unix(-1, 0))...)...),
		},
		{
			"a type with an order key is compared by it",
			"A decimal of any size and scale is compared as a number, and values with the same key are equal. The original text must be stored. See store.Ordered.",
			compares(append(append(append(
				each("price", store.Less, decimal("0"), decimal("-1.5"), decimal("9.99"), decimal("9007199254740993.0")),
				each("offer", store.GreaterEqual, decimal("1.000"), decimal("-9"), decimal("123456789012345678901234567890.12345678901"))...),
				each("home.fee", store.Greater, decimal("0.01"), decimal("-1e2"))...),
				where("price", store.Equal, decimal("1.000")), where("price", store.NotEqual, decimal("1.000"), decimal("100.0")),
				where("place.fee", store.Equal, decimal("-1.5"), decimal("0.000"), decimal("")), where("offer", store.Exists, false),
				where("home.fee", store.NotEqual, decimal("100.00")),
			)...),
		},
		{
			"strings are compared by their bytes",
			"Upper case comes before lower case, and both come before non-ASCII letters, in every locale.",
			compares(append(each("name", store.Less, "a", "Z", "é", "z", "10", ""), each("name", store.GreaterEqual, "a", "Z", "é", "9")...)...),
		},
		{
			"null is neither less nor greater than any value",
			"Comparisons match only values.",
			compares(where("rank", store.Less, int16(100)), where("rank", store.GreaterEqual, int16(-100)), where("score", store.LessEqual, 1e301),
				where("home.floor", store.Less, 100), where("leftAt", store.Greater, time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC))),
		},
	}
}

// textRules are about the operators that compare strings.
func textRules() []rule[*trial[item]] {
	folded := []any{"é", "É", "σίσυφος", "SEA", "ſEA", "KELVIN", "STRASSE", "straße", "ss", "e\u0301", "TWO"}
	literal := []any{"%", "_", `\`, "*", "?", "[", "]", "'", `"`, "--", "100%", "a_b", "'; DROP TABLE item; --"}
	var rules []rule[*trial[item]]
	for _, operator := range filter.Searching() {
		var queries []store.Query
		for _, name := range []string{"name", "alias", "place.city", "home.city"} {
			queries = append(queries, each(name, operator, folded...)...)
			queries = append(queries, each(name, operator, literal...)...)
			queries = append(queries, each(name, operator, "a", "b", "words", "日", "zz")...)
		}
		rules = append(rules, rule[*trial[item]]{
			"the operator \"" + string(operator) + "\" ignores case and has no wildcards",
			"Case is ignored by Unicode's simple folding, not by that of ASCII or a locale. Wildcards and quotes of the database have no meaning.",
			compares(sampled(3, queries...)...),
		})
	}
	return append(rules, rule[*trial[item]]{
		"string operators match any of several values",
		"The values are alternatives. A hundred must work.",
		compares(
			where("name", store.EqualFold, "A", "é", "nothing"), where("alias", store.EqualFold, "B", ""),
			where("name", store.Contains, "zz", "É", "%"), where("place.city", store.HasPrefix, "s", "t"),
			where("home.city", store.HasSuffix, "a", "o"), where("alias", store.HasWordPrefix, "w", "x"),
			oneOf(100, "name", store.Contains, "a"), oneOf(100, "home.city", store.HasWordPrefix, "t"),
			store.Query{Where: []store.Condition{{Fields: []string{"name", "alias", "home.city"}, Operator: store.Contains, Values: []any{"é", "sea"}}}},
		),
	})
}

// oneOf returns a query for any of n strings, of which items may have the last.
func oneOf(n int, name string, operator store.Operator, last string) store.Query {
	query := where(name, operator)
	for i := range n - 1 {
		query.Where[0].Values = append(query.Where[0].Values, "none "+strconv.Itoa(i))
	}
	query.Where[0].Values = append(query.Where[0].Values, last)
	return query
}

// manyValues is more than databases allow as parameters of one statement.
const manyValues = 70_000

func manyRules() []rule[*trial[item]] {
	at := time.Date(2024, 2, 29, 21, 30, 0, 0, time.UTC)
	return []rule[*trial[item]]{
		{
			"a condition may have many values",
			"Clients can send long lists, so the store must accept more values than the database allows as parameters of one statement.",
			comparesLong(4,
				oneOfMany("name", store.Equal, func(i int) any { return "none " + strconv.Itoa(i) }, "a", "É", `say "no"\`, ""),
				oneOfMany("count", store.Equal, func(i int) any { return int64(i + 1000) }, int64(1<<53+1), int64(-1<<63)),
				oneOfMany("score", store.Equal, func(i int) any { return float64(i) + 0.7 }, 0.1, 1e300),
				oneOfMany("seenAt", store.Equal, func(i int) any { return at.AddDate(0, 0, -i-1).Add(time.Nanosecond) }, at),
				oneOfMany("key", store.Equal, func(i int) any { return uuid.UUID{1, byte(i), byte(i >> 8), byte(i >> 16)} }, uuid.MustParse("f0000000-0000-4000-8000-000000000001")),
				oneOfMany("rank", store.NotEqual, func(i int) any { return int16(i%1000 + 1000) }, int16(9)),
				oneOfMany("alias", store.NotEqual, func(i int) any { return "none " + strconv.Itoa(i) }, "a"),
			),
		},
		{"a query may have many conditions", "All of them must hold.", comparesLong(1, func() store.Query { return manyConditions(trials(3000)) })},
	}
}

// oneOfMany returns a query for any of many values, of which items may have the last ones.
func oneOfMany(name string, operator store.Operator, filler func(i int) any, last ...any) func() store.Query {
	return func() store.Query {
		values := make([]any, 0, manyValues+len(last))
		for i := range manyValues {
			values = append(values, filler(i))
		}
		return where(name, operator, append(values, last...)...)
	}
}

// manyConditions returns a query with n conditions, of which only the first excludes items.
func manyConditions(n int) store.Query {
	query := where("active", store.Equal, true)
	for i := range n {
		query.Where = append(query.Where, where("name", store.NotEqual, "none "+strconv.Itoa(i)).Where...)
	}
	return query
}
