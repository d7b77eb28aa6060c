package storetest

import (
	"cmp"
	"slices"

	"github.com/trove-api/trove/store"
)

// book has the records of a throughTrial, and answers what is asked of them: by the book, and
// slowly.
type book struct {
	mentions []*Mention
	items    []*Item
}

func (b *book) answer(query store.Query) store.Page[Mention] {
	var page store.Page[Mention]
	for _, m := range b.mentions {
		if b.allHold(query.Where, m) {
			page.Items = append(page.Items, m)
		}
	}
	page.Total = len(page.Items)
	positions := map[*Mention][]any{}
	for _, m := range page.Items {
		at := []any{}
		for _, o := range query.Order {
			at = append(at, b.orderedBy(o, m))
		}
		positions[m] = at
	}
	slices.SortFunc(page.Items, func(x, y *Mention) int {
		return cmp.Or(comparePositions(query.Order, positions[x], positions[y]), directed(last(query.Order), cmp.Compare(x.ID, y.ID)))
	})
	if query.After != nil {
		page.Items = slices.DeleteFunc(page.Items, func(m *Mention) bool { return comparePositions(query.Order, positions[m], query.After) <= 0 })
	}
	page.Items = page.Items[min(query.Offset, len(page.Items)):]
	if query.Limit > 0 {
		page.Items = page.Items[:min(query.Limit, len(page.Items))]
	}
	if !query.Count {
		page.Total = 0
	}
	for _, m := range page.Items {
		page.Positions = append(page.Positions, positions[m])
	}
	return page
}

func (b *book) allHold(conditions []store.Condition, m *Mention) bool {
	return !slices.ContainsFunc(conditions, func(c store.Condition) bool { return !b.holds(c, m) })
}

func (b *book) holds(c store.Condition, m *Mention) bool {
	switch {
	case c.Through == "item":
		return m.Item != nil && slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return allHold(list, b.items[*m.Item-1]) })
	case c.Through == "previous":
		return m.Previous != nil && slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return b.allHold(list, b.mentions[*m.Previous-1]) })
	case c.Any != nil:
		return slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return b.allHold(list, m) })
	}
	return slices.ContainsFunc(c.Fields, func(name string) bool { return holdsFor(c, mentioned(m, name)) })
}

// mentioned returns the value of a field of a mention, nil for null.
func mentioned(m *Mention, name string) any {
	switch name {
	case "id":
		return m.ID
	case "label":
		return m.Label
	case "item":
		return orNull(m.Item)
	}
	return orNull(m.Previous)
}

func (b *book) orderedBy(o store.Order, m *Mention) any {
	switch {
	case !b.allHold(o.NullUnless, m):
		return nil
	case o.Through == "":
		return mentioned(m, o.Field)
	case o.Through == "item" && m.Item != nil:
		return valueOf(b.items[*m.Item-1], o.Field)
	case o.Through == "previous" && m.Previous != nil:
		return mentioned(b.mentions[*m.Previous-1], o.Field)
	}
	return nil
}

// throughQuery asks for some of the mentions, in some order, by what they refer to.
func (g *generator) throughQuery(b *book) store.Query {
	query := store.Query{Count: g.coin()}
	for range g.IntN(3) {
		query.Where = append(query.Where, g.mentionCondition(b, 2))
	}
	for range g.IntN(3) {
		order := store.Order{Field: one(g, "label", "item"), Descending: g.coin()}
		switch g.IntN(4) {
		case 0:
			order.Field, order.Through = one(g, "label", "id"), "previous"
		case 1, 2:
			order.Field, order.Through = one(g, fieldNames()...), "item"
		}
		for range g.IntN(3) {
			order.NullUnless = append(order.NullUnless, g.mentionCondition(b, 1))
		}
		query.Order = append(query.Order, order)
	}
	if g.coin() {
		query.Offset, query.Limit = g.IntN(8), 1+g.IntN(20)
	}
	return query
}

// mentionCondition returns a condition on mentions, or on what they refer to.
func (g *generator) mentionCondition(b *book, depth int) store.Condition {
	lists := make([][]store.Condition, g.IntN(3))
	switch kind := g.IntN(5); {
	case kind == 0 && depth > 0:
		for i := range lists {
			lists[i] = append(lists[i], g.mentionCondition(b, depth-1))
		}
		return store.Condition{Any: lists, Through: one(g, "", "previous")}
	case kind == 1:
		return on("label", one(g, store.Equal, store.NotEqual), one(g, "one", "two", ""))[0]
	case kind == 2:
		return on("item", store.Exists, g.coin())[0]
	}
	if len(lists) == 0 {
		lists = [][]store.Condition{nil}
	}
	for i := range lists {
		for range g.IntN(3) {
			lists[i] = append(lists[i], g.condition(b.items))
		}
	}
	return store.Condition{Through: "item", Any: lists}
}
