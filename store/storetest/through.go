package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/trove-api/trove/store"
)

// Mention is what a store under [RunThrough] keeps beside one of [Item]: it may refer to an item,
// and to another mention.
type Mention struct {
	ID       int64  `json:"id" api:"id"`
	Label    string `json:"label" api:"filter,sort"`
	Item     *int64 `json:"item" api:"ref=Item,filter=exact|exists"`
	Previous *int64 `json:"previous" api:"ref=Mention,filter"`
}

// RunThrough tests what stores answer to a [store.Query] by what records refer to, as [Run] does:
// those of the tables of one database, or of one API in memory. Each case calls open for two new
// and empty ones, of which the first knows that its references are to records of the second, and
// to its own.
func RunThrough(t *testing.T, open func(t *testing.T) (store.Store[Mention], store.Store[Item])) {
	t.Helper()
	for _, rule := range throughRules() {
		t.Run(rule.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("the rule: %s", rule.reason)
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			mentions, items := open(t)
			rule.check(&throughTrial{reporter: t, ctx: ctx, mentions: mentions, items: items})
		})
	}
}

// throughRule is one case, as [rule] is.
type throughRule struct {
	name   string
	reason string
	check  func(*throughTrial)
}

// throughTrial is the test of one rule on two stores.
type throughTrial struct {
	reporter

	ctx      context.Context //nolint:containedctx // as that of a trial
	mentions store.Store[Mention]
	items    store.Store[Item]
	book     book
}

// through returns a condition that one of some lists holds of what a field refers to.
func through(field string, lists ...[]store.Condition) []store.Condition {
	return []store.Condition{{Through: field, Any: lists}}
}

func throughRules() []throughRule {
	return append(throughConditionRules(), throughOrderRules()...)
}

func throughConditionRules() []throughRule {
	active, low, named := on("active", store.Equal, true), on("level", store.Equal, Level("low")), on("name", store.Equal, "a", "b", "")
	noRank, labelled := on("rank", store.Exists, false), on("label", store.Equal, "one")
	return []throughRule{
		{
			"a condition through a reference is about the record that it is to",
			"A record is found by what it refers to, once, whatever finds that. One that refers to nothing is not.",
			asksThrough(
				store.Query{Where: through("item", named)}, store.Query{Where: through("item", active)}, store.Query{Where: through("item", both(active, low))},
				store.Query{Where: through("item", noRank)}, store.Query{Where: through("item", on("rank", store.NotEqual, int16(0)))},
				store.Query{Where: through("item", on("id", store.Equal, int64(3)))}, store.Query{Where: through("item", on("name", store.Contains, "a"))},
				store.Query{Where: through("item", on("home.city", store.HasPrefix, "a"))}, store.Query{Where: through("item", on("count", store.Less, int64(7)))},
				store.Query{Where: through("item", named), Order: []store.Order{{Field: "label", Descending: true}}, Limit: 5, Offset: 2},
				store.Query{Where: both(through("item", active), labelled)}, store.Query{Where: both(through("item", active), through("item", low))},
			),
		},
		{
			"the lists of a condition through a reference are alternatives",
			"As those of any group: none holds for nothing, and an empty one for whatever there is.",
			asksThrough(
				store.Query{Where: through("item", active, low)}, store.Query{Where: through("item", named, noRank)}, store.Query{Where: through("item")},
				store.Query{Where: through("item", nil)}, store.Query{Where: through("item", nil, active)}, store.Query{Where: []store.Condition{{Through: "item"}}},
				store.Query{Where: through("item", both(group(named, low).Where, active))}, store.Query{Where: through("item", group().Where)},
				store.Query{Where: group(through("item", named), labelled).Where}, store.Query{Where: group(both(through("item", active), labelled), through("item", low)).Where},
			),
		},
		{
			"a store may refer to its own records",
			"The names of both are the same, and mean each its own.",
			asksThrough(
				store.Query{Where: through("previous", labelled)}, store.Query{Where: both(through("previous", labelled), labelled)},
				store.Query{Where: through("previous", through("previous", labelled))}, store.Query{Where: through("previous", through("item", active))},
				store.Query{Order: []store.Order{{Field: "label", Through: "previous"}}}, store.Query{Order: []store.Order{{Field: "id", Through: "previous", Descending: true}}},
			),
		},
	}
}

func throughOrderRules() []throughRule {
	active, low, labelled := on("active", store.Equal, true), on("level", store.Equal, Level("low")), on("label", store.Equal, "one")
	return []throughRule{
		{
			"an order through a reference is by a field of the record that it is to",
			"Null comes first, and so does what refers to nothing.",
			asksThrough(
				store.Query{Order: []store.Order{{Field: "name", Through: "item"}}}, store.Query{Order: []store.Order{{Field: "rank", Through: "item", Descending: true}}},
				store.Query{Order: []store.Order{{Field: "home.floor", Through: "item"}}, Offset: 3, Limit: 20}, store.Query{Order: []store.Order{{Field: "id", Through: "item"}}},
				store.Query{Order: []store.Order{{Field: "active", Through: "item", Descending: true}, {Field: "label"}}, Where: labelled},
				store.Query{Order: []store.Order{{Field: "label"}, {Field: "seenAt", Through: "item"}, {Field: "key", Through: "item", Descending: true}}},
			),
		},
		{
			"an order through a reference hides what the caller may not see",
			"It counts as null where the record, or the one that it refers to, does not fulfil the conditions.",
			asksThrough(
				store.Query{Order: []store.Order{{Field: "name", Through: "item", NullUnless: through("item", active)}}},
				store.Query{Order: []store.Order{{Field: "name", Through: "item", NullUnless: labelled, Descending: true}}},
				store.Query{Order: []store.Order{{Field: "name", Through: "item", NullUnless: both(labelled, through("item", active, low))}, {Field: "label"}}},
				store.Query{Order: []store.Order{{Field: "name", Through: "item", NullUnless: through("item")}}}, store.Query{Order: []store.Order{{Field: "label", NullUnless: through("item", active)}}},
				store.Query{Order: []store.Order{{Field: "count", Through: "item", NullUnless: through("previous", labelled)}, {Field: "label", Through: "previous", NullUnless: through("previous", through("item", active))}}},
			),
		},
		{
			"random queries through references are answered as by the book, on every page",
			"Where a page ends the store says what the record itself does not tell.",
			randomThrough,
		},
		{
			"a store says which references it goes through",
			"To any other store than the one that has the records it could only guess.",
			saysThrough,
		},
		{
			"mistakes in what goes through references are errors",
			"They are not answered with everything, nor by a panic.",
			mistakesThrough,
		},
	}
}

// asksThrough makes the check of a rule that is a list of queries over the same records.
func asksThrough(queries ...store.Query) func(*throughTrial) {
	return func(c *throughTrial) {
		c.fill(60, 90)
		for _, query := range queries {
			query.Count = true
			if !c.answers(query) {
				return
			}
		}
	}
}

// fill inserts items, and mentions of them.
func (c *throughTrial) fill(items, mentions int) {
	random := newGenerator(23)
	c.book.items = random.items(items)
	for i := range mentions {
		made := &Mention{ID: int64(i + 1), Label: one(random, "one", "two", "three", "")}
		made.Item = maybe(random, func() int64 { return int64(1 + random.IntN(items)) })
		if i > 0 {
			made.Previous = maybe(random, func() int64 { return int64(1 + random.IntN(i)) })
		}
		c.book.mentions = append(c.book.mentions, made)
	}
	insertAll(c, c.items, c.book.items)
	insertAll(c, c.mentions, c.book.mentions)
}

func insertAll[R any](c *throughTrial, into store.Store[R], records []*R) {
	err := into.Transact(c.ctx, func(ctx context.Context, tx store.Tx[R]) error {
		for _, record := range records {
			if err := tx.Insert(ctx, record); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		c.Fatalf("inserting records: %v", err)
	}
}

// answers checks the answer to a query against that of the book.
func (c *throughTrial) answers(query store.Query) bool {
	if checker, ok := c.mentions.(store.QueryChecker); ok {
		if err := checker.CheckQuery(query); err != nil {
			c.Errorf("CheckQuery of %+v: %v", query, err)
			return false
		}
	}
	want := c.book.answer(query)
	got, err := c.mentions.List(c.ctx, query)
	if err != nil {
		c.Errorf("List of %+v: %v", query, err)
		return false
	}
	if !slices.EqualFunc(want.Items, got.Items, func(a, b *Mention) bool { return a.ID == b.ID && a.Label == b.Label }) || got.Total != want.Total {
		c.Errorf("List of %+v: has %v of %d, want %v of %d", query, idsOf(got.Items), got.Total, idsOf(want.Items), want.Total)
		return false
	}
	if !slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.Through != "" }) {
		return true
	}
	same := func(a, b any) bool { return compareValues(a, b) == 0 }
	if !slices.EqualFunc(want.Positions, got.Positions, func(a, b []any) bool { return slices.EqualFunc(a, b, same) }) {
		c.Errorf("List of %+v: the positions are\n%v, want\n%v", query, got.Positions, want.Positions)
		return false
	}
	return true
}

func idsOf(mentions []*Mention) []int64 {
	all := make([]int64, len(mentions))
	for i, mention := range mentions {
		all[i] = mention.ID
	}
	return all
}

// randomThrough asks for all pages of random queries, each from where the one before ended.
func randomThrough(c *throughTrial) {
	c.fill(40, 60)
	random := newGenerator(29)
	for range trials(150) {
		query := random.throughQuery(&c.book)
		if !c.answers(query) {
			return
		}
		query.Order = append(query.Order, store.Order{Field: "id", Descending: random.coin()})
		query.Offset, query.Limit = 0, 5+random.IntN(15)
		for more := true; more; {
			if !c.answers(query) {
				return
			}
			page := c.book.answer(query)
			if more = len(page.Items) == query.Limit; more {
				query.After = page.Positions[len(page.Items)-1]
			}
		}
	}
}

func saysThrough(c *throughTrial) {
	says, ok := c.mentions.(store.Joiner)
	if !ok || !knowsGroups(c.mentions) {
		c.Fatalf("the store has no method Through(field string, other any) error, or does not say by Groups that it answers groups")
	}
	for field, of := range map[string]any{"item": c.items, "previous": c.mentions} {
		if err := says.Through(field, of); err != nil {
			c.Errorf("%s: %v", field, err)
		}
	}
	within := struct{ store.Store[Item] }{c.items}
	for _, wrong := range []struct {
		field string
		of    any
	}{{"item", c.mentions}, {"previous", c.items}, {"label", c.items}, {"nothing", c.items}, {"item", nil}, {"item", within}, {"item", &within}} {
		if says.Through(wrong.field, wrong.of) == nil {
			c.Errorf("it says that it goes through %s to a %T", wrong.field, wrong.of)
		}
	}
}

func mistakesThrough(c *throughTrial) {
	c.fill(3, 3)
	for name, mistake := range map[string][]store.Condition{
		"an unknown reference":        through("nothing", nil),
		"a field that is none":        through("label", nil),
		"a field of the wrong record": through("item", on("label", store.Equal, "one")),
		"a foreign type":              through("item", on("count", store.Equal, "7")),
		"no value":                    through("item", on("count", store.Equal)),
		"an unknown operator":         through("item", on("count", "resembles", int64(7))),
	} {
		for _, query := range []store.Query{{Where: mistake}, group(mistake), {Where: through("previous", mistake)}, {Order: []store.Order{{Field: "label", NullUnless: mistake}}}} {
			if page, err := c.mentions.List(c.ctx, query); err == nil {
				c.Errorf("%s in %+v: no error, and %d mentions", name, query, len(page.Items))
			}
		}
	}
	for _, order := range []store.Order{{Field: "nothing", Through: "item"}, {Field: "label", Through: "item"}, {Field: "name", Through: "label"}, {Field: "name", Through: "nothing"}} {
		if page, err := c.mentions.List(c.ctx, store.Query{Order: []store.Order{order}}); err == nil {
			c.Errorf("the order %+v: no error, and %d mentions", order, len(page.Items))
		}
	}
}
