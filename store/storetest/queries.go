package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/trove-api/trove/store"
)

func queryRules() []rule[*trial[item]] {
	return slices.Concat(operatorRules(), windowRules(), mistakeRules(), manyRules(), groupRules(), hiddenRules(), aggregateRules(), stockRules())
}

// sampled returns every nth element in a short run, and all otherwise.
func sampled[E any](n int, list ...E) []E {
	if !testing.Short() {
		return list
	}
	var some []E
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

// trials returns how many of n random queries to run: a quarter in a short run.
func trials(n int) int {
	if testing.Short() {
		return n / 4
	}
	return n
}

func comparesAll(c *trial[item], queries ...store.Query) {
	c.Helper()
	items := fill(c, 80)
	for _, query := range queries {
		if !c.matches(items, query) {
			return
		}
	}
}

// fill inserts n items.
func fill(c *trial[item], n int) *oracle {
	c.Helper()
	items := newGenerator(7).items(n)
	c.insertTogether(items...)
	return oracleOf(items)
}

// randomPages runs n random queries, and then reads all pages of each, continuing after the last item.
func randomPages[R any](c *trial[R], records *oracle, n int, random *generator, generate func(*oracle) store.Query) {
	for range trials(n) {
		query := generate(records)
		if !c.matches(records, query) {
			return
		}
		query.Order = append(upToIdentifier(query.Order), store.Order{Field: "id", Descending: random.coin()})
		query.After, query.Offset, query.Limit = nil, 0, 5+random.IntN(20)
		for more := true; more; {
			if !c.matches(records, query) {
				return
			}
			found, _ := records.evaluate(query) // which succeeded in matches
			if more = len(found.positions) == query.Limit; more {
				query.After = found.positions[query.Limit-1]
			}
		}
	}
}

// upToIdentifier returns a sort order up to and including the identifier.
func upToIdentifier(order []store.Order) []store.Order {
	end := slices.IndexFunc(order, func(o store.Order) bool { return o.Field == "id" && o.Through == "" && len(o.NullUnless) == 0 })
	if end < 0 {
		return order
	}
	return order[:end]
}

// rejectsAll checks that invalid queries are errors.
func (c *trial[R]) rejectsAll(mistaken map[string]store.Query) {
	c.Helper()
	for name, query := range mistaken {
		if page, err := c.store.List(c.ctx, query); err == nil {
			c.Errorf("%s in %+v: no error, and %d records", name, query, len(page.Items))
		}
	}
}

func windowRules() []rule[*trial[item]] {
	return []rule[*trial[item]]{
		{
			"items are sorted by each field, in both directions",
			"Null comes first in ascending order and last in descending order. False comes before true, and strings sort by their bytes. Ties are sorted by the identifier, in the direction of the last field.",
			func(c *trial[item]) {
				items := fill(c, 80)
				for _, f := range fields() {
					if !c.matches(items, ordered(f.name)) || !c.matches(items, ordered("-"+f.name)) {
						return
					}
				}
			},
		},
		{"random queries match the reference implementation, on every page", "All conditions must hold, those on several fields for one of them. An offset past the end returns no items and no error, and limit 0 means no limit. The total counts all items that match. Query.After returns only items behind the position, in any sort order.", func(c *trial[item]) {
			random := newGenerator(11)
			randomPages(c, fill(c, 60), 150, random, random.query)
		}},
		{"the requested fields and the identifier are set", "A store may leave other fields zero.", fewFields},
		{
			"a query with a cancelled context returns an error",
			"The caller no longer waits for the result.",
			func(c *trial[item]) {
				fill(c, 10)
				ctx, cancel := context.WithCancel(c.ctx)
				cancel()
				_, err := c.store.List(ctx, ordered("-score"))
				c.fails("List", err, context.Canceled)
			},
		},
	}
}

// ordered returns a query with a sort order, given as "name" or "-name".
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

func counted(query store.Query) store.Query {
	query.Count = true
	return query
}

func fewFields(c *trial[item]) {
	items := fill(c, 20)
	query := ordered("-rank")
	query.Fields = []string{"id", "name", "home"}
	page, err := c.store.List(c.ctx, query)
	if err != nil {
		c.Fatalf("List: %v", err)
	}
	found, err := items.evaluate(query)
	if err != nil || len(found.records) != len(page.Items) {
		c.Fatalf("List has %d items, want %d (%v)", len(page.Items), len(found.records), err)
	}
	for i, got := range page.Items {
		want := found.records[i].(*item)
		c.same("identifier", want.ID, got.ID)
		c.same("name", want.Name, got.Name)
		c.same("home", want.Home, got.Home)
		c.same("rank, the sort field", want.Rank, got.Rank)
	}
}

// mistakeRules are about invalid queries.
func mistakeRules() []rule[*trial[item]] {
	mistaken := map[string]store.Query{
		"a condition on an unknown field":          where("nothing", store.Equal, "a"),
		"a condition with a value of another type": where("count", store.Equal, "7"),
		"a condition without a value":              where("count", store.Equal),
		"an unknown operator":                      where("count", "resembles", int64(7)),
		"a sort order by an unknown field":         ordered("nothing"),
		"a position without its identifier":        {Order: ordered("name").Order, After: []any{"a"}},
		"a position that is too short":             {Order: ordered("name", "id").Order, After: []any{"a"}},
		"a position with a value of another type":  {Order: ordered("id").Order, After: []any{"a"}},
	}
	return []rule[*trial[item]]{{
		"an invalid query is an error",
		"An invalid query must return an error. It must neither panic nor return every record.",
		func(c *trial[item]) {
			fill(c, 3)
			c.rejectsAll(mistaken)
		},
	}}
}
