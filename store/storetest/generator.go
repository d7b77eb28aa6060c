package storetest

import (
	"math/rand/v2"
	"slices"

	"github.com/trove-api/trove/store"
)

// generator makes items and queries. The same seed gives the same ones.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) *generator {
	return &generator{rand.New(rand.NewPCG(seed, 1))}
}

func (g *generator) coin() bool { return g.IntN(2) == 0 }

func one[V any](g *generator, values ...V) V { return values[g.IntN(len(values))] }

// maybe returns a value, or null now and then.
func maybe[V any](g *generator, some func() V) *V {
	if g.IntN(3) == 0 {
		return nil
	}
	return new(some())
}

// items returns records, each with the identifier of its place.
func (g *generator) items(n int) []*Item {
	all := make([]*Item, n)
	for i := range all {
		all[i] = g.item(int64(i + 1))
	}
	return all
}

// query asks for some of the items, in some order.
func (g *generator) query(items []*Item) store.Query {
	query := store.Query{Order: g.order(), Count: g.coin()}
	for range g.IntN(3) {
		query.Where = append(query.Where, g.condition(items))
	}
	if g.coin() {
		query.Offset = g.IntN(8)
	}
	if g.coin() {
		query.Limit = 1 + g.IntN(8)
	}
	if g.IntN(3) == 0 {
		query.Order = append(query.Order, store.Order{Field: "id", Descending: g.coin()})
		query.After = positionOf(one(g, items...), query.Order)
	}
	return query
}

// grouped asks for some of the items by groups of conditions too.
func (g *generator) grouped(items []*Item) store.Query {
	query := g.query(items)
	for range 1 + g.IntN(2) {
		query.Where = append(query.Where, g.group(items, 2))
	}
	g.Shuffle(len(query.Where), func(i, j int) { query.Where[i], query.Where[j] = query.Where[j], query.Where[i] })
	return query
}

// group returns a group, in which others may be so many deep.
func (g *generator) group(items []*Item, depth int) store.Condition {
	lists := make([][]store.Condition, g.IntN(4))
	for i := range lists {
		for range g.IntN(3) {
			if depth > 0 && g.IntN(4) == 0 {
				lists[i] = append(lists[i], g.group(items, depth-1))
			} else {
				lists[i] = append(lists[i], g.condition(items))
			}
		}
	}
	return store.Condition{Any: lists}
}

// hiding asks for items in an order that hides values.
func (g *generator) hiding(items []*Item) store.Query {
	query := g.grouped(items)
	if query.After = nil; g.coin() {
		query.Where = nil
	}
	query.Order = append(query.Order, store.Order{Field: one(g, fieldNames()...), Descending: g.coin()})
	for i := range query.Order {
		switch g.IntN(4) {
		case 0:
		case 1:
			query.Order[i].NullUnless = []store.Condition{g.group(items, 1)}
		default:
			query.Order[i].NullUnless = []store.Condition{g.condition(items)}
		}
	}
	return query
}

func (g *generator) order() []store.Order {
	var order []store.Order
	for range g.IntN(4) {
		field := one(g, fieldNames()...)
		if field != "id" && !slices.ContainsFunc(order, func(o store.Order) bool { return o.Field == field }) {
			order = append(order, store.Order{Field: field, Descending: g.coin()})
		}
	}
	return order
}

// condition compares a field with values that items have, so that it holds for some.
func (g *generator) condition(items []*Item) store.Condition {
	f := one(g, fields()...)
	operators := []store.Operator{store.Equal, store.NotEqual}
	if f.ranged {
		operators = append(operators, store.Less, store.LessEqual, store.Greater, store.GreaterEqual)
	}
	if f.nullable {
		operators = append(operators, store.Exists)
	}
	if f.text {
		operators = append(operators, store.EqualFold, store.Contains, store.HasPrefix, store.HasSuffix, store.HasWordPrefix)
	}
	condition := store.Condition{Fields: []string{f.name}, Operator: one(g, operators...)}
	switch condition.Operator {
	case store.Exists:
		condition.Values = []any{g.coin()}
	case store.Equal, store.NotEqual:
		for range 1 + g.IntN(3) {
			condition.Values = append(condition.Values, g.value(f, items))
		}
	case store.EqualFold, store.Contains, store.HasPrefix, store.HasSuffix, store.HasWordPrefix:
		for range 1 + g.IntN(3) {
			condition.Values = append(condition.Values, g.part())
		}
		if condition.Operator == store.Contains && g.coin() {
			condition.Fields = []string{"name", "alias", "place.city", "home.city"}
		}
	default:
		condition.Values = []any{g.value(f, items)}
	}
	return condition
}

// value returns a value of the field that some item has.
func (g *generator) value(f field, items []*Item) any {
	for {
		if value := f.of(one(g, items...)); value != nil {
			return value
		}
	}
}
