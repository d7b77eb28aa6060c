package storetest

import "github.com/trove-api/trove/store"

// hiddenRules are about orders that hide values. A store that does not say that it knows groups
// is not asked for them.
func hiddenRules() []rule[Item] {
	active, low := on("active", store.Equal, true), on("level", store.Equal, Level("low"))
	return []rule[Item]{
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
			func(c *trial[Item]) { randomPages(c, 17, (*generator).hiding) },
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
