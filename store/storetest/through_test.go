package storetest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// distortedMentions asks another question than the one it is asked, or answers less.
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

// everywhere changes each condition of a query on the way.
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

func TestFaultsInWhatGoesThroughReferencesAreNoticed(t *testing.T) {
	t.Parallel()
	const (
		about  = "a condition through a reference is about the record that it is to"
		lists  = "the lists of a condition through a reference are alternatives"
		order  = "an order through a reference is by a field of the record that it is to"
		hides  = "an order through a reference hides what the caller may not see"
		random = "random queries through references are answered as by the book, on every page"
		says   = "a store says which references it goes through"
	)
	asIs := func(q store.Query) store.Query { return q }
	for name, c := range map[string]struct {
		ask    func(store.Query) store.Query
		answer func(*store.Page[storetest.Mention])
		broken []string
	}{
		"none": {asIs, func(*store.Page[storetest.Mention]) {}, []string{says}}, // it is a wrapper
		"conditions are passed over": {func(q store.Query) store.Query {
			q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(c store.Condition) bool { return c.Through != "" })
			return q
		}, func(*store.Page[storetest.Mention]) {}, []string{about, lists, random}},
		"one list alone counts": {func(q store.Query) store.Query {
			q.Where = everywhere(q.Where, func(c *store.Condition) {
				if c.Through != "" && len(c.Any) > 1 {
					c.Any = c.Any[:1]
				}
			})
			return q
		}, func(*store.Page[storetest.Mention]) {}, []string{lists, random}},
		"nothing is hidden": {func(q store.Query) store.Query {
			q.Order = slices.Clone(q.Order)
			for i := range q.Order {
				q.Order[i].NullUnless = nil
			}
			return q
		}, func(*store.Page[storetest.Mention]) {}, []string{hides, random}},
		"positions are missing": {asIs, func(p *store.Page[storetest.Mention]) { p.Positions = nil }, []string{order, hides, random}},
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
			for _, want := range c.broken {
				if !slices.Contains(broken, want) {
					t.Errorf("the rule %q does not notice; broken are %q", want, broken)
				}
			}
			if name == "none" && len(broken) > 1 {
				t.Errorf("without a fault %q are broken", broken)
			}
		})
	}
}
