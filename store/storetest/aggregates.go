package storetest

import (
	"context"
	"math/big"
	"reflect"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// aggregateRules are about aggregations. They are skipped for other stores than a [store.Aggregator].
func aggregateRules() []rule[*trial[item]] {
	return []rule[*trial[item]]{{
		"random aggregations match the reference implementation",
		"A row has the values of all records of its group that are not null, and a hidden value counts as null. Sums are exact beyond 64 bits.",
		func(c *trial[item]) {
			aggregator, ok := c.store.(store.Aggregator)
			if !ok || !aggregator.Aggregates() {
				return
			}
			items, random := fill(c, 80), newGenerator(12)
			for range trials(300) {
				asked := random.aggregation(items)
				query := store.Query{Where: asked.Where}
				for _, term := range asked.Terms {
					if term.Value.NullUnless != nil {
						query.Order = append(query.Order, term.Value)
					}
				}
				if c.rejects(query) {
					continue
				}
				want, err := items.aggregate(asked)
				if err != nil {
					c.Fatalf("the reference implementation does not support %+v: %v", asked, err)
				}
				got, err := aggregator.Aggregate(c.ctx, asked)
				if !asked.Count {
					got.Total = want.Total
				}
				if diff := cmp.Diff(want, got, roundsTimes, cmp.Comparer(func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })); err != nil || diff != "" {
					c.Errorf("Aggregate of %+v: %v (-want +got):\n%s", asked, err, diff)
					return
				}
			}
		},
	}}
}

// aggregation returns an aggregation of items, some of whose values are hidden.
func (g *generator) aggregation(items *oracle) store.Aggregation {
	query, zone := g.grouped(items), time.UTC
	if berlin, err := time.LoadLocation("Europe/Berlin"); err == nil {
		zone = berlin
	}
	a := store.Aggregation{Where: query.Where, Offset: g.IntN(3), Limit: g.IntN(9), Count: g.coin(), Terms: []store.Term{{Function: "count"}}}
	for _, by := range query.Order[:min(len(query.Order), g.IntN(3))] {
		a.Terms = append(a.Terms, store.Term{Value: by})
	}
	if g.coin() {
		unit := one(g, "year", "quarter", "month", "week", "day", "hour")
		a.Terms = append(a.Terms, store.Term{Value: store.Order{Field: "leftAt"}, Unit: unit, Zone: one(g, time.UTC, zone)})
	}
	for _, name := range []string{"count", "rank", "size", "home.floor", "seenAt"} {
		functions := []string{"min", "max", "sum", "avg"}
		if name == "seenAt" {
			functions = functions[:2]
		}
		value := store.Order{Field: name}
		if g.coin() && query.Order != nil {
			value.NullUnless = query.Order[0].NullUnless
		}
		a.Terms = append(a.Terms, store.Term{Value: value, Function: one(g, functions...)})
	}
	for _, i := range g.Perm(len(a.Terms))[:g.IntN(3)] {
		a.Order = append(a.Order, one(g, i+1, -i-1))
	}
	return a
}

// aggregate returns the rows of an aggregation.
func (b *oracle) aggregate(a store.Aggregation) (store.Aggregated, error) {
	records, err := b.matching(a.Where)
	if err != nil {
		return store.Aggregated{}, err
	}
	groups, err := filter.NewGroups(b, a)
	for i := 0; i < len(records) && err == nil; i++ {
		err = groups.Add(context.Background(), reflect.ValueOf(records[i]).Elem())
	}
	if err != nil {
		return store.Aggregated{}, err
	}
	return groups.Result(), nil
}
