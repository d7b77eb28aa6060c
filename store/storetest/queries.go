package storetest

import (
	"slices"
	"testing"

	"github.com/trove-api/trove/store"
)

func queryRules() []rule[*trial[item]] {
	return slices.Concat(fieldRules(), windowRules(), groupRules(), aggregateRules())
}

// trials returns how many of n queries to run: a quarter in a short run.
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
		if i := slices.IndexFunc(query.Order, func(o store.Order) bool { return o.Field == "id" && o.Through == "" && len(o.NullUnless) == 0 }); i >= 0 {
			query.Order = query.Order[:i]
		}
		query.Order = append(query.Order, store.Order{Field: "id", Descending: random.coin()})
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
		{"random queries match the reference implementation, on every page", "All conditions must hold, those on several fields for one of them. An offset past the end returns no items and no error, and limit 0 means no limit. The total counts all items that match. Query.After returns only items behind the position, in any sort order.", func(c *trial[item]) {
			random := newGenerator(11)
			randomPages(c, fill(c, 60), 150, random, random.query)
		}},
		{"a total is exact up to CountUpTo", "Beyond that number, it must be larger than it. An estimate is not negative.", totals},
		{"the requested fields and the identifier are set", "A store may leave other fields zero.", fewFields},
		{"an invalid query is an error", "An invalid query must return an error. It must neither panic nor return every record.", mistakesInQueries},
		{
			"of concurrent calls of store.UpdateWhere, each changes only records that still match",
			"A record that was changed since the query must be read again, so that a limited stock never falls below zero.",
			stockIsLimited,
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

func totals(c *trial[item]) {
	all, random := fill(c, 40), newGenerator(13)
	for range trials(40) {
		query := counted(random.query(all))
		found, err := all.evaluate(query)
		for _, most := range []int{1, found.total - 1, found.total, found.total + 1} {
			if query.CountUpTo = max(most, 1); err == nil && !c.matches(all, query) {
				return
			}
		}
	}
	if estimator, ok := c.store.(store.Estimator); ok && estimator.Estimates() {
		if n, err := estimator.Estimate(c.ctx); n < 0 || err != nil {
			c.Errorf("Estimate returns %d, %v", n, err)
		}
	}
}

func fewFields(c *trial[item]) {
	query := ordered("-rank") // sets the field, too
	query.Fields = []string{"id", "name", "home"}
	c.readsFields(fill(c, 20), query, "id", "name", "rank", "home.city", "home.floor", "home.since", "home.note", "home.fee")
}

// readsFields compares fields of the records that a query finds.
func (c *trial[R]) readsFields(b *oracle, query store.Query, names ...string) {
	c.Helper()
	page, err := c.store.List(c.ctx, query)
	want, _ := b.evaluate(query) // tests of the rules show that it succeeds
	if err != nil || len(page.Items) != len(want.records) {
		c.Fatalf("List of %+v: %d items, want %d (%v)", query, len(page.Items), len(want.records), err)
	}
	for i, got := range page.Items {
		for _, name := range names {
			c.same(name, b.value(want.records[i], name), b.value(got, name))
		}
	}
}

func mistakesInQueries(c *trial[item]) {
	fill(c, 3)
	fine := on("id", store.Exists, true)
	for name, mistake := range map[string][]store.Condition{
		"an unknown field":        on("nothing", store.Equal, "a"),
		"a value of another type": on("count", store.Equal, "7"),
		"no value":                on("count", store.Equal),
		"an unknown operator":     on("count", "resembles", int64(7)),
	} {
		c.rejectsAll(map[string]store.Query{name: {Where: mistake}})
		if !supportsGroups(c.store) {
			continue
		}
		c.rejectsAll(map[string]store.Query{
			name + " in a group": group(mistake), name + " in a second list": group(fine, mistake), name + " after another condition": group(slices.Concat(fine, mistake)),
			name + " in an inner group":        group(group(fine, mistake).Where),
			name + " in NullUnless":            {Order: []store.Order{{Field: "name", NullUnless: mistake}}},
			name + " in a group of NullUnless": {Order: []store.Order{{Field: "name", NullUnless: group(fine, mistake).Where}}},
		})
	}
	c.rejectsAll(map[string]store.Query{
		"a sort order by an unknown field":        ordered("nothing"),
		"a position without its identifier":       {Order: ordered("name").Order, After: []any{"a"}},
		"a position that is too short":            {Order: ordered("name", "id").Order, After: []any{"a"}},
		"a position with a value of another type": {Order: ordered("id").Order, After: []any{"a"}},
	})
}
