package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
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
func (booking) Constraints() []store.Constraint {
	return []store.Constraint{
		store.NoOverlap("from", "to", "item", "room").Except("status", isCancelled, "returned").Message("The item is booked in that time."),
		store.Unique("item", "seat"),
		store.Unique("room", "seat").Only("status", isSeated),
		store.NoOverlap("least", "most").Only("status", isSeated),
		store.Index("status", "from").Only("seat", nil),
	}
}

// breaks reports whether two records break a constraint together. It is the plain definition that stores are compared with.
func (b booking) breaks(other *booking) bool {
	same := func(x, y *string) bool { return x != nil && y != nil && *x == *y }
	sameSeat := b.Seat != nil && other.Seat != nil && *b.Seat == *other.Seat
	bothSeated := b.Status == isSeated && other.Status == isSeated
	isBooked := func(b booking) bool { return b.Status != isCancelled && b.Status != "returned" }
	isBefore := func(from, to *time.Time) bool { return from == nil || to == nil || from.Before(*to) }
	isApart := !isBefore(b.From, b.To) || !isBefore(other.From, other.To) || !isBefore(b.From, other.To) || !isBefore(other.From, b.To)
	areNumbersApart := b.Least >= b.Most || other.Least >= other.Most || b.Least >= other.Most || other.Least >= b.Most
	return isBooked(b) && isBooked(*other) && same(b.Item, other.Item) && b.Room == other.Room && !isApart ||
		same(b.Item, other.Item) && sameSeat ||
		bothSeated && (b.Room == other.Room && sameSeat || !areNumbersApart)
}

func constraintRules() []rule[*trial[booking]] {
	return []rule[*trial[booking]]{
		{
			"a record that breaks a constraint is rejected",
			"Insert and Update must return a store.ConstraintError with the fields and the message, also for records of the same transaction, and save nothing. The client gets a 409.",
			constraintBreaks,
		},
		{
			"null in a field of a constraint never conflicts, nor does a record with itself",
			"Any number of records may have null in one of the fields, except for the bounds of a period.",
			constraintIgnoresNull,
		},
		{"a constraint is about the records that Only and Except select", "A record that is changed so that it is selected may conflict then.", constraintIsLimited},
		{"periods that touch, and empty ones, do not overlap", "A period begins at its first field and ends before the second one.", periodsTouch},
		{"null is an open end of a period", "Without a beginning it lasts from ever, without an end forever.", periodsAreOpen},
		{"a period that ends before it begins is an error", "It must not be saved, by Insert or Update.", periodsHaveAnOrder},
		{
			"what a constraint forbids can be saved when the other record has changed",
			"After an update, a delete or a failed transaction another record may have the values, even within the same transaction.",
			constraintFrees,
		},
		{
			"random writes are rejected exactly if they break a constraint",
			"The result must be that of comparing each record with all others.",
			constraintsAtRandom,
		},
		{
			"of concurrent writes that a constraint forbids together, one succeeds",
			"All others must get a store.ConstraintError, at every isolation level. A query before the write is not enough.",
			constraintRace,
		},
		{"concurrent random writes never break a constraint together", "Inserts and updates that come into conflict must find each other.", constraintsAtOnce},
	}
}

// day returns a time in the period of the tests.
func day(n int) *time.Time { return new(time.Date(2026, 3, 1+n, 9, 30, 0, 0, time.UTC)) }

// booked returns a record with a period, and numbers that conflict with no other.
func booked(item string, from, to *time.Time) *booking {
	return &booking{Item: &item, From: from, To: to, Status: isOpen}
}

// isBroken checks that an error is a store.ConstraintError with these fields.
func (c scene) isBroken(call string, got error, fields ...string) {
	c.Helper()
	c.fails(call, got, store.ErrConflict)
	if broken, ok := errors.AsType[store.ConstraintError](got); !ok || !slices.Equal(broken.Fields, fields) || broken.Message == "" {
		c.Errorf("%s: error %#v, want a store.ConstraintError with a message, for the fields %q", call, got, fields)
	}
}

// These are the fields of constraints.
var (
	ofPeriod = []string{"from", "to", "item", "room"}
	ofSeat   = []string{"item", "seat"}
)

func constraintBreaks(c *trial[booking]) {
	first, later, seated := booked("a", day(0), day(4)), booked("a", day(4), day(6)), &booking{Item: new("b"), Seat: new(int64(7)), Status: isCancelled}
	c.insert(first, later, seated)
	err := c.store.Transact(c.ctx, inserting(booked("a", day(3), day(5))))
	c.isBroken("Insert of an overlapping period", err, ofPeriod...)
	if broken, _ := errors.AsType[store.ConstraintError](err); broken.Message != "The item is booked in that time." {
		c.Errorf("the message is %q", broken.Message)
	}
	c.isBroken("Insert around a period", c.store.Transact(c.ctx, inserting(booked("a", day(-1), day(9)))), ofPeriod...)
	c.isBroken("Update to an overlapping period", c.store.Transact(c.ctx, updating(later.ID, func(r *booking) { r.From = day(3) })), ofPeriod...)
	c.isBroken("Insert of equal values", c.store.Transact(c.ctx, inserting(&booking{Item: new("b"), Seat: new(int64(7)), Status: isCancelled, Room: 9})), ofSeat...)
	c.isBroken("Update to equal values", c.store.Transact(c.ctx, updating(first.ID, func(r *booking) { r.Item, r.Seat = new("b"), new(int64(7)) })), ofSeat...)
	err = c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[booking]) error {
		return errors.Join(tx.Insert(ctx, booked("z", day(0), day(1))), tx.Insert(ctx, booked("z", day(0), day(1))))
	})
	c.isBroken("the second Insert of the transaction", err, ofPeriod...)
	c.holds(first, later, seated)
}

func constraintIgnoresNull(c *trial[booking]) {
	first, second := booked("a", day(0), day(4)), booked("b", day(0), day(4))
	first.Item, second.Item = nil, nil
	first.Seat, second.Seat = new(int64(1)), new(int64(1))
	without, again := booked("c", day(0), day(1)), booked("c", day(1), day(2))
	c.insert(first, second, without, again)
	c.update(again.ID, func(r *booking) { r.To = day(3) })
	again.To = day(3)
	c.holds(first, second, without, again)
}

func constraintIsLimited(c *trial[booking]) {
	first, cancelled := booked("a", day(0), day(4)), booked("a", day(1), day(3))
	cancelled.Status = isCancelled
	seated, standing := booked("b", day(0), day(1)), booked("c", day(0), day(1))
	seated.Seat, standing.Seat, seated.Status = new(int64(3)), new(int64(3)), isSeated
	seated.Least, seated.Most, standing.Least, standing.Most = 1, 5, 2, 3
	c.insert(first, cancelled, seated, standing)
	c.isBroken("Update to a selected status", c.store.Transact(c.ctx, updating(cancelled.ID, func(r *booking) { r.Status = isOpen })), ofPeriod...)
	err := c.store.Transact(c.ctx, updating(standing.ID, func(r *booking) { r.Status, r.Seat = isSeated, new(int64(8)) }))
	c.isBroken("Update to a selected status", err, "least", "most")
	err = c.store.Transact(c.ctx, updating(standing.ID, func(r *booking) { r.Status, r.Least, r.Most = isSeated, 5, 6 }))
	c.isBroken("Update to a selected status", err, "room", "seat")
	c.holds(first, cancelled, seated, standing)
	c.update(first.ID, func(r *booking) { r.Status = "returned" })
	c.update(cancelled.ID, func(r *booking) { r.Status = isOpen })
	first.Status, cancelled.Status = "returned", isOpen
	c.holds(first, cancelled, seated, standing)
}

func periodsTouch(c *trial[booking]) {
	all := []*booking{
		booked("a", day(2), day(4)), booked("a", day(4), day(5)), booked("a", day(0), day(2)), booked("b", day(0), day(9)),
		booked("a", day(3), day(3)), booked("a", day(3), day(3)), booked("a", day(2), day(2)),
		{Status: isSeated, Least: 4, Most: 4},
		{Status: isSeated, Least: 3, Most: 5},
		{Status: isSeated, Least: 5, Most: 6},
		{Status: isSeated, Least: 4, Most: 4},
	}
	c.insert(all...)
	c.holds(all...)
	another := booked("a", day(3), day(4))
	another.Room = 2
	c.insert(another)
	c.isBroken("Insert of an overlapping number", c.store.Transact(c.ctx, inserting(&booking{Status: isSeated, Least: 5, Most: 7})), "least", "most")
}

func periodsAreOpen(c *trial[booking]) {
	before, after, always, none := booked("a", nil, day(2)), booked("a", day(3), nil), booked("b", nil, nil), booked("b", day(1), day(1))
	c.insert(before, after, always, none)
	for name, r := range map[string]*booking{
		"before its end": booked("a", day(-900), day(-800)), "after its beginning": booked("a", day(800), day(900)),
		"open to the past": booked("a", nil, day(-9)), "open to the future": booked("a", day(900), nil),
		"open on both ends": booked("a", nil, nil), "within an endless one": booked("b", day(1), day(2)),
	} {
		c.isBroken("Insert of a period "+name, c.store.Transact(c.ctx, inserting(r)), ofPeriod...)
	}
	between := booked("a", day(2), day(3))
	c.insert(between)
	c.holds(before, after, always, none, between)
}

func periodsHaveAnOrder(c *trial[booking]) {
	first := booked("a", day(2), day(4))
	c.insert(first)
	cancelled := booked("b", day(4), day(2))
	cancelled.Status = isCancelled
	for _, fn := range []work[booking]{
		inserting(booked("b", day(4), day(2))), inserting(cancelled), updating(first.ID, func(r *booking) { r.To = day(1) }),
		inserting(&booking{Status: isSeated, Least: 5, Most: 4}),
	} {
		if c.store.Transact(c.ctx, fn) == nil {
			c.Errorf("a period that ends before it begins was saved")
		}
	}
	c.holds(first)
}

func constraintFrees(c *trial[booking]) {
	c.rollsBack(inserting(booked("a", day(0), day(4))))
	first, second := booked("a", day(0), day(2)), booked("a", day(2), day(4))
	c.insert(first, second)
	c.update(first.ID, func(r *booking) { r.Item = new("b") })
	c.remove(second.ID)
	again, last := booked("a", day(1), day(3)), booked("a", day(0), day(9))
	c.insert(again)
	c.transact(func(ctx context.Context, tx store.Tx[booking]) error {
		if err := tx.Delete(ctx, again.ID); err != nil {
			return err
		}
		return tx.Insert(ctx, last)
	})
	first.Item = new("b")
	c.holds(first, last)
}

// randomBooking returns a record that conflicts often.
func randomBooking(random *rand.Rand) *booking {
	moment := func(low int) *time.Time {
		if random.IntN(6) == 0 {
			return nil
		}
		return day(low + random.IntN(5))
	}
	n := random.IntN(12)
	r := &booking{
		Room: int64(random.IntN(2)), From: moment(n), Status: []string{isOpen, isCancelled, isSeated}[random.IntN(3)],
		Least: int64(n), Most: int64(n + random.IntN(3)),
	}
	if r.To = moment(n); r.From != nil && r.To != nil && r.To.Before(*r.From) {
		r.From, r.To = r.To, r.From
	}
	if random.IntN(5) > 0 {
		r.Item = new([]string{"a", "b", "it's", ""}[random.IntN(4)])
	}
	if random.IntN(3) > 0 {
		r.Seat = new(int64(random.IntN(9)))
	}
	return r
}

func constraintsAtRandom(c *trial[booking]) {
	random, rejected := rand.New(rand.NewPCG(7, 9)), 0
	var all []*booking
	for range 250 {
		r, at := randomBooking(random), -1
		if len(all) > 0 && random.IntN(2) == 0 {
			at = random.IntN(len(all))
			r.ID = all[at].ID
		}
		if at >= 0 && random.IntN(3) == 0 {
			c.remove(r.ID)
			all = slices.Delete(all, at, at+1)
			continue
		}
		isBroken := slices.ContainsFunc(all, func(other *booking) bool { return (at < 0 || other.ID != r.ID) && r.breaks(other) })
		write := inserting(r)
		if at >= 0 {
			write = overwriting(r.ID, r, random.IntN(2) == 0)
		}
		err := c.store.Transact(c.ctx, write)
		if _, ok := errors.AsType[store.ConstraintError](err); ok != isBroken || !ok && err != nil {
			c.Fatalf("writing %+v: error %v, but it breaks a constraint: %v", *r, err, isBroken)
		}
		switch {
		case isBroken:
			rejected++
		case at >= 0:
			all[at] = r
		default:
			all = append(all, r)
		}
	}
	if rejected < 40 || len(all) < 5 {
		c.Errorf("%d writes were rejected and %d records are left: the rule tests little", rejected, len(all))
	}
	c.holds(all...)
}

func constraintRace(c *trial[booking]) {
	kept := booked("b", day(0), day(1))
	c.insert(kept)
	errs := together(16, func(i int) error {
		return c.store.Transact(c.ctx, inserting(booked("a", day(i), day(40-i))))
	})
	c.oneSucceeds(errs, func(err error) { c.isBroken("concurrent Insert", err, ofPeriod...) })
	if n := len(c.list()); n != 2 {
		c.Errorf("%d records were saved, want 1", n-1)
	}
}

func constraintsAtOnce(c *trial[booking]) {
	errs := together(16, func(i int) error {
		random := rand.New(rand.NewPCG(uint64(i), 3))
		var own []*booking
		for range 6 {
			r := randomBooking(random)
			write := inserting(r)
			if len(own) > 0 && random.IntN(2) == 0 {
				r.ID = own[0].ID
				write = overwriting(r.ID, r, true)
			}
			err := c.store.Transact(c.ctx, write)
			if _, broken := errors.AsType[store.ConstraintError](err); err != nil && !broken {
				return err
			}
			if err == nil && len(own) == 0 {
				own = append(own, r)
			}
		}
		return nil
	})
	c.succeed("concurrent writes", errs)
	all := c.list()
	for i, r := range all {
		if j := slices.IndexFunc(all[:i], r.breaks); j >= 0 {
			c.Fatalf("%+v and %+v break a constraint", *r, *all[j])
		}
	}
}
