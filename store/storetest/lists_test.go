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

// distortedBundles runs a different query, or saves a different record, than it is given.
type distortedBundles struct {
	*memory.Store[storetest.Bundle]

	ask  func(store.Query) store.Query
	keep func(*storetest.Bundle)
}

func (d *distortedBundles) List(ctx context.Context, query store.Query) (store.Page[storetest.Bundle], error) {
	return d.Store.List(ctx, d.ask(query))
}

func (d *distortedBundles) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Bundle]) error) error {
	return d.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[storetest.Bundle]) error {
		return fn(ctx, distortedBundleTx{tx, d.keep})
	})
}

type distortedBundleTx struct {
	store.Tx[storetest.Bundle]

	keep func(*storetest.Bundle)
}

func (d distortedBundleTx) Insert(ctx context.Context, bundle *storetest.Bundle) error {
	d.keep(bundle)
	return d.Tx.Insert(ctx, bundle)
}

func (d distortedBundleTx) Update(ctx context.Context, id any, bundle *storetest.Bundle) error {
	d.keep(bundle)
	return d.Tx.Update(ctx, id, bundle)
}

func TestFaultsInReferencesAndListsAreNoticed(t *testing.T) {
	t.Parallel()
	const (
		changes  = "references and lists are read unchanged, and saved with their record or not at all"
		requests = "a list in Query.Fields is read"
		compares = "equal matches lists that contain one of the values, and all fields of a composite reference"
		through  = "a condition through a list or a composite reference, or back, must hold for one referenced record"
		sorts    = "sorting through a list is an error, as are invalid conditions through one"
		mistakes = "errors in queries of references and lists are reported"
		dangles  = "a reference to a missing record is rejected"
		races    = "of a concurrent insert and delete that conflict, one succeeds"
	)
	all := []string{"keys", "tokens", "seat", "spare", "seats"}
	asIs, whole := func(q store.Query) store.Query { return q }, func(*storetest.Bundle) {}
	for name, c := range map[string]struct {
		refers []string
		ask    func(store.Query) store.Query
		keep   func(*storetest.Bundle)
		broken []string
	}{
		"none":                  {all, asIs, whole, nil},
		"part of a key is lost": {all, asIs, func(v *storetest.Bundle) { v.Seat.Hall = 0 }, []string{changes}},
		"null and zero are one": {all, asIs, func(v *storetest.Bundle) { v.Spare = &storetest.SeatKey{} }, []string{changes}},
		"lists are sets":        {all, asIs, func(v *storetest.Bundle) { v.Seats = slices.Compact(slices.Clone(v.Seats)) }, []string{changes}},
		"lists are not in their order": {all, asIs, func(v *storetest.Bundle) {
			v.Seats = slices.Clone(v.Seats) // the given record has the expected list
			slices.Reverse(v.Seats)
		}, []string{changes}},
		"only the first value counts": {all, func(q store.Query) store.Query {
			q.Where = everywhere(q.Where, func(c *store.Condition) { c.Values = c.Values[:min(1, len(c.Values))] })
			return q
		}, whole, []string{compares}},
		"invalid keys find nothing": {all, func(q store.Query) store.Query {
			q.Where = everywhere(q.Where, func(c *store.Condition) {
				if len(c.Values) == 1 && c.Values[0] == (store.Key{int64(1)}) {
					c.Values = []any{store.Key{int64(1), "none"}}
				}
			})
			return q
		}, whole, []string{mistakes}},
		"only the first list counts": {all, func(q store.Query) store.Query {
			q.Where = everywhere(q.Where, func(c *store.Condition) {
				if c.Through != "" && len(c.Any) > 1 {
					c.Any = c.Any[:1]
				}
			})
			return q
		}, whole, []string{through}},
		"references are ignored": {nil, asIs, whole, []string{dangles, races}},
		"lists are ignored":      {[]string{"seat", "spare"}, asIs, whole, []string{dangles, races}},
		"an empty list has one":  {all, asIs, func(v *storetest.Bundle) { v.Labels = append(v.Labels, "") }, []string{changes}},
		"lists are never read":   {all, asIs, func(v *storetest.Bundle) { v.Labels = nil }, []string{requests}},
		"no order is read": {all, func(q store.Query) store.Query {
			q.Order = nil
			return q
		}, whole, []string{sorts}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := storetest.ListBreaks(t, func() (store.Store[storetest.Bundle], store.Store[storetest.Keyed], store.Store[storetest.Token], store.Store[storetest.Seat]) {
				bundles, keys, tokens, seats := memory.New[storetest.Bundle](), memory.New[storetest.Keyed](), memory.New[storetest.Token](), memory.New[storetest.Seat]()
				for _, field := range c.refers {
					to := model.LinkerOf(seats)
					switch field {
					case "keys":
						to = model.LinkerOf(keys)
					case "tokens":
						to = model.LinkerOf(tokens)
					}
					if err := model.LinkerOf(bundles).Refer(field, to); err != nil {
						t.Fatal(err)
					}
				}
				return &distortedBundles{bundles, c.ask, c.keep}, keys, tokens, seats
			})
			notices(t, broken, c.broken...)
			if name == "none" && broken != nil {
				t.Errorf("without a fault %q are broken", broken)
			}
		})
	}
}
