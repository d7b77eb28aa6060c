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

// distortedVisits runs a different query, or saves a different record, than it is given.
type distortedVisits struct {
	*memory.Store[storetest.Visit]

	ask  func(store.Query) store.Query
	keep func(*storetest.Visit)
}

func (d *distortedVisits) List(ctx context.Context, query store.Query) (store.Page[storetest.Visit], error) {
	return d.Store.List(ctx, d.ask(query))
}

func (d *distortedVisits) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Visit]) error) error {
	return d.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[storetest.Visit]) error {
		return fn(ctx, distortedVisitTx{tx, d.keep})
	})
}

type distortedVisitTx struct {
	store.Tx[storetest.Visit]

	keep func(*storetest.Visit)
}

func (d distortedVisitTx) Insert(ctx context.Context, visit *storetest.Visit) error {
	d.keep(visit)
	return d.Tx.Insert(ctx, visit)
}

func (d distortedVisitTx) Update(ctx context.Context, id any, visit *storetest.Visit) error {
	d.keep(visit)
	return d.Tx.Update(ctx, id, visit)
}

func TestFaultsInCompositeReferencesAreNoticed(t *testing.T) {
	t.Parallel()
	const (
		changes  = "composite references are read unchanged, and saved with their record or not at all"
		compares = "queries compare all fields of a composite reference"
		through  = "a condition through a composite reference applies to the referenced record"
		mistakes = "errors in queries of composite references are reported"
		dangles  = "a composite reference to a missing record is rejected"
		referred = "a record referenced by a composite key cannot be deleted"
		forgets  = "ondelete=null removes a composite reference"
		races    = "of a concurrent insert and delete that conflict, one succeeds"
	)
	all := []string{"seat", "spare", "seats", "waits"}
	asIs, whole := func(q store.Query) store.Query { return q }, func(*storetest.Visit) {}
	for name, c := range map[string]struct {
		refers []string
		ask    func(store.Query) store.Query
		keep   func(*storetest.Visit)
		broken []string
	}{
		"none":                  {all, asIs, whole, nil},
		"part of a key is lost": {all, asIs, func(v *storetest.Visit) { v.Seat.Hall = 0 }, []string{changes}},
		"null and zero are one": {all, asIs, func(v *storetest.Visit) { v.Spare = &storetest.SeatKey{} }, []string{changes, forgets}},
		"lists are sets":        {all, asIs, func(v *storetest.Visit) { v.Seats = slices.Compact(slices.Clone(v.Seats)) }, []string{changes}},
		"lists are not in their order": {all, asIs, func(v *storetest.Visit) {
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
		"references are ignored": {nil, asIs, whole, []string{dangles, referred, forgets, races}},
		"lists are ignored":      {[]string{"seat", "spare"}, asIs, whole, []string{dangles, referred, forgets, races}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := storetest.ReferenceBreaks(t, func() (store.Store[storetest.Visit], store.Store[storetest.Seat]) {
				visits, seats := memory.New[storetest.Visit](), memory.New[storetest.Seat]()
				for _, field := range c.refers {
					if err := model.LinkerOf(visits).Refer(field, model.LinkerOf(seats)); err != nil {
						t.Fatal(err)
					}
				}
				return &distortedVisits{visits, c.ask, c.keep}, seats
			})
			notices(t, broken, c.broken...)
			if name == "none" && broken != nil {
				t.Errorf("without a fault %q are broken", broken)
			}
		})
	}
}
