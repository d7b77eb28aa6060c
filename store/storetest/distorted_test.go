package storetest_test

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// distorted is a correct store whose queries or results are changed.
type distorted struct {
	store.Store[storetest.Item]
	query func(*store.Query)
	page  func(store.Query, *store.Page[storetest.Item])
	rows  func(*store.Aggregated)

	readsUnlocked bool // transactions read saved records, and write what they have to at the end
}

// Transact runs a transaction. Its writes are saved at the end if it locks nothing that it reads.
func (d distorted) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Item]) error) error {
	if !d.readsUnlocked {
		return d.Store.Transact(ctx, fn)
	}
	late := &lateTx{in: d.Store}
	if err := fn(ctx, late); err != nil {
		return err
	}
	time.Sleep(10 * time.Millisecond) // others read in the meantime
	return d.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[storetest.Item]) error {
		for _, write := range late.writes {
			if err := write(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// lateTx is a transaction that locks nothing.
type lateTx struct {
	store.Tx[storetest.Item]

	in     store.Store[storetest.Item]
	writes []func(context.Context, store.Tx[storetest.Item]) error
}

func (t *lateTx) Get(ctx context.Context, id any) (*storetest.Item, error) {
	record, err := t.in.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	copied := *record
	copied.Rank = new(*record.Rank)
	return &copied, nil
}

func (t *lateTx) Insert(_ context.Context, record *storetest.Item) error {
	t.writes = append(t.writes, func(ctx context.Context, tx store.Tx[storetest.Item]) error { return tx.Insert(ctx, record) })
	return nil
}

func (t *lateTx) Update(_ context.Context, id any, record *storetest.Item) error {
	t.writes = append(t.writes, func(ctx context.Context, tx store.Tx[storetest.Item]) error { return tx.Update(ctx, id, record) })
	return nil
}

func (distorted) Aggregates() bool { return true }

func (d distorted) Aggregate(ctx context.Context, a store.Aggregation) (store.Aggregated, error) {
	if d.query != nil {
		query := store.Query{Where: slices.Clone(a.Where)}
		for i := range a.Terms {
			query.Order = append(query.Order, a.Terms[i].Value)
		}
		d.query(&query)
		a.Where, a.Terms = query.Where, slices.Clone(a.Terms)
		for i := range a.Terms {
			a.Terms[i].Value = query.Order[i]
		}
	}
	found, err := d.Store.(store.Aggregator).Aggregate(ctx, a)
	if d.rows != nil {
		d.rows(&found)
	}
	return found, err
}

// Groups returns true, as the correct store does.
func (distorted) Groups() bool { return true }

func (d distorted) List(ctx context.Context, query store.Query) (store.Page[storetest.Item], error) {
	asked := query
	if d.query != nil {
		query.Where, query.Order = slices.Clone(query.Where), slices.Clone(query.Order)
		for i := range query.Where {
			query.Where[i].Values = slices.Clone(query.Where[i].Values)
		}
		d.query(&query)
	}
	page, err := d.Store.List(ctx, query)
	page.Items = slices.Clone(page.Items)
	if d.page != nil && err == nil {
		d.page(asked, &page)
	}
	return page, err
}

// conditions changes each condition of a query.
func conditions(change func(*store.Condition)) func(*store.Query) {
	return func(query *store.Query) {
		for i := range query.Where {
			change(&query.Where[i])
		}
	}
}

// hideBy changes NullUnless of each sort field.
func hideBy(change func(i int, unless []store.Condition) []store.Condition) func(*store.Query) {
	return func(query *store.Query) {
		for i := range query.Order {
			query.Order[i].NullUnless = change(i, query.Order[i].NullUnless)
		}
	}
}

// drop removes items from the result.
func drop(operator store.Operator, unfit func(*storetest.Item, store.Condition) bool) func(store.Query, *store.Page[storetest.Item]) {
	return func(query store.Query, page *store.Page[storetest.Item]) {
		for _, condition := range query.Where {
			if condition.Operator == operator {
				page.Items = slices.DeleteFunc(page.Items, func(i *storetest.Item) bool { return unfit(i, condition) })
			}
		}
	}
}

// resort sorts the result differently.
func resort(field string, compare func(a, b *storetest.Item) int) func(store.Query, *store.Page[storetest.Item]) {
	return func(query store.Query, page *store.Page[storetest.Item]) {
		if len(query.Order) > 0 && query.Order[0].Field == field && !query.Order[0].Descending {
			slices.SortStableFunc(page.Items, compare)
		}
	}
}

const (
	finds         = "each operator finds the same items as the reference implementation, in each field"
	ordersFields  = "items are sorted by each field, in both directions"
	matchesRandom = "random queries match the reference implementation, on every page"
	countsUpTo    = "a total is exact up to CountUpTo"
	randomGroups  = "random groups, and sort orders with NullUnless, match the reference implementation on every page"
	aggregates    = "random aggregations match the reference implementation"
)

// distortions are faults with the rules that each breaks.
func distortions() map[string]struct {
	distorted
	rules []string
} {
	type fault = struct {
		distorted
		rules []string
	}
	faults := map[string]fault{
		"conditions are not read": {distorted{query: func(q *store.Query) { q.Where = nil }}, []string{
			finds, matchesRandom,
		}},
		"equal folds case": {distorted{query: conditions(func(c *store.Condition) {
			if c.Operator == store.Equal && c.Fields[0] == "name" {
				c.Operator = store.EqualFold
			}
		})}, []string{finds}},
		"keys are compared as text": {distorted{page: drop(store.Equal, func(i *storetest.Item, c store.Condition) bool {
			return c.Fields[0] == "price" && i.Price != c.Values[0]
		})}, []string{finds}},
		"the first of several values counts": {
			distorted{query: conditions(func(c *store.Condition) { c.Values = c.Values[:min(1, len(c.Values))] })},
			[]string{finds, "a condition may have many values"},
		},
		"not equal leaves out null": {distorted{page: drop(store.NotEqual, func(i *storetest.Item, c store.Condition) bool {
			return c.Fields[0] == "rank" && i.Rank == nil
		})}, []string{finds}},
		"less is less or equal": {distorted{query: conditions(func(c *store.Condition) {
			if c.Operator == store.Less {
				c.Operator = store.LessEqual
			}
		})}, []string{finds}},
		"times are cut to milliseconds": {distorted{query: conditions(func(c *store.Condition) {
			if at, ok := firstOf(c).(time.Time); ok {
				c.Values[0] = at.Truncate(time.Millisecond)
			}
		})}, []string{finds}},
		"the last condition counts": {
			distorted{query: func(q *store.Query) { q.Where = q.Where[max(0, len(q.Where)-1):] }},
			[]string{"a query may have many conditions", matchesRandom},
		},
		"the first field of a condition counts": {
			distorted{query: conditions(func(c *store.Condition) { c.Fields = c.Fields[:1] })},
			[]string{matchesRandom},
		},
		"nulls are last": {distorted{page: resort("rank", func(a, b *storetest.Item) int {
			return cmp.Compare(boolean(a.Rank == nil), boolean(b.Rank == nil))
		})}, []string{ordersFields}},
		"times are ordered as texts": {distorted{page: resort("seenAt", func(a, b *storetest.Item) int {
			return strings.Compare(a.SeenAt.Format(time.RFC3339Nano), b.SeenAt.Format(time.RFC3339Nano))
		})}, []string{ordersFields}},
		"texts are ordered without case": {distorted{page: resort("name", func(a, b *storetest.Item) int {
			return strings.Compare(store.Fold(a.Name), store.Fold(b.Name))
		})}, []string{ordersFields}},
		"equal ones are in the order of insertion, turned around": {distorted{query: func(q *store.Query) {
			if len(q.Order) == 1 && q.Order[0].Field == "active" {
				q.Order = append(q.Order, store.Order{Field: "id", Descending: true})
			}
		}}, []string{ordersFields}},
		"the second field of an order is not read": {distorted{query: func(q *store.Query) {
			if q.After == nil && len(q.Order) > 1 {
				q.Order = q.Order[:1]
			}
		}}, []string{matchesRandom}},
		"the offset is not read":        {distorted{query: func(q *store.Query) { q.Offset = 0 }}, []string{matchesRandom}},
		"the limit is not read":         {distorted{query: func(q *store.Query) { q.Limit = 0 }}, []string{matchesRandom}},
		"an offset needs a limit":       {distorted{query: func(q *store.Query) { q.Offset *= boolean(q.Limit > 0) }}, []string{matchesRandom}},
		"the total is that of the page": {distorted{page: func(_ store.Query, p *store.Page[storetest.Item]) { p.Total = len(p.Items) }}, []string{matchesRandom}},
		"the total ends at the bound": {distorted{page: func(q store.Query, p *store.Page[storetest.Item]) {
			if q.CountUpTo > 0 {
				p.Total = min(p.Total, q.CountUpTo)
			}
		}}, []string{countsUpTo}},
		"a total at the bound is one less": {distorted{page: func(q store.Query, p *store.Page[storetest.Item]) {
			if q.CountUpTo > 0 {
				p.Total = min(p.Total, q.CountUpTo-1)
			}
		}}, []string{countsUpTo}},
		"the position is not read": {distorted{query: func(q *store.Query) { q.After = nil }}, []string{matchesRandom}},
		"the position itself is kept": {distorted{page: func(q store.Query, p *store.Page[storetest.Item]) {
			if q.After != nil && len(p.Items) > 0 {
				p.Items = append(p.Items[:1:1], p.Items...)
			}
		}}, []string{matchesRandom}},
		"fields that are asked for are left out": {distorted{page: func(_ store.Query, p *store.Page[storetest.Item]) {
			for i, item := range p.Items {
				cut := *item
				cut.Home = nil
				p.Items[i] = &cut
			}
		}}, []string{"the requested fields and the identifier are set"}},
	}
	faults["groups are not read"] = fault{distorted{query: func(q *store.Query) {
		q.Where = slices.DeleteFunc(q.Where, func(c store.Condition) bool { return c.Any != nil })
	}}, []string{"a group may have many lists", "an invalid query is an error", randomGroups}}
	faults["conditions are not reversed"] = fault{distorted{query: conditions(func(c *store.Condition) { c.Not = false })}, []string{randomGroups}}
	faults["the first list of a group counts"] = fault{distorted{query: conditions(func(c *store.Condition) {
		c.Any = c.Any[:min(1, len(c.Any))]
	})}, []string{"a group may have many lists", randomGroups}}
	faults["of each list of a group the first condition counts"] = fault{distorted{query: conditions(func(c *store.Condition) {
		c.Any = slices.Clone(c.Any)
		for i, list := range c.Any {
			c.Any[i] = list[:min(1, len(list))]
		}
	})}, []string{"a group may have many lists", randomGroups}}
	faults["a group without a list is none"] = fault{distorted{query: conditions(func(c *store.Condition) {
		if len(c.Any) == 0 && c.Fields == nil {
			*c = store.Condition{Any: [][]store.Condition{nil}}
		}
	})}, []string{randomGroups}}
	faults["an empty list is left out"] = fault{distorted{query: conditions(func(c *store.Condition) {
		c.Any = slices.DeleteFunc(slices.Clone(c.Any), func(list []store.Condition) bool { return len(list) == 0 })
	})}, []string{randomGroups}}
	faults["a group with fields is a condition"] = fault{distorted{query: conditions(func(c *store.Condition) {
		if c.Fields != nil {
			c.Any = nil
		}
	})}, []string{randomGroups}}
	faults["who fulfils two lists is there twice"] = fault{distorted{page: func(q store.Query, p *store.Page[storetest.Item]) {
		if len(q.Where) == 1 && len(q.Where[0].Any) > 1 && len(p.Items) > 0 {
			p.Items, p.Total = slices.Insert(p.Items, 0, p.Items[0]), p.Total+1
		}
	}}, []string{randomGroups}}
	faults["the total of groups is that of the page"] = fault{distorted{rows: func(a *store.Aggregated) { a.Total = len(a.Rows) }}, []string{aggregates}}
	faults["groups are in the opposite order"] = fault{distorted{rows: func(a *store.Aggregated) { slices.Reverse(a.Rows) }}, []string{aggregates}}
	faults["a transaction locks nothing"] = fault{distorted{readsUnlocked: true}, []string{
		"of concurrent calls of store.UpdateWhere, each changes only records that still match",
	}}
	faults["sums are rounded"] = fault{distorted{rows: func(a *store.Aggregated) {
		for _, row := range a.Rows {
			for i := range row {
				if sum, ok := row[i].(*big.Rat); ok {
					rounded, _ := sum.Float64()
					row[i] = new(big.Rat).SetFloat64(rounded)
				}
			}
		}
	}}, []string{aggregates}}
	faults["orders hide nothing"] = fault{distorted{query: hideBy(func(int, []store.Condition) []store.Condition { return nil })}, []string{
		randomGroups, aggregates,
	}}
	faults["the first field of an order hides"] = fault{distorted{query: hideBy(func(i int, unless []store.Condition) []store.Condition {
		if i > 0 {
			return nil
		}
		return unless
	})}, []string{randomGroups}}
	faults["one condition is enough for an order"] = fault{distorted{query: hideBy(func(_ int, unless []store.Condition) []store.Condition {
		return unless[:min(1, len(unless))]
	})}, []string{randomGroups}}
	for _, operator := range []store.Operator{store.EqualFold, store.Contains, store.HasPrefix, store.HasSuffix, store.HasWordPrefix} {
		faults["only ASCII is folded by "+string(operator)] = fault{distorted{page: drop(operator, func(i *storetest.Item, c store.Condition) bool {
			part := c.Values[0].(string)
			return c.Fields[0] == "name" && part != strings.ToLower(i.Name) && strings.ContainsAny(part, "éÉσſSK") && !strings.Contains(i.Name, part)
		})}, []string{finds}}
	}
	return faults
}

// ungrouped is a correct store that rejects what a [store.Grouper] supports.
type ungrouped struct{ *memory.Store[storetest.Item] }

func (ungrouped) Groups() bool { return false }

func (s ungrouped) List(ctx context.Context, query store.Query) (store.Page[storetest.Item], error) {
	if isGrouped(query.Where) || slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.NullUnless != nil }) {
		return store.Page[storetest.Item]{}, errors.New("groups are not supported")
	}
	return s.Store.List(ctx, query)
}

func (s ungrouped) Aggregate(ctx context.Context, a store.Aggregation) (store.Aggregated, error) {
	if isGrouped(a.Where) || slices.ContainsFunc(a.Terms, func(t store.Term) bool { return t.Value.NullUnless != nil }) {
		return store.Aggregated{}, errors.New("groups are not supported")
	}
	return s.Store.Aggregate(ctx, a)
}

func isGrouped(conditions []store.Condition) bool {
	return slices.ContainsFunc(conditions, func(c store.Condition) bool { return c.Any != nil || c.Not })
}

func TestAStoreThatIsNoGrouperKeepsTheRulesOfQueries(t *testing.T) {
	t.Parallel()
	rules := storetest.QueryRules()
	for _, name := range rules.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if complaints := rules.Breaks(t, name, ungrouped{memory.New[storetest.Item]()}, time.Minute); complaints != nil {
				t.Error(complaints)
			}
		})
	}
}

func firstOf(c *store.Condition) any {
	if len(c.Values) == 0 {
		return nil
	}
	return c.Values[0]
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestEveryRuleOfQueriesIsBrokenBySomeDistortion(t *testing.T) {
	t.Parallel()
	suite := storetest.QueryRules()
	var caught []string
	for name, fault := range distortions() {
		caught = append(caught, fault.rules...)
		for _, rule := range fault.rules {
			t.Run(name+"/"+rule, func(t *testing.T) {
				t.Parallel()
				subject := fault.distorted
				subject.Store = memory.New[storetest.Item]()
				complaints := suite.Breaks(t, rule, subject, time.Minute)
				if complaints == nil || strings.Contains(complaints[0], context.DeadlineExceeded.Error()) {
					t.Errorf("%s, but the rule %q passes", name, rule)
				}
			})
		}
	}
	for _, rule := range suite.Names() {
		if !slices.Contains(caught, rule) {
			t.Errorf("no distortion breaks the rule %q", rule)
		}
	}
}

// lenient returns no records for invalid queries.
type lenient struct {
	store.Store[storetest.Item]
}

func (l lenient) List(context.Context, store.Query) (store.Page[storetest.Item], error) {
	return store.Page[storetest.Item]{}, nil
}

func TestAStoreThatAcceptsInvalidQueriesIsNoticed(t *testing.T) {
	t.Parallel()
	if storetest.QueryRules().Breaks(t, "an invalid query is an error", lenient{memory.New[storetest.Item]()}, time.Minute) == nil {
		t.Error("the rule passes")
	}
}

// limited rejects queries that it does not support, and returns wrong results for them.
type limited struct{ distorted }

func (limited) CheckQuery(query store.Query) error {
	if len(query.Where) > 0 {
		return store.ErrConflict
	}
	return nil
}

func TestRejectedQueriesAreSkipped(t *testing.T) {
	t.Parallel()
	storetest.Suite[any]{Queries: func(*testing.T, any) store.Store[storetest.Item] {
		return limited{distorted{Store: memory.New[storetest.Item](), query: conditions(func(c *store.Condition) {
			if len(c.Values) == 1 && c.Operator != "resembles" && c.Fields[0] != "count" && c.Fields[0] != "nothing" {
				c.Operator, c.Fields, c.Values = store.Equal, []string{"id"}, []any{int64(0)}
			}
		})}}
	}}.Run(t)
}
