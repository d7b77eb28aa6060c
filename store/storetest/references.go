package storetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/trove-api/trove/store"
)

// Visit is what a store under [RunCompositeReferences] keeps beside one of [Seat]: it refers to seats,
// which two fields identify together, by one key, by one that can be null, and by lists.
type Visit struct {
	ID    int64     `json:"id" api:"id"`
	Label string    `json:"label" api:"filter,sort"`
	Seat  SeatKey   `json:"seat" api:"ref=Seat,filter"`
	Spare *SeatKey  `json:"spare" api:"ref=Seat,filter=exact|exists,ondelete=null"`
	Seats []SeatKey `json:"seats" validate:"max=2000" api:"ref=Seat,filter"`
	Waits []SeatKey `json:"waits" validate:"max=2000" api:"ref=Seat,filter,ondelete=null"`
}

// SeatKey refers to a [Seat].
type SeatKey struct {
	Hall int64  `json:"hall"`
	Name string `json:"name"`
}

// RunCompositeReferences tests stores of records that refer to others which several fields identify
// together, as [Run] does: those of the tables of one database, or of one API in memory. Queries have
// such a reference as a [store.Key]. Each case calls open for two new and empty ones, of which the
// first knows that its references are to records of the second.
func RunCompositeReferences(t *testing.T, open func(t *testing.T) (store.Store[Visit], store.Store[Seat])) {
	t.Helper()
	for _, rule := range referenceRules() {
		t.Run(rule.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("the rule: %s", rule.reason)
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			visits, seats := open(t)
			rule.check(&referenceTrial{t, ctx, visits, seats})
		})
	}
}

// referenceRule is one case, as [rule] is.
type referenceRule struct {
	name   string
	reason string
	check  func(*referenceTrial)
}

// referenceTrial is the test of one rule on two stores.
type referenceTrial struct {
	reporter

	ctx    context.Context //nolint:containedctx // as that of a trial
	visits store.Store[Visit]
	seats  store.Store[Seat]
}

func referenceRules() []referenceRule {
	return append([]referenceRule{
		{
			"references of several parts come back as they were written",
			"With null apart from a key whose parts are zero, and lists in their order, with what is in them twice.",
			func(c *referenceTrial) { c.hold(c.fill(12)) },
		},
		{
			"references of several parts that change are saved with their record, or not at all",
			"All parts of one, and all of a list.",
			changesReferences,
		},
		{
			"a long list of references of several parts is kept whole",
			"However many arguments a statement has room for.",
			longList,
		},
		{
			"queries compare all parts of a reference",
			"One that shares a part is another one; a list has a reference if one of its elements is that.",
			comparesReferences,
		},
		{
			"a condition through a reference of several parts is about the record that it is to",
			"Of a list one record fulfils it whole.",
			goesThroughReferences,
		},
		{
			"mistakes in queries of references of several parts are errors",
			"A key has all parts, of their types; nothing else stands for it.",
			mistakesInReferences,
		},
	}, integrityRules()...)
}

func integrityRules() []referenceRule {
	return []referenceRule{
		{
			"a reference of several parts to what is not there is refused",
			"By a store.ReferenceError of its field, in an insert and in an update, and nothing is saved.",
			danglingReferences,
		},
		{
			"a record of several identifiers that is referred to is not deleted",
			"By a store.ReferenceError of the field that refers to it, be it a list.",
			restrictedReferences,
		},
		{
			"with ondelete=null a reference of several parts is let go",
			"The key becomes null as a whole, and lists lose the element alone.",
			forgottenReferences,
		},
		{
			"of an insert and a delete at once that contradict each other one succeeds",
			"Nothing is left that refers to what is gone.",
			racingReferences,
		},
	}
}

// seatKeys are of the seats that there are: no part tells them apart alone.
func seatKeys() []SeatKey {
	return []SeatKey{{0, ""}, {0, "a"}, {1, "a"}, {1, "b;c/d"}, {11, "a"}, {1, "é"}, {-1 << 63, `say "no"`}, {1<<63 - 1, "1"}}
}

func (k SeatKey) key() store.Key { return store.Key{k.Hall, k.Name} }

// fill inserts seats, whose guests are few, and visits.
func (c *referenceTrial) fill(n int) []*Visit {
	c.Helper()
	for i, k := range seatKeys() {
		c.put(seat(k.Hall, k.Name, strconv.Itoa(i%3)))
	}
	random := newGenerator(7)
	some := func() SeatKey { return one(random, seatKeys()...) }
	visits := make([]*Visit, n)
	for i := range visits {
		visits[i] = &Visit{
			ID: int64(i + 1), Label: one(random, "a", "b", "c"), Seat: some(), Spare: maybe(random, some),
			Seats: several(random, seatKeys()...), Waits: several(random, seatKeys()...),
		}
		if err := c.insert(visits[i]); err != nil {
			c.Fatalf("Insert: %v", err)
		}
	}
	return visits
}

func (c *referenceTrial) put(seats ...*Seat) {
	c.Helper()
	for _, one := range seats {
		if err := c.seats.Transact(c.ctx, inserting(one)); err != nil {
			c.Fatalf("Insert: %v", err)
		}
	}
}

func (c *referenceTrial) insert(visit *Visit) error {
	return c.visits.Transact(c.ctx, inserting(new(*visit)))
}

// hold checks that the store has these visits, however they are asked for.
func (c *referenceTrial) hold(want []*Visit) {
	c.Helper()
	page, err := c.visits.List(c.ctx, store.Query{})
	if err != nil {
		c.Fatalf("List: %v", err)
	}
	c.same("List", want, page.Items)
	ids := make([]any, len(want))
	for i, visit := range want {
		ids[i] = visit.ID
		got, err := c.visits.Get(c.ctx, visit.ID)
		if err != nil {
			c.Fatalf("Get: %v", err)
		}
		c.same("Get", []*Visit{visit}, []*Visit{got})
		err = c.visits.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Visit]) error {
			got, err := tx.Get(ctx, visit.ID)
			c.same("Get in a transaction", []*Visit{visit}, []*Visit{got})
			return err
		})
		if err != nil {
			c.Errorf("Get in a transaction: %v", err)
		}
	}
	if batches, ok := c.visits.(store.BatchGetter[Visit]); ok {
		got, err := batches.GetMany(c.ctx, ids)
		if err != nil {
			c.Fatalf("GetMany: %v", err)
		}
		c.same("GetMany", want, got)
	}
}

// same compares visits; an empty list and nil are one.
func (c *referenceTrial) same(call string, want, got []*Visit) {
	c.Helper()
	alike := func(a, b *Visit) bool {
		return a != nil && b != nil && a.ID == b.ID && a.Label == b.Label && a.Seat == b.Seat && reflect.DeepEqual(a.Spare, b.Spare) &&
			slices.Equal(a.Seats, b.Seats) && slices.Equal(a.Waits, b.Waits)
	}
	if !slices.EqualFunc(want, got, alike) {
		c.Errorf("%s returned %d visits that differ from the %d expected", call, len(got), len(want))
		for i := range min(len(want), len(got)) {
			if !alike(want[i], got[i]) {
				c.Errorf("the first is %+v, want %+v", got[i], want[i])
				return
			}
		}
	}
}

func changesReferences(c *referenceTrial) {
	visits, keys := c.fill(4), seatKeys()
	changes := []func(*Visit){
		func(v *Visit) { v.Seat, v.Spare = keys[3], &keys[0] },
		func(v *Visit) { v.Seat.Name, v.Seat.Hall = "a", 11 },
		func(v *Visit) { v.Spare, v.Seats = nil, []SeatKey{keys[1], keys[3], keys[1]} },
		func(v *Visit) { v.Label = "new" },
		func(v *Visit) { v.Seats, v.Waits = []SeatKey{keys[3], keys[1]}, nil },
	}
	for _, change := range changes {
		err := c.visits.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Visit]) error {
			return errors.Join(updating(int64(2), change)(ctx, tx), errRefused)
		})
		if !errors.Is(err, errRefused) {
			c.Errorf("a transaction that fails ends with %v", err)
		}
		c.hold(visits)
		if err := c.visits.Transact(c.ctx, updating(int64(2), change)); err != nil {
			c.Fatalf("Update: %v", err)
		}
		visits[1] = new(*visits[1])
		change(visits[1])
		c.hold(visits)
	}
	if err := c.visits.Transact(c.ctx, removing[Visit](int64(1))); err != nil {
		c.Fatalf("Delete: %v", err)
	}
	c.hold(visits[1:])
}

func longList(c *referenceTrial) {
	visits := c.fill(1)
	var long []SeatKey
	for i := range int64(1200) {
		long = append(long, SeatKey{100 + i, "z"})
	}
	err := c.seats.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Seat]) error {
		for _, k := range long {
			if err := tx.Insert(ctx, seat(k.Hall, k.Name, "z")); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = c.visits.Transact(c.ctx, updating(int64(1), func(v *Visit) { v.Seats = long }))
	}
	if err != nil {
		c.Fatalf("Update: %v", err)
	}
	visits[0].Seats = long
	c.hold(visits)
}

func danglingReferences(c *referenceTrial) {
	visits, keys := c.fill(1), seatKeys()
	gone := SeatKey{1, "a;b"} // of which each part is one of a seat's
	for field, change := range map[string]func(*Visit){
		"seat":  func(v *Visit) { v.Seat = gone },
		"spare": func(v *Visit) { v.Spare = &gone },
		"seats": func(v *Visit) { v.Seats = []SeatKey{keys[1], gone} },
		"waits": func(v *Visit) { v.Waits = []SeatKey{gone} },
	} {
		made := *visits[0]
		made.ID = 2
		change(&made)
		c.refers("Insert", c.insert(&made), field, false)
		c.refers("Update", c.visits.Transact(c.ctx, updating(int64(1), change)), field, false)
	}
	c.hold(visits)
}

// refers checks that a store refuses what would leave a reference without its record.
func (c *referenceTrial) refers(call string, err error, field string, referred bool) {
	c.Helper()
	var found store.ReferenceError
	want := store.ReferenceError{Record: reflect.TypeFor[Visit](), Field: field, Referred: referred}
	if !errors.As(err, &found) || found != want {
		c.Errorf("%s ends with %v, want %+v", call, err, want)
	}
}

func restrictedReferences(c *referenceTrial) {
	c.fill(0)
	keys := seatKeys()
	visit := &Visit{ID: 1, Seat: keys[2], Seats: []SeatKey{keys[3], keys[4]}}
	if err := c.insert(visit); err != nil {
		c.Fatalf("Insert: %v", err)
	}
	for field, k := range map[string]SeatKey{"seat": keys[2], "seats": keys[4]} {
		c.refers("Delete", c.seats.Transact(c.ctx, removing[Seat](k.key())), field, true)
	}
	if err := c.seats.Transact(c.ctx, removing[Seat](keys[1].key())); err != nil {
		c.Errorf("Delete of what shares parts with them: %v", err)
	}
	c.hold([]*Visit{visit})
}

func forgottenReferences(c *referenceTrial) {
	c.fill(0)
	keys := seatKeys()
	visits := []*Visit{
		{ID: 1, Seat: keys[2], Spare: &keys[3], Waits: []SeatKey{keys[3], keys[4], keys[3], keys[2]}},
		{ID: 2, Seat: keys[2], Spare: &keys[4], Waits: []SeatKey{keys[3]}},
	}
	for _, visit := range visits {
		if err := c.insert(visit); err != nil {
			c.Fatalf("Insert: %v", err)
		}
	}
	if err := c.seats.Transact(c.ctx, removing[Seat](keys[3].key())); err != nil {
		c.Fatalf("Delete: %v", err)
	}
	visits[0].Spare, visits[0].Waits, visits[1].Waits = nil, []SeatKey{keys[4], keys[2]}, nil
	c.hold(visits)
}

func racingReferences(c *referenceTrial) {
	keys := seatKeys()
	for i := range 10 {
		c.put(seat(keys[3].Hall, keys[3].Name, "x"), seat(keys[2].Hall, keys[2].Name, "x"))
		visit := &Visit{ID: int64(i + 1), Seat: keys[2], Seats: []SeatKey{keys[3]}}
		if i%2 == 0 {
			visit.Seat, visit.Seats = keys[3], nil
		}
		errs := together(2, func(n int) error {
			if n == 0 {
				return c.insert(visit)
			}
			return c.seats.Transact(c.ctx, removing[Seat](keys[3].key()))
		})
		var refused store.ReferenceError
		if (errs[0] == nil) == (errs[1] == nil) || !errors.As(errors.Join(errs...), &refused) || refused.Referred != (errs[0] == nil) {
			c.Fatalf("the insert ends with %v, the delete with %v", errs[0], errs[1])
		}
		if errs[0] == nil {
			err := errors.Join(c.visits.Transact(c.ctx, removing[Visit](visit.ID)), c.seats.Transact(c.ctx, removing[Seat](keys[3].key())))
			if err != nil {
				c.Fatalf("Delete: %v", err)
			}
		}
		if err := c.seats.Transact(c.ctx, removing[Seat](keys[2].key())); err != nil {
			c.Fatalf("Delete: %v", err)
		}
	}
}
