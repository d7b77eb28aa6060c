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

// each returns a query for each value.
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
			"equal holds for values that are the same, byte for byte",
			"Numbers are the same as numbers, times as instants, texts and UUIDs by their characters.",
			asks(
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
			"of several values one must be equal",
			"They are alternatives.",
			asks(where("name", store.Equal, "a", "z", "nothing"), where("count", store.Equal, int64(7), int64(-5)), where("ref", store.Equal, key, uuid.Nil)),
		},
		{
			"not equal holds for null, and for none of several values",
			"What is null is no value at all, so it is not that one.",
			asks(
				where("name", store.NotEqual, "a"), where("alias", store.NotEqual, "a", "b"), where("known", store.NotEqual, true),
				where("rank", store.NotEqual, int16(0), int16(9)), where("leftAt", store.NotEqual, at), where("home.floor", store.NotEqual, 2),
				where("ref", store.NotEqual, key),
			),
		},
		{
			"exists tells null from values",
			"Zero, false and the empty text are values. What is in an object that is null is null.",
			asks(
				where("alias", store.Exists, true), where("alias", store.Exists, false), where("known", store.Exists, true), where("rank", store.Exists, false),
				where("score", store.Exists, true), where("leftAt", store.Exists, false), where("ref", store.Exists, true),
				where("place.floor", store.Exists, false), where("home.floor", store.Exists, true), where("home.floor", store.Exists, false),
			),
		},
		{
			"all conditions must hold",
			"Each one leaves fewer records.",
			asks(
				store.Query{Where: append(where("active", store.Equal, true).Where, where("count", store.Greater, int64(0)).Where...), Count: true},
				store.Query{Where: append(where("rank", store.Greater, int16(0)).Where, where("rank", store.Less, int16(10)).Where...)},
				store.Query{Where: append(where("alias", store.Contains, "a").Where, where("alias", store.Equal, "b").Where...)},
			),
		},
		{
			"a condition on several fields holds where it holds for one of them",
			"Null in one does not hide a value in another.",
			asks(
				store.Query{Where: []store.Condition{{Fields: []string{"name", "alias", "place.city", "home.city"}, Operator: store.Contains, Values: []any{"é"}}}},
				store.Query{Where: []store.Condition{{Fields: []string{"alias", "home.city"}, Operator: store.HasPrefix, Values: []any{"a"}}}},
			),
		},
	}...)
}

// comparisonRules are about less and more.
func comparisonRules(at time.Time) []rule[*trial[item]] {
	return []rule[*trial[item]]{
		{
			"numbers are compared as numbers",
			"10 is more than 9, and -5 less than 0.",
			asks(append(append(append(
				each("count", store.Less, int64(7), int64(0), int64(1<<53+1), int64(-1<<63)),
				each("rank", store.GreaterEqual, int16(9), int16(-2), int16(11))...),
				each("size", store.Greater, uint32(2), uint32(1<<31))...),
				each("score", store.LessEqual, 9.5, 0.1, -2.0, 1e300)...)...),
		},
		{
			"times are compared as instants",
			"A zone changes how a time is written, not when it is. Microseconds count.",
			asks(append(append(append(
				each("seenAt", store.Less, at, at.Add(time.Microsecond), time.Unix(0, 0)),
				each("seenAt", store.GreaterEqual, at.In(time.FixedZone("", 5*60*60)), time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC))...),
				each("leftAt", store.Greater, at, time.Unix(0, 0))...),
				each("home.since", store.LessEqual, at, time.Unix(-1, 0))...)...),
		},
		{
			"a type with an order key is compared by it",
			"A decimal of any size and scale is compared as a number; what has one key is equal. It is kept as it was written: see store.Ordered.",
			asks(append(append(append(
				each("price", store.Less, decimal("0"), decimal("-1.5"), decimal("9.99"), decimal("9007199254740993.0")),
				each("offer", store.GreaterEqual, decimal("1.000"), decimal("-9"), decimal("123456789012345678901234567890.12345678901"))...),
				each("home.fee", store.Greater, decimal("0.01"), decimal("-1e2"))...),
				where("price", store.Equal, decimal("1.000")), where("price", store.NotEqual, decimal("1.000"), decimal("100.0")),
				where("place.fee", store.Equal, decimal("-1.5"), decimal("0.000"), decimal("")), where("offer", store.Exists, false),
				where("home.fee", store.NotEqual, decimal("100.00")),
			)...),
		},
		{
			"texts are compared by their bytes",
			"Upper case comes before lower case, and both before letters beyond ASCII, in every locale.",
			asks(append(each("name", store.Less, "a", "Z", "é", "z", "10", ""), each("name", store.GreaterEqual, "a", "Z", "é", "9")...)...),
		},
		{
			"null is neither less nor greater than a value",
			"Comparing finds values only.",
			asks(where("rank", store.Less, int16(100)), where("rank", store.GreaterEqual, int16(-100)), where("score", store.LessEqual, 1e301),
				where("home.floor", store.Less, 100), where("leftAt", store.Greater, time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC))),
		},
	}
}

// textRules are about texts that are looked into.
func textRules() []rule[*trial[item]] {
	folded := []any{"é", "É", "σίσυφος", "SEA", "ſEA", "KELVIN", "STRASSE", "straße", "ss", "e\u0301", "TWO"}
	literal := []any{"%", "_", `\`, "*", "?", "[", "]", "'", `"`, "--", "100%", "a_b", "'; DROP TABLE item; --"}
	var rules []rule[*trial[item]]
	for _, operator := range []store.Operator{store.EqualFold, store.Contains, store.HasPrefix, store.HasSuffix, store.HasWordPrefix} {
		var queries []store.Query
		for _, name := range []string{"name", "alias", "place.city", "home.city"} {
			queries = append(queries, each(name, operator, folded...)...)
			queries = append(queries, each(name, operator, literal...)...)
			queries = append(queries, each(name, operator, "a", "b", "words", "日", "zz")...)
		}
		rules = append(rules, rule[*trial[item]]{
			"the operator \"" + string(operator) + "\" folds case and takes every character as it is",
			"Case is folded by Unicode's simple folding, not by ASCII's nor a locale's. Wildcards and quotes of a database have no meaning.",
			asks(sampled(3, queries...)...),
		})
	}
	return append(rules, rule[*trial[item]]{
		"of several texts that are looked for one must be found",
		"They are alternatives, as values that must be equal are; a hundred are not too many.",
		asks(
			where("name", store.EqualFold, "A", "é", "nothing"), where("alias", store.EqualFold, "B", ""),
			where("name", store.Contains, "zz", "É", "%"), where("place.city", store.HasPrefix, "s", "t"),
			where("home.city", store.HasSuffix, "a", "o"), where("alias", store.HasWordPrefix, "w", "x"),
			oneOf(100, "name", store.Contains, "a"), oneOf(100, "home.city", store.HasWordPrefix, "t"),
			store.Query{Where: []store.Condition{{Fields: []string{"name", "alias", "home.city"}, Operator: store.Contains, Values: []any{"é", "sea"}}}},
		),
	})
}

// oneOf returns a query for one of n texts, the last of which items may have.
func oneOf(n int, name string, operator store.Operator, last string) store.Query {
	query := where(name, operator)
	for i := range n - 1 {
		query.Where[0].Values = append(query.Where[0].Values, "none "+strconv.Itoa(i))
	}
	query.Where[0].Values = append(query.Where[0].Values, last)
	return query
}

// manyValues is more than databases let one statement have as parameters.
const manyValues = 70_000

func manyRules() []rule[*trial[item]] {
	at := time.Date(2024, 2, 29, 21, 30, 0, 0, time.UTC)
	return []rule[*trial[item]]{
		{
			"a condition may have many values",
			"More than a database lets a statement have: clients can write long lists, and a long list is no failure of the server.",
			asksLong(4,
				oneOfMany("name", store.Equal, func(i int) any { return "none " + strconv.Itoa(i) }, "a", "É", `say "no"\`, ""),
				oneOfMany("count", store.Equal, func(i int) any { return int64(i + 1000) }, int64(1<<53+1), int64(-1<<63)),
				oneOfMany("score", store.Equal, func(i int) any { return float64(i) + 0.7 }, 0.1, 1e300),
				oneOfMany("seenAt", store.Equal, func(i int) any { return at.AddDate(0, 0, -i-1).Add(time.Nanosecond) }, at),
				oneOfMany("key", store.Equal, func(i int) any { return uuid.UUID{1, byte(i), byte(i >> 8), byte(i >> 16)} }, uuid.MustParse("f0000000-0000-4000-8000-000000000001")),
				oneOfMany("rank", store.NotEqual, func(i int) any { return int16(i%1000 + 1000) }, int16(9)),
				oneOfMany("alias", store.NotEqual, func(i int) any { return "none " + strconv.Itoa(i) }, "a"),
			),
		},
		{"a query may have many conditions", "All of them hold.", asksLong(1, func() store.Query { return manyConditions(trials(3000)) })},
	}
}

// oneOfMany makes a query for one of many values, the last of which items may have.
func oneOfMany(name string, operator store.Operator, filler func(i int) any, last ...any) func() store.Query {
	return func() store.Query {
		values := make([]any, 0, manyValues+len(last))
		for i := range manyValues {
			values = append(values, filler(i))
		}
		return where(name, operator, append(values, last...)...)
	}
}

// manyConditions returns a query whose first condition cuts something out.
func manyConditions(n int) store.Query {
	query := where("active", store.Equal, true)
	for i := range n {
		query.Where = append(query.Where, where("name", store.NotEqual, "none "+strconv.Itoa(i)).Where...)
	}
	return query
}
