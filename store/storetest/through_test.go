package storetest_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// distortedMentions runs a different query than it is given, or returns less.
type distortedMentions struct {
	*memory.Store[storetest.Mention]

	ask    func(store.Query) store.Query
	answer func(*store.Page[storetest.Mention])
}

func (d *distortedMentions) List(ctx context.Context, query store.Query) (store.Page[storetest.Mention], error) {
	page, err := d.Store.List(ctx, d.ask(query))
	d.answer(&page)
	return page, err
}

// everywhere changes each condition of a query, nested ones too.
func everywhere(conditions []store.Condition, change func(*store.Condition)) []store.Condition {
	conditions = slices.Clone(conditions)
	for i := range conditions {
		conditions[i].Any = slices.Clone(conditions[i].Any)
		for n := range conditions[i].Any {
			conditions[i].Any[n] = everywhere(conditions[i].Any[n], change)
		}
		change(&conditions[i])
	}
	return conditions
}

func TestFaultsInQueriesThroughReferencesAreNoticed(t *testing.T) {
	t.Parallel()
	const (
		random = "random queries through references match the reference implementation, on every page"
		joiner = "Through reports which references are supported"
	)
	asIs := func(q store.Query) store.Query { return q }
	for name, c := range map[string]struct {
		ask    func(store.Query) store.Query
		answer func(*store.Page[storetest.Mention])
		broken []string
	}{
		"none": {asIs, func(*store.Page[storetest.Mention]) {}, []string{joiner}}, // it is a wrapper without Through
		"conditions are ignored": {func(q store.Query) store.Query {
			q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(c store.Condition) bool { return c.Through != "" })
			return q
		}, func(*store.Page[storetest.Mention]) {}, []string{random}},
		"conditions back are ignored": {func(q store.Query) store.Query {
			q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(c store.Condition) bool { return strings.Contains(c.Through, ".") })
			return q
		}, func(*store.Page[storetest.Mention]) {}, []string{random}},
		"only the first list counts": {func(q store.Query) store.Query {
			q.Where = everywhere(q.Where, func(c *store.Condition) {
				if c.Through != "" && len(c.Any) > 1 {
					c.Any = c.Any[:1]
				}
			})
			return q
		}, func(*store.Page[storetest.Mention]) {}, []string{random}},
		"nothing is hidden": {func(q store.Query) store.Query {
			q.Order = slices.Clone(q.Order)
			for i := range q.Order {
				q.Order[i].NullUnless = nil
			}
			return q
		}, func(*store.Page[storetest.Mention]) {}, []string{random}},
		"positions are missing": {asIs, func(p *store.Page[storetest.Mention]) { p.Positions = nil }, []string{random}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := storetest.ThroughBreaks(t, func() (store.Store[storetest.Mention], store.Store[storetest.Item]) {
				mentions, items := memory.New[storetest.Mention](), memory.New[storetest.Item]()
				for field, to := range map[string]model.Holder{"item": items, "previous": mentions} {
					if err := model.LinkerOf(mentions).Refer(field, model.LinkerOf(to)); err != nil {
						t.Fatal(err)
					}
				}
				return &distortedMentions{mentions, c.ask, c.answer}, items
			})
			notices(t, broken, c.broken...)
			if name == "none" && len(broken) > 1 {
				t.Errorf("without a fault %q are broken", broken)
			}
		})
	}
}
