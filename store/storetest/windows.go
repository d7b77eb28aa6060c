package storetest

import (
	"context"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
)

func windowRules() []rule[Item] {
	return []rule[Item]{
		{
			"items are in the order of each field, in both directions",
			"Null comes before every value when ascending and last when descending; false before true; texts by their bytes. Equal ones are in the order of the identifier, in the direction of the last field.",
			asks(everyOrder()...),
		},
		{
			"an order of several fields goes by the first, then by the next",
			"Each has a direction of its own.",
			asks(
				ordered("active", "-name"), ordered("-known", "rank", "-seenAt"), ordered("level", "-home.floor", "score"), ordered("-alias", "-count"),
				ordered("home.city", "id"), ordered("active", "-id"),
			),
		},
		{
			"offset and limit cut a window out of the order",
			"An offset behind the end leaves nothing, which is no error. Limit 0 is no limit.",
			asks(
				store.Query{Limit: 1}, store.Query{Limit: 1000}, store.Query{Offset: 3}, store.Query{Offset: 78, Limit: 5}, store.Query{Offset: 80}, store.Query{Offset: 1 << 40, Limit: 1},
				windowed(ordered("-score"), 10, 20), windowed(ordered("known", "-name"), 33, 7), windowed(where("active", store.Equal, true), 2, 3),
			),
		},
		{
			"the total is that of the conditions, whatever the window",
			"It counts what is before and behind the window too.",
			asks(
				counted(store.Query{}), counted(store.Query{Limit: 2}), counted(store.Query{Offset: 1000}), counted(windowed(where("active", store.Equal, true), 1, 1)),
				counted(where("name", store.Equal, "nothing has this name")), counted(windowed(ordered("-rank"), 70, 30)),
			),
		},
		{
			"a position leaves out what comes up to it, in any order",
			"Nulls and directions count as they do in the order.",
			afterEach,
		},
		{
			"random queries are answered as by the book",
			"What holds for each part of a query holds for all together.",
			randomQueries,
		},
		{
			"the fields that are asked for are there, and so is the identifier",
			"Others may be zero.",
			fewFields,
		},
		{
			"a cancelled context is an error of a query",
			"Nobody waits for its answer.",
			func(c *trial[Item]) {
				fill(c, 10)
				ctx, cancel := context.WithCancel(c.ctx)
				cancel()
				_, err := c.store.List(ctx, ordered("-score"))
				c.fails("List", err, context.Canceled)
			},
		},
	}
}

// ordered returns a query for an order, written as "name" or "-name".
func ordered(names ...string) store.Query {
	var query store.Query
	for _, name := range names {
		descending := name[0] == '-'
		if descending {
			name = name[1:]
		}
		query.Order = append(query.Order, store.Order{Field: name, Descending: descending})
	}
	return query
}

func windowed(query store.Query, offset, limit int) store.Query {
	query.Offset, query.Limit = offset, limit
	return query
}

func counted(query store.Query) store.Query {
	query.Count = true
	return query
}

func everyOrder() []store.Query {
	var queries []store.Query
	for _, name := range fieldNames() {
		queries = append(queries, ordered(name), ordered("-"+name))
	}
	return queries
}

func afterEach(c *trial[Item]) {
	items := fill(c, 30)
	for _, query := range []store.Query{
		ordered("id"), ordered("-id"), ordered("name", "id"), ordered("-name", "-id"), ordered("-rank", "id"), ordered("known", "-seenAt", "-id"),
		ordered("home.floor", "-score", "id"), ordered("-leftAt", "ref", "id"),
	} {
		for _, item := range sampled(3, items...) {
			query.After, query.Limit = positionOf(item, query.Order), 4
			if !answers(c, items, query) {
				return
			}
		}
		query.Count, query.Offset = true, 2
		if !answers(c, items, query) {
			return
		}
	}
}

func randomQueries(c *trial[Item]) {
	items := fill(c, 60)
	random := newGenerator(11)
	for range trials(400) {
		if !answers(c, items, random.query(items)) {
			return
		}
	}
}

func fewFields(c *trial[Item]) {
	items := fill(c, 20)
	query := ordered("-rank")
	query.Fields = []string{"id", "name", "home"}
	page, err := c.store.List(c.ctx, query)
	if err != nil {
		c.Fatalf("List: %v", err)
	}
	want := answer(items, query).Items
	if diff := cmp.Diff(ids(want), ids(page.Items)); diff != "" {
		c.Fatalf("List: identifiers (-want +got):\n%s", diff)
	}
	for i, item := range page.Items {
		c.same("the name", want[i].Name, item.Name)
		c.same("the home", want[i].Home, item.Home)
		c.same("the rank, by which they are ordered", want[i].Rank, item.Rank)
	}
}
