package storetest

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/trove-api/trove/store"
)

func concurrencyRules() []rule[Record] {
	return []rule[Record]{
		{
			"no increment is lost",
			"Transactions that read, change and write one record at once follow one another in effect.",
			increments,
		},
		{
			"changes of different members of one record all survive",
			"Two clients that patch one record at once do not undo each other.",
			patches,
		},
		{
			"of many that delete one record at once one succeeds",
			"The others get store.ErrNotFound.",
			deleteRace,
		},
		{
			"a list never has half of a transaction",
			"Readers see all that a transaction saved or nothing of it.",
			listsAreWhole,
		},
		{
			"transactions that take two records in opposite order both succeed",
			"They do not wait for each other: the store orders them, or runs one again.",
			oppositeOrder,
		},
	}
}

const many = 50

func increments(c *trial[Record]) {
	record := named("a")
	c.insert(record)
	errs := together(many, func(int) error {
		return c.store.Transact(c.ctx, updating(record.ID, func(r *Record) { r.Count++ }))
	})
	c.succeed("increment", errs)
	if got := c.get(record.ID).Count; got != many {
		c.Errorf("%d increments at once made %d", many, got)
	}
}

func patches(c *trial[Record]) {
	record := named("a")
	c.insert(record)
	want := *record
	want.Marks = map[string]int{}
	for i := range many {
		want.Marks[strconv.Itoa(i)] = i
	}
	errs := together(many, func(i int) error {
		return c.store.Transact(c.ctx, updating(record.ID, func(r *Record) {
			if r.Marks == nil {
				r.Marks = map[string]int{}
			}
			r.Marks[strconv.Itoa(i)] = i
		}))
	})
	c.succeed("patch", errs)
	c.holds(&want)
}

func deleteRace(c *trial[Record]) {
	record := named("a")
	c.insert(record)
	errs := together(10, func(int) error { return c.store.Transact(c.ctx, removing[Record](record.ID)) })
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		c.fails("Delete at once with others", err, store.ErrNotFound)
	}
	if won != 1 {
		c.Errorf("%d of the deletes succeeded, want 1", won)
	}
}

// move takes one from a record's count and gives it to another's, in this order;
// between runs with both records read or changed in part.
func move(from, to int64, between func()) work[Record] {
	return func(ctx context.Context, tx store.Tx[Record]) error {
		if err := updating(from, func(r *Record) { r.Count-- })(ctx, tx); err != nil {
			return err
		}
		between()
		return updating(to, func(r *Record) { r.Count++ })(ctx, tx)
	}
}

func listsAreWhole(c *trial[Record]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	moved := make(chan error, 1)
	go func() {
		for range many {
			if err := c.store.Transact(c.ctx, move(a.ID, b.ID, func() {})); err != nil {
				moved <- err
				return
			}
		}
		moved <- nil
	}()
	for {
		records := c.list()
		if len(records) != 2 || records[0].Count+records[1].Count != 0 {
			c.Fatalf("a list has half of a transaction")
		}
		select {
		case err := <-moved:
			c.succeed("moving while listing", []error{err})
			return
		default:
		}
	}
}

func oppositeOrder(c *trial[Record]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	meet := meeting(2)
	errs := together(2, func(i int) error {
		from, to := a.ID, b.ID
		if i == 1 {
			from, to = to, from
		}
		return c.store.Transact(c.ctx, move(from, to, meet))
	})
	c.succeed("moving in opposite order", errs)
	c.holds(a, b)
}

// meeting returns a function that returns when n goroutines have called it, or after a
// moment: in a store with a single writer only one gets there.
func meeting(n int) func() {
	var mu sync.Mutex
	met, missing := make(chan struct{}), n
	return func() {
		mu.Lock()
		if missing--; missing == 0 {
			close(met)
		}
		mu.Unlock()
		select {
		case <-met:
		case <-time.After(100 * time.Millisecond):
		}
	}
}
