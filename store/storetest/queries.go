package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
)

// RunQueries tests what stores answer to a [store.Query], as [Run] does. A query that
// the store refuses by [store.QueryChecker] is not asked of it, and groups and orders that
// hide values only if the store is a [store.Grouper] that returns true.
func RunQueries(t *testing.T, open func(t *testing.T) store.Store[Item]) {
	t.Helper()
	runAll(t, queryCases(), open)
}

func queryCases() []rule[Item] {
	var all []rule[Item]
	for _, group := range [][]rule[Item]{conditionRules(), windowRules(), mistakeRules(), walkRules(), manyRules(), groupRules(), oddGroupRules(), hiddenRules()} {
		all = append(all, group...)
	}
	return all
}

// sampled returns every nth of a list in a short run, and all of it otherwise.
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

// trials returns how many of n random queries are asked: a quarter in a short run.
func trials(n int) int {
	if testing.Short() {
		return n / 4
	}
	return n
}

// asks makes the check of a rule that is a list of queries over the same items.
func asks(queries ...store.Query) func(*trial[Item]) {
	return func(c *trial[Item]) {
		items := fill(c, 80)
		for _, query := range queries {
			if !answers(c, items, query) {
				return
			}
		}
	}
}

// fill inserts items in one transaction.
func fill(c *trial[Item], n int) []*Item {
	c.Helper()
	items := newGenerator(7).items(n)
	c.transact(func(ctx context.Context, tx store.Tx[Item]) error {
		for _, item := range items {
			if err := tx.Insert(ctx, item); err != nil {
				return err
			}
		}
		return nil
	})
	return items
}

// answers checks the answer to a query against that of the oracle, and reports whether it
// is the same. One that is not is enough to know of a rule.
func answers(c *trial[Item], items []*Item, query store.Query) bool {
	c.Helper()
	if refused(c.store, query) {
		return true
	}
	want := answer(items, query)
	got, err := c.store.List(c.ctx, query)
	if err != nil {
		c.Errorf("List of %+v: %v", query, err)
		return false
	}
	if found, asked := ids(got.Items), ids(want.Items); !slices.Equal(found, asked) {
		c.Errorf("List of %+v: identifiers (-want +got):\n%s", query, cmp.Diff(asked, found))
		return false
	}
	if query.Count && got.Total != want.Total {
		c.Errorf("List of %+v: Total is %d, want %d", query, got.Total, want.Total)
		return false
	}
	c.same("List", want.Items, got.Items)
	return true
}

// refused reports whether the store cannot answer a query, and says so.
func refused(s store.Store[Item], query store.Query) bool {
	if hasGroups(query) && !knowsGroups(s) {
		return true
	}
	checker, ok := s.(store.QueryChecker)
	if !ok {
		return false
	}
	query.Where, query.Order = withoutValues(query.Where), slices.Clone(query.Order)
	for i := range query.Order {
		query.Order[i].NullUnless = withoutValues(query.Order[i].NullUnless)
	}
	return checker.CheckQuery(query) != nil
}

// withoutValues returns conditions as a store is asked about them at start-up.
func withoutValues(conditions []store.Condition) []store.Condition {
	conditions = slices.Clone(conditions)
	for i := range conditions {
		conditions[i].Values = nil
		conditions[i].Any = slices.Clone(conditions[i].Any)
		for n, list := range conditions[i].Any {
			conditions[i].Any[n] = withoutValues(list)
		}
	}
	return conditions
}

// knowsGroups reports whether a store says that it answers groups.
func knowsGroups(s any) bool {
	grouper, ok := s.(store.Grouper)
	return ok && grouper.Groups()
}

// hasGroups reports whether only a store that knows groups may be asked a query.
func hasGroups(query store.Query) bool {
	return slices.ContainsFunc(query.Where, func(c store.Condition) bool { return c.Any != nil }) ||
		slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.NullUnless != nil })
}

func ids(items []*Item) []int64 {
	all := make([]int64, len(items))
	for i, item := range items {
		all[i] = item.ID
	}
	return all
}
