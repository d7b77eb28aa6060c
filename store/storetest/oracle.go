package storetest

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// field is a field of an [Item] as queries name it.
type field struct {
	name     string
	text     bool // can be looked into
	ranged   bool // can be compared with Less and its like
	nullable bool
	of       func(*Item) any // nil for null
}

// fields lists the fields that queries can name.
func fields() []field {
	home := func(of func(*Place) any) func(*Item) any {
		return func(i *Item) any {
			if i.Home == nil {
				return nil
			}
			return of(i.Home)
		}
	}
	return []field{
		{"id", false, false, false, func(i *Item) any { return i.ID }},
		{"name", true, true, false, func(i *Item) any { return i.Name }},
		{"alias", true, false, true, func(i *Item) any { return orNull(i.Alias) }},
		{"level", false, false, false, func(i *Item) any { return i.Level }},
		{"active", false, false, false, func(i *Item) any { return i.Active }},
		{"known", false, false, true, func(i *Item) any { return orNull(i.Known) }},
		{"count", false, true, false, func(i *Item) any { return i.Count }},
		{"rank", false, true, true, func(i *Item) any { return orNull(i.Rank) }},
		{"size", false, true, false, func(i *Item) any { return i.Size }},
		{"score", false, true, true, func(i *Item) any { return orNull(i.Score) }},
		{"seenAt", false, true, false, func(i *Item) any { return i.SeenAt }},
		{"leftAt", false, true, true, func(i *Item) any { return orNull(i.LeftAt) }},
		{"key", false, false, false, func(i *Item) any { return i.Key }},
		{"ref", false, false, true, func(i *Item) any { return orNull(i.Ref) }},
		{"place.city", true, false, false, func(i *Item) any { return i.Place.City }},
		{"place.floor", false, true, true, func(i *Item) any { return orNull(i.Place.Floor) }},
		{"place.since", false, true, true, func(i *Item) any { return orNull(i.Place.Since) }},
		{"home.city", true, false, false, home(func(p *Place) any { return p.City })},
		{"home.floor", false, true, true, home(func(p *Place) any { return orNull(p.Floor) })},
		{"home.since", false, true, true, home(func(p *Place) any { return orNull(p.Since) })},
		{"price", false, true, false, func(i *Item) any { return i.Price }},
		{"offer", false, true, true, func(i *Item) any { return orNull(i.Offer) }},
		{"place.fee", false, true, true, func(i *Item) any { return orNull(i.Place.Fee) }},
		{"home.fee", false, true, true, home(func(p *Place) any { return orNull(p.Fee) })},
	}
}

func fieldNames() []string {
	var names []string
	for _, f := range fields() {
		names = append(names, f.name)
	}
	return names
}

func valueOf(i *Item, name string) any {
	all := fields()
	return all[slices.IndexFunc(all, func(f field) bool { return f.name == name })].of(i)
}

func orNull[V any](p *V) any {
	if p == nil {
		return nil
	}
	return *p
}

// answer is what a query finds among items: by the book, and slowly.
func answer(items []*Item, query store.Query) store.Page[Item] {
	found := slices.DeleteFunc(slices.Clone(items), func(i *Item) bool {
		return !allHold(query.Where, i)
	})
	positions := map[*Item][]any{}
	for _, item := range found {
		positions[item] = positionOf(item, query.Order)
	}
	slices.SortFunc(found, func(a, b *Item) int {
		return cmp.Or(comparePositions(query.Order, positions[a], positions[b]), directed(last(query.Order), cmp.Compare(a.ID, b.ID)))
	})
	total := len(found)
	if query.After != nil {
		found = slices.DeleteFunc(found, func(i *Item) bool { return comparePositions(query.Order, positions[i], query.After) <= 0 })
	}
	found = found[min(query.Offset, len(found)):]
	if query.Limit > 0 {
		found = found[:min(query.Limit, len(found))]
	}
	if !query.Count {
		total = 0
	}
	return store.Page[Item]{Items: found, Total: total}
}

func allHold(conditions []store.Condition, i *Item) bool {
	return !slices.ContainsFunc(conditions, func(c store.Condition) bool { return !holds(c, i) })
}

func holds(c store.Condition, i *Item) bool {
	if c.Any != nil {
		return slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return allHold(list, i) })
	}
	return slices.ContainsFunc(c.Fields, func(name string) bool { return holdsFor(c, valueOf(i, name)) })
}

func holdsFor(c store.Condition, found any) bool {
	equal := func(value any) bool { return compareValues(found, value) == 0 }
	looks := func(holds func(text, part string) bool) bool {
		text, isText := found.(string)
		return isText && slices.ContainsFunc(c.Values, func(value any) bool { return holds(store.Fold(text), store.Fold(value.(string))) })
	}
	switch c.Operator {
	case store.Equal:
		return slices.ContainsFunc(c.Values, equal)
	case store.NotEqual:
		return !slices.ContainsFunc(c.Values, equal)
	case store.Exists:
		return (found != nil) == c.Values[0]
	case store.Less:
		return found != nil && compareValues(found, c.Values[0]) < 0
	case store.LessEqual:
		return found != nil && compareValues(found, c.Values[0]) <= 0
	case store.Greater:
		return found != nil && compareValues(found, c.Values[0]) > 0
	case store.GreaterEqual:
		return found != nil && compareValues(found, c.Values[0]) >= 0
	case store.EqualFold:
		return looks(func(text, part string) bool { return text == part })
	case store.Contains:
		return looks(strings.Contains)
	case store.HasPrefix:
		return looks(strings.HasPrefix)
	case store.HasSuffix:
		return looks(strings.HasSuffix)
	case store.HasWordPrefix:
		return looks(func(text, part string) bool { return strings.Contains(" "+text, " "+part) })
	}
	return false
}

// comparePositions compares two positions in an order.
func comparePositions(order []store.Order, a, b []any) int {
	for n, o := range order {
		if c := directed(o, compareValues(a[n], b[n])); c != 0 {
			return c
		}
	}
	return 0
}

// last returns the last of an order, whose direction the identifier has.
func last(order []store.Order) store.Order {
	if len(order) == 0 {
		return store.Order{}
	}
	return order[len(order)-1]
}

func directed(o store.Order, c int) int {
	if o.Descending {
		return -c
	}
	return c
}

// positionOf returns the position of an item in an order.
func positionOf(i *Item, order []store.Order) []any {
	position := make([]any, len(order))
	for n, o := range order {
		position[n] = orderedBy(o, i)
	}
	return position
}

// orderedBy returns the value that an item is ordered by.
func orderedBy(o store.Order, i *Item) any {
	if !allHold(o.NullUnless, i) {
		return nil
	}
	return valueOf(i, o.Field)
}

// compareValues compares two values of one field; null comes first.
func compareValues(a, b any) int {
	if a == nil || b == nil {
		return cmp.Compare(btoi(a != nil), btoi(b != nil))
	}
	switch a := a.(type) {
	case bool:
		return cmp.Compare(btoi(a), btoi(b.(bool)))
	case string:
		return strings.Compare(a, b.(string))
	case Level:
		return strings.Compare(string(a), string(b.(Level)))
	case int:
		return cmp.Compare(a, b.(int))
	case int16:
		return cmp.Compare(a, b.(int16))
	case int64:
		return cmp.Compare(a, b.(int64))
	case uint32:
		return cmp.Compare(a, b.(uint32))
	case float64:
		return cmp.Compare(a, b.(float64))
	case time.Time:
		return a.Compare(b.(time.Time))
	case Decimal:
		return a.compare(b.(Decimal))
	case uuid.UUID:
		other := b.(uuid.UUID)
		return bytes.Compare(a[:], other[:])
	}
	return 0
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
