package storetest

import (
	"errors"
	"math/rand/v2"
	"slices"
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

// These are the statuses of bookings.
const (
	isOpen      = "open"
	isCancelled = "cancelled"
	isSeated    = "it's seated"
)

// Constraints has one of each kind, with and without limits.
func (*booking) Constraints() []store.Constraint {
	return []store.Constraint{
		store.NoOverlap("from", "to", "item", "room").Except("status", isCancelled, "returned").Message(periodMessage),
		store.Unique("item", "seat"),
		store.Unique("room", "seat").Only("status", isSeated),
		store.NoOverlap("least", "most").Only("status", isSeated),
		store.Index("status", "from").Only("seat", nil),
	}
}

// breaks returns the fields of each constraint that two records break together. It is the plain definition that stores are
// compared with.
func (b *booking) breaks(other *booking) (broken [][]string) {
	isBooked := func(b *booking) bool { return b.Status != isCancelled && b.Status != "returned" }
	isBefore := func(from, to *time.Time) bool { return from == nil || to == nil || from.Before(*to) }
	sameItem := b.Item != nil && other.Item != nil && *b.Item == *other.Item
	sameSeat := b.Seat != nil && other.Seat != nil && *b.Seat == *other.Seat
	bothSeated := b.Status == isSeated && other.Status == isSeated
	for _, constraint := range []struct {
		isBroken bool
		fields   []string
	}{
		{isBooked(b) && isBooked(other) && sameItem && b.Room == other.Room &&
			isBefore(b.From, b.To) && isBefore(other.From, other.To) && isBefore(b.From, other.To) && isBefore(other.From, b.To), ofPeriod},
		{sameItem && sameSeat, []string{"item", "seat"}},
		{bothSeated && b.Room == other.Room && sameSeat, []string{"room", "seat"}},
		{bothSeated && b.Least < b.Most && other.Least < other.Most && b.Least < other.Most && other.Least < b.Most, []string{"least", "most"}},
	} {
		if constraint.isBroken {
			broken = append(broken, constraint.fields)
		}
	}
	return broken
}

// ofPeriod has the fields of the first constraint, and periodMessage its message.
var ofPeriod = []string{"from", "to", "item", "room"}

const periodMessage = "The item is booked in that time."

// isReversed reports whether a period of the record ends before it begins.
func (b *booking) isReversed() bool {
	return b.From != nil && b.To != nil && b.To.Before(*b.From) || b.Most < b.Least
}

func constraintRules() []rule[*trial[booking]] {
	return []rule[*trial[booking]]{
		{
			"random writes are rejected exactly if they break a constraint",
			"Insert and Update must return a store.ConstraintError with the fields and the message, also for records of the same transaction, and save nothing: the client gets a 409. " +
				"The result must be that of comparing each record with all others. Null in a field never conflicts, but is an open end of a period. " +
				"Periods end before their second field, so those that touch do not overlap. One that ends before it begins is an error.",
			func(c *trial[booking]) {
				conflicting[booking]{c, randomBooking, func(r *booking) *int64 { return &r.ID }, (*booking).breaks, (*booking).isReversed, c.isBroken}.writesAtRandom()
			},
		},
		{"concurrent random writes never break a constraint together", "Inserts and updates that come into conflict must find each other, at every isolation level. A query before the write is not enough.", constraintsAtOnce},
	}
}

// isBroken checks that an error is a store.ConstraintError of one of the constraints with these fields.
func (c scene) isBroken(call string, got error, fields [][]string) {
	c.Helper()
	c.fails(call, got, store.ErrConflict)
	broken, ok := errors.AsType[store.ConstraintError](got)
	isOne := slices.ContainsFunc(fields, func(of []string) bool { return slices.Equal(of, broken.Fields) })
	if !ok || !isOne || broken.Message == "" || (broken.Message == periodMessage) != slices.Equal(broken.Fields, ofPeriod) {
		c.Errorf("%s: error %#v, want a store.ConstraintError with the message, for the fields %q", call, got, fields)
	}
}

// randomBooking returns a record that conflicts often.
func randomBooking(random *rand.Rand) *booking {
	moment := func(low int) *time.Time {
		if random.IntN(6) == 0 {
			return nil
		}
		return new(time.Date(2026, 3, 1+low+random.IntN(5), 9, 30, 0, 0, time.UTC))
	}
	n := random.IntN(12)
	r := &booking{
		Room: int64(random.IntN(2)), From: moment(n), To: moment(n), Status: []string{isOpen, isCancelled, isSeated, "returned"}[random.IntN(4)],
		Least: int64(n), Most: int64(n + random.IntN(3)),
	}
	if random.IntN(20) > 0 && r.isReversed() {
		r.From, r.To = r.To, r.From
	}
	if random.IntN(20) == 0 {
		r.Most = r.Least - 1
	}
	if random.IntN(5) > 0 {
		r.Item = new([]string{"a", "b", "it's", ""}[random.IntN(4)])
	}
	if random.IntN(3) > 0 {
		r.Seat = new(int64(random.IntN(9)))
	}
	return r
}

func constraintsAtOnce(c *trial[booking]) {
	var saved atomic.Int64
	errs := together(16, func(i int) error {
		random, own := rand.New(rand.NewPCG(uint64(i), 3)), int64(0)
		for range 6 {
			r := randomBooking(random)
			for r.isReversed() {
				r = randomBooking(random)
			}
			write := inserting(r)
			isNew := own == 0 || random.IntN(2) == 0
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
		if j := slices.IndexFunc(all[:i], func(other *booking) bool { return r.breaks(other) != nil }); j >= 0 {
			c.Fatalf("%+v and %+v break a constraint", *r, *all[j])
		}
	}
}
