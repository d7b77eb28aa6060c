package storetest

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// Bundle is what a store under [RunLists] keeps: lists of references, and other lists that queries
// look into, of which one is in an object.
type Bundle struct {
	ID     int64       `json:"id" api:"id"`
	Name   string      `json:"name" api:"sort"`
	Keys   []string    `json:"keys" validate:"max=100" api:"ref=Keyed,filter"`
	Tokens []uuid.UUID `json:"tokens" validate:"max=100" api:"ref=Token,filter,ondelete=null"`
	Labels []string    `json:"labels" api:"filter=contains"`
	Counts []int64     `json:"counts" api:"filter=contains"`
	Inside Pouch       `json:"inside"`
}

// Pouch is the struct within a [Bundle].
type Pouch struct {
	Labels []uuid.UUID `json:"labels" api:"filter=contains"`
}

// RunLists tests stores of records that have lists, as [Run] does: that they keep them, and answer
// which lists have a value. Each case calls open for three new and empty ones, which share their
// transactions; the lists of the first refer to records of the others.
func RunLists(t *testing.T, open func(t *testing.T) (store.Store[Bundle], store.Store[Keyed], store.Store[Token])) {
	t.Helper()
	for _, rule := range append(listRules(), listThroughRules()...) {
		t.Run(rule.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("the rule: %s", rule.reason)
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			bundles, keys, tokens := open(t)
			rule.check(&listTrial{t, ctx, bundles, keys, tokens})
		})
	}
}

// listRule is one case, as [rule] is.
type listRule struct {
	name   string
	reason string
	check  func(*listTrial)
}

// listTrial is the test of one rule on stores of which the first has lists.
type listTrial struct {
	reporter

	ctx     context.Context //nolint:containedctx // as that of a trial
	bundles store.Store[Bundle]
	keys    store.Store[Keyed]
	tokens  store.Store[Token]
}

func listRules() []listRule {
	return []listRule{
		{
			"a list is kept in its order, with what is in it twice",
			"It is a list and no set. Get, List, GetMany and the Get of a transaction answer alike.",
			func(c *listTrial) { c.hold(c.fill(12)) },
		},
		{
			"a list that changes is saved with its record, or not at all",
			"Nothing is half saved, and what does not change stays.",
			changesLists,
		},
		{
			"a list without elements is empty",
			"It was nil or empty before; nobody can tell from JSON.",
			func(c *listTrial) {
				c.insert(&Bundle{Name: "nil"}, &Bundle{Keys: []string{}, Tokens: []uuid.UUID{}, Labels: []string{}, Counts: []int64{}})
				c.hold([]*Bundle{{ID: 1, Name: "nil"}, {ID: 2}})
			},
		},
		{
			"a list that is not asked for need not be read, and one that is, is",
			"Members that nobody reads are not to cost anything.",
			readsWhatIsAskedFor,
		},
		{
			"equal holds for lists that have one of the values in them",
			"Each record is found and counted once, however often it has one, whatever the window and the order.",
			func(c *listTrial) {
				bundles := c.fill(60)
				for _, query := range listQueries() {
					c.answers(bundles, query)
				}
			},
		},
		{
			"random queries of lists are answered as by the book",
			"What holds for each part of a query holds for all together.",
			randomLists,
		},
		{
			"mistakes in queries of lists are errors",
			"They are not answered with everything, nor by a panic.",
			mistakesInLists,
		},
	}
}

// names and ids are of the records that lists refer to.
func names() []string { return []string{"a", "A", "é", `say "no"`, "[1]", "1"} }

func tokenIDs() []uuid.UUID {
	return []uuid.UUID{uuid.MustParse("00000000-0000-4000-8000-000000000001"), uuid.MustParse("f0000000-0000-4000-8000-00000000000a")}
}

// fill inserts what lists refer to, and bundles.
func (c *listTrial) fill(n int) []*Bundle {
	c.Helper()
	c.targets()
	random := newGenerator(3)
	bundles := make([]*Bundle, n)
	for i := range bundles {
		bundles[i] = &Bundle{
			ID: int64(i + 1), Name: one(random, "a", "b", "c"),
			Keys: several(random, names()...), Tokens: several(random, tokenIDs()...),
			Labels: several(random, "red", "Red", "", `"`, "ü", "1", "a\\b"), Counts: several(random, 0, 1, -7, int64(1<<53+1), -1<<63, 1<<63-1),
			Inside: Pouch{several(random, tokenIDs()...)},
		}
	}
	c.insert(bundles...)
	return bundles
}

func (c *listTrial) targets() {
	c.Helper()
	for _, name := range names() {
		if err := c.keys.Transact(c.ctx, inserting(keyed(name, 1))); err != nil {
			c.Fatalf("Insert: %v", err)
		}
	}
	for _, id := range tokenIDs() {
		if err := c.tokens.Transact(c.ctx, inserting(&Token{ID: id})); err != nil {
			c.Fatalf("Insert: %v", err)
		}
	}
}

// several returns some of the values, one of them maybe twice.
func several[V any](g *generator, values ...V) []V {
	list := make([]V, g.IntN(5))
	for i := range list {
		list[i] = one(g, values...)
	}
	return list
}

func (c *listTrial) insert(bundles ...*Bundle) {
	c.Helper()
	for _, bundle := range bundles {
		if err := c.bundles.Transact(c.ctx, inserting(new(*bundle))); err != nil {
			c.Fatalf("Insert: %v", err)
		}
	}
}

// hold checks that the store has these bundles, in the order of their identifiers.
func (c *listTrial) hold(want []*Bundle) {
	c.Helper()
	holdAlike(&trial[Bundle]{reporter: c.reporter, ctx: c.ctx, store: c.bundles}, want, func(b *Bundle) any { return b.ID }, c.same)
}

// same compares bundles; an empty list and nil are one.
func (c *listTrial) same(call string, want, got []*Bundle) {
	c.Helper()
	alike := func(a, b *Bundle) bool {
		return a != nil && b != nil && a.ID == b.ID && a.Name == b.Name && slices.Equal(a.Keys, b.Keys) && slices.Equal(a.Tokens, b.Tokens) &&
			slices.Equal(a.Labels, b.Labels) && slices.Equal(a.Counts, b.Counts) && slices.Equal(a.Inside.Labels, b.Inside.Labels)
	}
	if !slices.EqualFunc(want, got, alike) {
		c.Errorf("%s returned %d bundles that differ from the %d saved", call, len(got), len(want))
		for i := range min(len(want), len(got)) {
			if !alike(want[i], got[i]) {
				c.Errorf("the first is %+v, want %+v", got[i], want[i])
				return
			}
		}
	}
}

func changesLists(c *listTrial) {
	bundles := c.fill(4)
	change := func(b *Bundle) {
		b.Keys, b.Tokens, b.Labels = append(slices.Clone(b.Keys), "a", "A", "a"), nil, []string{"new"}
	}
	err := c.bundles.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Bundle]) error {
		if err := updating(int64(2), change)(ctx, tx); err != nil {
			return err
		}
		return errRefused
	})
	if err == nil {
		c.Errorf("a transaction that fails ends without an error")
	}
	c.hold(bundles)
	for _, change := range []func(*Bundle){change, func(b *Bundle) { b.Name = "renamed" }, func(b *Bundle) { slices.Reverse(b.Keys) }, func(b *Bundle) { b.Keys = nil }} {
		if err := c.bundles.Transact(c.ctx, updating(int64(2), change)); err != nil {
			c.Fatalf("Update: %v", err)
		}
		changed := *bundles[1]
		changed.Keys = slices.Clone(changed.Keys)
		change(&changed)
		bundles[1] = &changed
		c.hold(bundles)
	}
	unread := *bundles[2]
	unread.Keys = []string{"1", "é"}
	err = c.bundles.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Bundle]) error { return tx.Update(ctx, unread.ID, new(unread)) })
	if err != nil {
		c.Fatalf("Update of what was not read: %v", err)
	}
	bundles[2] = &unread
	c.hold(bundles)
	err = c.bundles.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Bundle]) error { return tx.Delete(ctx, int64(1)) })
	if err != nil {
		c.Fatalf("Delete: %v", err)
	}
	c.hold(bundles[1:])
}

func readsWhatIsAskedFor(c *listTrial) {
	want := c.fill(5)
	for _, fields := range [][]string{{"keys"}, {"tokens", "name"}, {"labels"}, {"inside.labels"}} {
		page, err := c.bundles.List(c.ctx, store.Query{Fields: fields})
		if err != nil || len(page.Items) != len(want) {
			c.Fatalf("List of %v: %d items, %v", fields, len(page.Items), err)
		}
		for i, got := range page.Items {
			for _, name := range fields {
				if a, b := elementsOf(want[i], name), elementsOf(got, name); !slices.Equal(a, b) {
					c.Errorf("List of %v: %s is %v, want %v", fields, name, b, a)
				}
			}
		}
	}
}

// elementsOf returns the elements of a field, of one that is no list the value.
func elementsOf(b *Bundle, name string) []any {
	var list any
	switch name {
	case "name":
		return []any{b.Name}
	case "keys":
		list = b.Keys
	case "tokens":
		list = b.Tokens
	case "labels":
		list = b.Labels
	case "counts":
		list = b.Counts
	case "inside.labels":
		list = b.Inside.Labels
	}
	v := reflect.ValueOf(list)
	elements := make([]any, v.Len())
	for i := range elements {
		elements[i] = v.Index(i).Interface()
	}
	return elements
}

// answers checks the answer to a query against that of the oracle. Its total is asked for, too.
func (c *listTrial) answers(bundles []*Bundle, query store.Query) {
	c.Helper()
	if c.refuses(query) {
		return
	}
	query.Count = true
	want, total := bookOfLists(bundles, query)
	got, err := c.bundles.List(c.ctx, query)
	if err != nil {
		c.Errorf("List of %+v: %v", query, err)
		return
	}
	if got.Total != total {
		c.Errorf("List of %+v: Total is %d, want %d", query, got.Total, total)
	}
	c.same("List", want, got.Items)
}

// refuses reports whether the store cannot answer a query, and says so.
func (c *listTrial) refuses(query store.Query) bool {
	if slices.ContainsFunc(query.Where, func(c store.Condition) bool { return c.Any != nil }) && !knowsGroups(c.bundles) {
		return true
	}
	checker, ok := c.bundles.(store.QueryChecker)
	return ok && checker.CheckQuery(store.Query{Where: withoutValues(query.Where), Order: query.Order}) != nil
}

func randomLists(c *listTrial) {
	bundles := c.fill(60)
	random := newGenerator(11)
	fields := []string{"keys", "tokens", "labels", "counts", "inside.labels", "name"}
	condition := func() store.Condition {
		made := store.Condition{Fields: []string{one(random, fields...)}, Operator: one(random, store.Equal, store.Equal, store.NotEqual)}
		for len(made.Values) == 0 {
			for range 1 + random.IntN(3) {
				made.Values = append(made.Values, elementsOf(one(random, bundles...), made.Fields[0])...)
			}
		}
		return made
	}
	for range trials(200) {
		query := store.Query{Offset: random.IntN(3), Limit: random.IntN(20)}
		for range 1 + random.IntN(2) {
			query.Where = append(query.Where, condition())
		}
		if random.coin() {
			query.Where = append(query.Where, store.Condition{Any: [][]store.Condition{{condition()}, {condition(), condition()}}})
		}
		if random.coin() {
			query.Order = []store.Order{{Field: "name", Descending: random.coin()}}
		}
		c.answers(bundles, query)
	}
}

func mistakesInLists(c *listTrial) {
	c.fill(3)
	for name, query := range map[string]store.Query{
		"a list for a value":      where("labels", store.Equal, []string{"red"}),
		"a foreign type":          where("counts", store.Equal, "1"),
		"a foreign key":           where("keys", store.Equal, int64(1)),
		"no value":                where("keys", store.Equal),
		"an order of lists":       {Order: []store.Order{{Field: "labels"}}},
		"a comparison":            where("counts", store.Less, int64(1)),
		"an unknown operator":     where("counts", "resembles", int64(1)),
		"a part of a list's text": where("labels", store.Contains, "r"),
	} {
		if page, err := c.bundles.List(c.ctx, query); err == nil {
			c.Errorf("%s in %+v: no error, and %d items", name, query, len(page.Items))
		}
	}
}
