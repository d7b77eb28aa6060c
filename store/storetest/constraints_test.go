package storetest_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/storetest"
)

// These are faults of stores with constraints.
const (
	checksNothing    fault = "constraints are not checked"
	namesNothing     fault = "a broken constraint is a plain ErrConflict"
	nullConflicts    fault = "null equals null in a constraint"
	ignoresLimits    fault = "Only and Except are ignored"
	includesEnds     fault = "periods include their ends"
	nullNeverMatches fault = "a period without an end overlaps no other"
	anyOrder         fault = "a period may end before it begins"
)

var errReversed = errors.New("a period ends before it begins")

// bookingSchema returns what a plain store knows of bookings. It checks all constraints, in their order.
func bookingSchema(f fault) schema[storetest.Booking] {
	s := schema[storetest.Booking]{
		name:     "id",
		id:       func(r *storetest.Booking) any { return r.ID },
		generate: func(r *storetest.Booking, n int64) { r.ID = n },
		number:   func(r *storetest.Booking) int64 { return r.ID },
		unique:   func(*storetest.Booking) map[string]*string { return nil },
		less:     func(a, b *storetest.Booking) int { return int(a.ID - b.ID) },
	}
	s.broken = func(r, other *storetest.Booking) error {
		if other == nil {
			if f != anyOrder && (r.From != nil && r.To != nil && r.To.Before(*r.From) || r.Most < r.Least) {
				return errReversed
			}
			return nil
		}
		fields := brokenOf(f, r, other)
		switch {
		case fields == nil, f == checksNothing:
			return nil
		case f == namesNothing:
			return store.ErrConflict
		}
		broken := store.ConstraintError{Fields: fields, Message: "There is another one."}
		if len(fields) == 4 {
			broken.Message = "The item is booked in that time."
		}
		return broken
	}
	return s
}

// brokenOf returns the fields of a constraint that two bookings break.
func brokenOf(f fault, a, b *storetest.Booking) []string {
	equal := func(x, y *string) bool {
		return f == nullConflicts && x == nil && y == nil || x != nil && y != nil && *x == *y
	}
	isSeated := func(r *storetest.Booking) bool { return f == ignoresLimits || r.Status == "it's seated" }
	isFree := func(r *storetest.Booking) bool {
		return f != ignoresLimits && slices.Contains([]string{"cancelled", "returned"}, r.Status)
	}
	sameSeat := a.Seat != nil && b.Seat != nil && *a.Seat == *b.Seat
	overlap := overlaps(f, a.From, a.To, b.From, b.To)
	first, last := max(a.Least, b.Least), min(a.Most, b.Most)
	switch {
	case !isFree(a) && !isFree(b) && a.Room == b.Room && equal(a.Item, b.Item) && overlap:
		return []string{"from", "to", "item", "room"}
	case equal(a.Item, b.Item) && sameSeat:
		return []string{"item", "seat"}
	case isSeated(a) && isSeated(b) && a.Room == b.Room && sameSeat:
		return []string{"room", "seat"}
	case isSeated(a) && isSeated(b) && (first < last || f == includesEnds && first == last):
		return []string{"least", "most"}
	}
	return nil
}

func overlaps(f fault, from, to, otherFrom, otherTo *time.Time) bool {
	if f == nullNeverMatches && (from == nil || to == nil || otherFrom == nil || otherTo == nil) {
		return false
	}
	isBefore := func(begin, end *time.Time) bool {
		return begin == nil || end == nil || begin.Before(*end) || f == includesEnds && begin.Equal(*end)
	}
	return isBefore(from, to) && isBefore(otherFrom, otherTo) && isBefore(from, otherTo) && isBefore(otherFrom, to)
}

func TestASoundStoreWithConstraintsPasses(t *testing.T) {
	t.Parallel()
	storetest.Suite[any]{Constraints: sound(bookingSchema(none))}.Run(t)
}

func TestEveryRuleOfConstraintsIsBrokenBySomeFault(t *testing.T) {
	t.Parallel()
	const (
		random = "random writes are rejected exactly if they break a constraint"
		race   = "concurrent random writes never break a constraint together"
	)
	allBroken(t, storetest.ConstraintRules(), []broken[storetest.Booking]{
		{fault: checksNothing, rules: []string{random, race}},
		{fault: namesNothing, rules: []string{random}},
		{fault: collidesWithItself, rules: []string{random}},
		{fault: nullConflicts, rules: []string{random}},
		{fault: ignoresLimits, rules: []string{random}},
		{fault: includesEnds, rules: []string{random}},
		{fault: nullNeverMatches, rules: []string{random}},
		{fault: anyOrder, rules: []string{random}},
		{fault: ignoresDeletes, rules: []string{random}},
		{fault: locksNothing, rules: []string{race}},
		{fault: savesEachWrite, rules: []string{random}},
	}, func(f broken[storetest.Booking]) store.Store[storetest.Booking] {
		return newPlain(bookingSchema(f.fault), f.fault, nil)
	})
}
