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

// distortedVisits asks another question than the one it is asked, or keeps something else than it is
// given.
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

func TestFaultsInReferencesOfSeveralPartsAreNoticed(t *testing.T) {
	t.Parallel()
	const (
		back     = "references of several parts come back as they were written"
		changes  = "references of several parts that change are saved with their record, or not at all"
		compares = "queries compare all parts of a reference"
		through  = "a condition through a reference of several parts is about the record that it is to"
		mistakes = "mistakes in queries of references of several parts are errors"
		dangles  = "a reference of several parts to what is not there is refused"
		referred = "a record of several identifiers that is referred to is not deleted"
		forgets  = "with ondelete=null a reference of several parts is let go"
		races    = "of an insert and a delete at once that contradict each other one succeeds"
	)
	all := []string{"seat", "spare", "seats", "waits"}
	asIs, whole := func(q store.Query) store.Query { return q }, func(*storetest.Visit) {}
	for name, c := range map[string]struct {
		refers []string
		ask    func(store.Query) store.Query
		keep   func(*storetest.Visit)
		broken []string
	}{
		"none":                    {all, asIs, whole, nil},
		"a part of a key is lost": {all, asIs, func(v *storetest.Visit) { v.Seat.Hall = 0 }, []string{back, changes}},
		"null and zero are one":   {all, asIs, func(v *storetest.Visit) { v.Spare = &storetest.SeatKey{} }, []string{back, forgets}},
		"lists are sets":          {all, asIs, func(v *storetest.Visit) { v.Seats = slices.Compact(slices.Clone(v.Seats)) }, []string{back}},
		"lists are not in their order": {all, asIs, func(v *storetest.Visit) {
			v.Seats = slices.Clone(v.Seats) // that which is given has what is expected
			slices.Reverse(v.Seats)
		}, []string{back, changes}},
		"one value alone counts": {all, func(q store.Query) store.Query {
			q.Where = everywhere(q.Where, func(c *store.Condition) { c.Values = c.Values[:min(1, len(c.Values))] })
			return q
		}, whole, []string{compares}},
		"keys that are none find nothing": {all, func(q store.Query) store.Query {
			q.Where = everywhere(q.Where, func(c *store.Condition) {
				if len(c.Values) == 1 && c.Values[0] == (store.Key{int64(1)}) {
					c.Values = []any{store.Key{int64(1), "none"}}
				}
			})
			return q
		}, whole, []string{mistakes}},
		"one list alone counts": {all, func(q store.Query) store.Query {
			q.Where = everywhere(q.Where, func(c *store.Condition) {
				if c.Through != "" && len(c.Any) > 1 {
					c.Any = c.Any[:1]
				}
			})
			return q
		}, whole, []string{through}},
		"nothing is referred to": {nil, asIs, whole, []string{dangles, referred, forgets, races}},
		"lists refer to nothing": {[]string{"seat", "spare"}, asIs, whole, []string{dangles, referred, forgets, races}},
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
			for _, want := range c.broken {
				if !slices.Contains(broken, want) {
					t.Errorf("the rule %q does not notice; broken are %q", want, broken)
				}
			}
			if name == "none" && broken != nil {
				t.Errorf("without a fault %q are broken", broken)
			}
		})
	}
}
