package storetest

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/store"
)

// booking has constraints over several fields, some of them only for some records.
type booking struct {
	ID     int64      `json:"id" api:"id"`
	Item   *string    `json:"item"`
	Room   int64      `json:"room"`
	From   *time.Time `json:"from"`
	To     *time.Time `json:"to"`
	Status string     `json:"status"`
	Seat   *int64     `json:"seat"`
	Least  int64      `json:"least"`
	Most   int64      `json:"most"`
}

const periodMessage = "The item is booked in that time."

// Constraints has one of each kind, with and without limits.
func (*booking) Constraints() []store.Constraint {
	return []store.Constraint{
		store.NoOverlap("from", "to", "item", "room").Except("status", "cancelled", "returned").Message(periodMessage),
		store.Unique("item", "seat"),
		store.Unique("room", "seat").Only("status", "it's seated"),
		store.NoOverlap("least", "most").Only("status", "it's seated"),
		store.Index("status", "from").Only("seat", nil),
	}
}

func constraintRules() []rule[*trial[booking]] {
	return []rule[*trial[booking]]{
		{
			"random writes are rejected exactly if they break a constraint",
			"Insert and Update must return a store.ConstraintError with the fields and the message, also for records of the same transaction, and save nothing: the client gets a 409. " +
				"The result must be that of comparing each record with all others. Null in a field never conflicts, but is an open end of a period. " +
				"Periods end before their second field, so those that touch do not overlap. One that ends before it begins is an error.",
			func(c *trial[booking]) { writesAtRandom(c, (*generator).booking) },
		},
		{"concurrent random writes never break a constraint together", "Inserts and updates that come into conflict must find each other, at every isolation level. A query before the write is not enough.", constraintsAtOnce},
	}
}

// booking returns a record that conflicts often.
func (g *generator) booking() *booking {
	n := g.IntN(12)
	moment := func() *time.Time {
		if g.IntN(6) == 0 {
			return nil
		}
		return new(time.Date(2026, 3, 1+n+g.IntN(5), 9, 30, 0, 0, time.UTC))
	}
	r := &booking{
		Item: maybe(g, func() string { return one(g, "a", "b", "it's", "") }), Room: int64(g.IntN(2)), From: moment(), To: moment(),
		Status: one(g, "open", "cancelled", "it's seated", "returned"), Seat: maybe(g, func() int64 { return int64(g.IntN(9)) }),
		Least: int64(n), Most: int64(n + g.IntN(3)),
	}
	if r.From != nil && r.To != nil && r.To.Before(*r.From) && g.IntN(20) > 0 {
		r.From, r.To = r.To, r.From
	}
	if g.IntN(20) == 0 {
		r.Most = r.Least - 1
	}
	return r
}

func constraintsAtOnce(c *trial[booking]) {
	var saved atomic.Int64
	possible := conflictsOf[booking]()
	errs := together(16, func(i int) error {
		random, own := newGenerator(uint64(i)), int64(0)
		for range 6 {
			r := random.booking()
			if _, invalid := conflictsWith(r, nil, possible); invalid != nil {
				continue
			}
			write := inserting(r)
			isNew := own == 0 || random.coin()
			if !isNew {
				r.ID = own
				write = overwriting(own, r, true)
			}
			err := c.store.Transact(c.ctx, write)
			if _, broken := errors.AsType[store.ConstraintError](err); err != nil && !broken {
				return err
			}
			if err == nil && isNew {
				saved.Add(1)
				own = r.ID
			}
		}
		return nil
	})
	c.succeed("concurrent writes", errs)
	all := c.list()
	if len(all) != int(saved.Load()) {
		c.Errorf("%d records were saved, want %d", len(all), saved.Load())
	}
	for i, r := range all {
		if broken, _ := conflictsWith(r, all[:i], possible); broken != nil {
			c.Fatalf("%+v breaks the constraint on %q together with another record", *r, broken[0].Broken.Fields)
		}
	}
}
