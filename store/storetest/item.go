package storetest

import (
	"cmp"
	"errors"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// item has fields of every type that queries compare and sort by, nullable and not.
type item struct {
	ID     int64      `json:"id" api:"id"`
	Name   string     `json:"name" api:"filter=partial|range,sort,search"`
	Alias  *string    `json:"alias" api:"filter=partial|exists,sort,search"`
	Level  level      `json:"level" api:"filter=exact,sort"`
	Active bool       `json:"active" api:"filter,sort"`
	Known  *bool      `json:"known" api:"filter=exact|exists,sort"`
	Count  int64      `json:"count" api:"filter=exact|range,sort"`
	Rank   *int16     `json:"rank" api:"filter=exact|range|exists,sort"`
	Size   uint32     `json:"size" api:"filter=exact|range,sort"`
	Score  *float64   `json:"score" api:"filter=exact|range|exists,sort"`
	SeenAt time.Time  `json:"seenAt" api:"filter=exact|range,sort"`
	LeftAt *time.Time `json:"leftAt" api:"filter=exact|range|exists,sort"`
	Key    uuid.UUID  `json:"key" api:"filter,sort"`
	Ref    *uuid.UUID `json:"ref" api:"filter=exact|exists,sort"`
	Place  place      `json:"place"`
	Home   *place     `json:"home"`
	Price  decimal    `json:"price" api:"filter=exact|range,sort"`
	Offer  *decimal   `json:"offer" api:"filter=exact|range|exists,sort"`
}

// level is a named string type.
type level string

// place is a struct within an item.
type place struct {
	City  string     `json:"city" api:"filter=partial,sort,search"`
	Floor *int       `json:"floor" api:"filter=exact|range|exists,sort"`
	Since *time.Time `json:"since" api:"filter=range|exists,sort"`
	Note  string     `json:"note"`
	Fee   *decimal   `json:"fee" api:"filter=exact|range|exists,sort"`
}

// These are the values of items. There are few of each, so that many items have equal fields, and they are values that
// stores get wrong.
func (g *generator) item(id int64) *item {
	return &item{
		ID:     id,
		Name:   g.text(),
		Alias:  maybe(g, g.text),
		Level:  one(g, level("low"), "Low", "high", ""),
		Active: g.coin(),
		Known:  maybe(g, g.coin),
		Count:  one(g, int64(-5), 0, 7, 10, 1<<53+1, -1<<63, 1<<63-1),
		Rank:   maybe(g, func() int16 { return one(g, int16(-2), 0, 9, 10) }),
		Size:   one(g, uint32(0), 2, 10, 1<<32-1),
		Score:  maybe(g, func() float64 { return one(g, -1.5, 0, 0.1, 10, 9.5, 1e300) }),
		SeenAt: g.time(),
		LeftAt: maybe(g, g.time),
		Key:    g.uuid(),
		Ref:    maybe(g, g.uuid),
		Place:  g.place(),
		Home:   maybe(g, g.place),
		Price:  g.decimal(),
		Offer:  maybe(g, g.decimal),
	}
}

func (g *generator) place() place {
	return place{City: g.text(), Floor: maybe(g, func() int { return one(g, -1, 0, 2, 12) }), Since: maybe(g, g.time), Note: "x", Fee: maybe(g, g.decimal)}
}

func (g *generator) text() string {
	return one(g,
		"", "a", "A", "b", "ab", "Ab c", "abc", "z", "Z", "é", "É", "e\u0301", "ÉTÉ d'été", "Σίσυφος", "ΣΊΣΥΦΟΣ", "ſea", "sea", "\u212Aelvin", "kelvin",
		"straße", "STRASSE", "100%", "100", "a_b", "axb", `a\b`, "a*b?", "[ab]", "it's", `"q"`, "'; DROP TABLE item; --", "two words", "words two",
		"日本", "🏴‍☠️", " a", "a ", "10", "9", "-", "twowords",
	)
}

// part is a string to search: one that items have, or a part of it.
func (g *generator) part() string {
	text := []rune(g.text())
	if len(text) > 1 && g.coin() {
		from := g.IntN(len(text))
		return string(text[from : from+1+g.IntN(len(text)-from)])
	}
	return one(g, string(text), "%", "_", "É", "σ", "S", "k", "ss", `\`, "a", "t")
}

func (g *generator) time() time.Time {
	zone := time.FixedZone("", 2*60*60)
	return one(g,
		time.Date(2024, 2, 29, 23, 30, 0, 0, zone),               // the same instant
		time.Date(2024, 2, 29, 21, 30, 0, 0, time.UTC),           // as this one
		time.Date(2024, 2, 29, 22, 0, 0, 0, time.UTC),            // later, but earlier as text
		time.Date(2024, 2, 29, 21, 30, 0, 1000, time.UTC),        // a microsecond later
		time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC), // before 1970
		time.Date(1850, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	)
}

func (g *generator) uuid() uuid.UUID {
	return uuid.MustParse(one(g, "00000000-0000-4000-8000-000000000001", "f0000000-0000-4000-8000-000000000001", "0f000000-0000-4000-8000-000000000001"))
}

// decimal is a number of any size and scale. It is stored as written and sorted by value, as a [store.Ordered]. Its
// zero value is 0.
type decimal string

// MarshalText returns the number as it was written.
func (d decimal) MarshalText() ([]byte, error) { return []byte(cmp.Or(d, "0")), nil }

// UnmarshalText accepts a decimal number.
func (d *decimal) UnmarshalText(text []byte) error {
	if _, ok := new(big.Rat).SetString(string(text)); !ok {
		return errors.New("must be a decimal number")
	}
	if *d = decimal(text); *d == "0" {
		*d = ""
	}
	return nil
}

// OrderKey returns the key of the number.
func (d decimal) OrderKey() string { return store.NumberKey(string(cmp.Or(d, "0"))) }

// decimal returns a number. Their text order differs from their order, and some are equal.
func (g *generator) decimal() decimal {
	return one[decimal](g,
		"", "-0", "0.00", "1", "1.0", "1.00", "+1", "10", "9", "9.99", "100", "1e2", "-1", "-1.5", "-1.50", "-10", "-9", "0.1", "0.01", "-0.01", ".5", "1e-7",
		"123456789012345678901234567890.123456789", "123456789012345678901234567890.12345678901", "-123456789012345678901234567890", "9007199254740993", "9007199254740992",
	)
}

// generator generates records and queries. The same seed gives the same ones.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) *generator { return &generator{rand.New(rand.NewPCG(seed, 1))} }

func (g *generator) coin() bool { return g.IntN(2) == 0 }

func one[V any](g *generator, values ...V) V { return values[g.IntN(len(values))] }

// someOf returns some of the values, with one possible duplicate.
func someOf[V any](g *generator, values ...V) []V {
	list := make([]V, g.IntN(5))
	for i := range list {
		list[i] = one(g, values...)
	}
	return list
}

// maybe returns a value, or sometimes nil.
func maybe[V any](g *generator, some func() V) *V {
	if g.IntN(3) == 0 {
		return nil
	}
	return new(some())
}

// field is a field of records as queries name it.
type field struct {
	name     string
	sorted   bool // can be sorted by
	text     bool // supports Contains and the like
	ranged   bool // supports Less and the like
	nullable bool
}

func (f field) operators() []store.Operator {
	operators := []store.Operator{store.Equal, store.NotEqual}
	if f.ranged {
		operators = append(operators, store.Less, store.LessEqual, store.Greater, store.GreaterEqual)
	}
	if f.nullable {
		operators = append(operators, store.Exists)
	}
	if f.text {
		operators = append(operators, filter.Searching()...)
	}
	return operators
}

// fieldsOf returns the fields that queries can name, as the tags of the records say.
func fieldsOf(record *model.Struct) (all []field) {
	for _, path := range record.Paths() {
		leaf := path.Leaf()
		has := func(filter string) bool { return slices.Contains(leaf.Filters, filter) }
		if leaf.Filters != nil || record.Identifier().Has(path.Name) {
			isSorted := leaf.Type.Kind != model.Key && leaf.Type.Sortable()
			all = append(all, field{path.Name, isSorted, has("partial"), has("range"), has("exists")})
		}
	}
	return all
}

// items returns n records with the identifiers from 1.
func (g *generator) items(n int) []*item {
	all := make([]*item, n)
	for i := range all {
		all[i] = g.item(int64(i + 1))
	}
	return all
}

// query returns a query for some of the items.
func (g *generator) query(items *oracle) store.Query {
	query := store.Query{Order: g.order(items), Count: g.coin()}
	for range g.IntN(3) {
		query.Where = append(query.Where, g.condition(items))
	}
	if g.coin() {
		query.Offset = one(g, g.IntN(8), g.IntN(90), 1<<40)
	}
	if g.coin() {
		query.Limit = one(g, 1+g.IntN(8), 1000)
	}
	if g.IntN(3) == 0 {
		query.Order = append(query.Order, store.Order{Field: "id", Descending: g.coin()})
		query.After = items.position(one(g, items.records...), query.Order)
	}
	return query
}

// grouped returns a query with groups, and with a sort order that hides values. Both also lead through references.
func (g *generator) grouped(b *oracle) store.Query {
	query := store.Query{Count: g.coin()}
	for range g.IntN(3) {
		query.Where = append(query.Where, g.group(b, 2))
	}
	if g.coin() {
		query.Where = append(query.Where, g.condition(b))
	}
	for range g.IntN(4) {
		order := one(g, b.orders()...)
		order.Descending = g.coin()
		for range g.IntN(3) {
			order.NullUnless = append(order.NullUnless, g.nested(b, 1))
		}
		if query.Order = append(query.Order, order); order.Through == "" && b.record.Identifier().Has(order.Field) {
			break // a later field never counts, so its value need not be in the position
		}
	}
	if g.coin() {
		query.Offset, query.Limit = g.IntN(8), 1+g.IntN(20)
	}
	return query
}

// group returns a group, nested up to depth, of conditions on the records or on those that a reference leads to.
func (g *generator) group(b *oracle, depth int) store.Condition {
	group := store.Condition{Any: make([][]store.Condition, g.IntN(4)), Not: g.IntN(4) == 0}
	group.Through = one(g, append(slices.Sorted(maps.Keys(b.through)), "")...)
	if group.Through != "" {
		b = b.through[group.Through]
	}
	for i := range group.Any {
		for range g.IntN(3) {
			group.Any[i] = append(group.Any[i], g.nested(b, depth-1))
		}
	}
	if g.IntN(4) == 0 {
		group.Fields, group.Operator, group.Values = []string{"nothing"}, "resembles", []any{7} // only Any counts
	}
	return group
}

// nested returns a group, or a condition on a field.
func (g *generator) nested(b *oracle, depth int) store.Condition {
	if depth > 0 && g.IntN(3) == 0 {
		return g.group(b, depth)
	}
	condition := g.condition(b)
	condition.Not = g.IntN(4) == 0
	return condition
}

func (g *generator) order(b *oracle) []store.Order {
	var order []store.Order
	for range g.IntN(4) {
		field := one(g, b.fields...)
		if field.sorted && field.name != "id" && !slices.ContainsFunc(order, func(o store.Order) bool { return o.Field == field.name }) {
			order = append(order, store.Order{Field: field.name, Descending: g.coin()})
		}
	}
	return order
}

// condition compares a field with values that some items have.
func (g *generator) condition(items *oracle) store.Condition {
	f := one(g, items.fields...)
	return g.comparison(f, one(g, f.operators()...), items)
}

// comparison is a condition with an operator on a field.
func (g *generator) comparison(f field, operator store.Operator, items *oracle) store.Condition {
	condition := store.Condition{Fields: []string{f.name}, Operator: operator}
	switch {
	case operator == store.Exists:
		condition.Values = []any{g.coin()}
	case operator == store.Equal, operator == store.NotEqual:
		for range 1 + g.IntN(3) {
			condition.Values = append(condition.Values, g.value(f, items))
		}
	case filter.Searches(operator):
		for range 1 + g.IntN(3) {
			condition.Values = append(condition.Values, g.part())
		}
		if g.coin() {
			condition.Fields = []string{"name", "alias", "place.city", "home.city"}
		}
	default:
		condition.Values = []any{g.value(f, items)}
	}
	return condition
}

// value returns a value of the field that some item has, itself or in a list.
func (g *generator) value(f field, items *oracle) any {
	for {
		value := items.value(one(g, items.records...), f.name)
		if list, ok := value.([]any); ok {
			value = one(g, append(list, nil)...)
		}
		if value != nil {
			return value
		}
	}
}
