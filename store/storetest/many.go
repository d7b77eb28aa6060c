package storetest

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// manyValues is more than databases let one statement have as parameters.
const manyValues = 70_000

func manyRules() []rule[Item] {
	at := time.Date(2024, 2, 29, 21, 30, 0, 0, time.UTC)
	return []rule[Item]{
		{
			"a condition may have many values",
			"More than a database lets a statement have: clients can write long lists, and a long list is no failure of the server.",
			asks(sampled(4,
				oneOfMany("name", store.Equal, func(i int) any { return "none " + strconv.Itoa(i) }, "a", "É", `say "no"\`, ""),
				oneOfMany("count", store.Equal, func(i int) any { return int64(i + 1000) }, int64(1<<53+1), int64(-1<<63)),
				oneOfMany("score", store.Equal, func(i int) any { return float64(i) + 0.7 }, 0.1, 1e300),
				oneOfMany("seenAt", store.Equal, func(i int) any { return at.AddDate(0, 0, -i-1).Add(time.Nanosecond) }, at),
				oneOfMany("key", store.Equal, func(i int) any { return uuid.UUID{1, byte(i), byte(i >> 8), byte(i >> 16)} }, uuid.MustParse("f0000000-0000-4000-8000-000000000001")),
				oneOfMany("rank", store.NotEqual, func(i int) any { return int16(i%1000 + 1000) }, int16(9)),
				oneOfMany("alias", store.NotEqual, func(i int) any { return "none " + strconv.Itoa(i) }, "a"),
			)...),
		},
		{
			"a query may have many conditions",
			"All of them hold.",
			asks(manyConditions(trials(3000))),
		},
	}
}

// oneOfMany returns a query for one of many values, the last of which items may have.
func oneOfMany(name string, operator store.Operator, filler func(i int) any, last ...any) store.Query {
	values := make([]any, 0, manyValues+len(last))
	for i := range manyValues {
		values = append(values, filler(i))
	}
	return where(name, operator, append(values, last...)...)
}

// manyConditions returns a query whose first condition cuts something out.
func manyConditions(n int) store.Query {
	query := where("active", store.Equal, true)
	for i := range n {
		query.Where = append(query.Where, where("name", store.NotEqual, "none "+strconv.Itoa(i)).Where...)
	}
	return query
}
