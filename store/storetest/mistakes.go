package storetest

import "github.com/trove-api/trove/store"

// mistakeRules are about queries that nobody should make.
func mistakeRules() []rule[Item] {
	mistaken := map[string]store.Query{
		"a condition on an unknown field":   where("nothing", store.Equal, "a"),
		"a condition with a foreign type":   where("count", store.Equal, "7"),
		"a condition without a value":       where("count", store.Equal),
		"an unknown operator":               where("count", "resembles", int64(7)),
		"an order by an unknown field":      ordered("nothing"),
		"a position without its identifier": {Order: ordered("name").Order, After: []any{"a"}},
		"a position that is too short":      {Order: ordered("name", "id").Order, After: []any{"a"}},
		"a position of a foreign type":      {Order: ordered("id").Order, After: []any{"a"}},
	}
	return []rule[Item]{{
		"a query that makes no sense is an error",
		"It is not answered with everything, nor by a panic.",
		func(c *trial[Item]) {
			fill(c, 3)
			for name, query := range mistaken {
				if page, err := c.store.List(c.ctx, query); err == nil {
					c.Errorf("%s: no error, and %d items", name, len(page.Items))
				}
			}
		},
	}}
}
