package storetest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/store"
)

func concurrencyRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"no increment is lost", "Concurrent transactions that read and then write one record must have the same effect as one after the other.", increments},
		{"a list never shows half of a transaction", "Readers must see either everything that a transaction saved, or nothing.", listsAreComplete},
		{"transactions that lock two records in opposite order both succeed", "They must not wait for each other: the store puts them in order or runs one again.", oppositeOrder},
		{"every call with a cancelled context returns an error", "Get, List and Transact must return the context's error and save nothing.", cancelledBefore},
		{"waiting for another transaction ends with the context", "If the client gives up, its request must stop waiting for the record.", cancelledWaiting},
	}
}

const many = 50

func increments(c *trial[account]) {
	record := named("a")
	c.insert(record)
	errs := together(many, func(int) error {
		return c.store.Transact(c.ctx, updating(record.ID, func(r *account) { r.Count++ }))
	})
	c.succeed("increment", errs)
	if got := c.get(record.ID).Count; got != many {
		c.Errorf("%d concurrent increments gave %d", many, got)
	}
}

// move decrements the count of one record and then increments that of another. It calls between with both records read
// or one changed.
func move(from, to int64, between func()) work[account] {
	return func(ctx context.Context, tx store.Tx[account]) error {
		if err := updating(from, func(r *account) { r.Count-- })(ctx, tx); err != nil {
			return err
		}
		between()
		return updating(to, func(r *account) { r.Count++ })(ctx, tx)
	}
}

func listsAreComplete(c *trial[account]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	moved := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < many && err == nil; i++ {
			err = c.store.Transact(c.ctx, move(a.ID, b.ID, func() {}))
		}
		moved <- err
	}()
	for {
		records := c.list()
		if len(records) != 2 || records[0].Count+records[1].Count != 0 {
			c.Fatalf("a list shows half of a transaction")
		}
		select {
		case err := <-moved:
			c.succeed("Transact during List", []error{err})
			return
		default:
		}
	}
}

func oppositeOrder(c *trial[account]) {
	a, b := named("a"), named("b")
	c.insert(a, b)
	met := make(chan struct{})
	meet := func() { // waits for the other, but only for a moment, because in a store with a single writer it does not arrive
		select {
		case met <- struct{}{}:
		case <-met:
		case <-time.After(100 * time.Millisecond):
		}
	}
	errs := together(2, func(i int) error {
		from, to := a.ID, b.ID
		if i == 1 {
			from, to = to, from
		}
		return c.store.Transact(c.ctx, move(from, to, meet))
	})
	c.succeed("Transact in opposite order", errs)
	c.holds(a, b)
}

func stockIsLimited(c *trial[item]) {
	const buyers, stock = 16, 5
	inStock := store.Gt("rank", int16(0))
	if c.rejects(store.Query{Where: []store.Condition{inStock}, Order: ordered("id").Order, Limit: 1}) {
		return
	}
	record := newGenerator(7).item(1)
	record.Rank = new(int16(stock))
	c.insert(record)
	var sold atomic.Int64
	c.succeed("concurrent UpdateWhere", together(buyers, func(int) error {
		n, err := store.UpdateWhere(c.ctx, c.store, func(r *item) error { *r.Rank--; return nil }, inStock)
		sold.Add(int64(n))
		return err
	}))
	if left := *c.get(record.ID).Rank; sold.Load() != stock || left != 0 {
		c.Errorf("UpdateWhere changed a record %d times until its rank was %d, want %d times and 0", sold.Load(), left, stock)
	}
}
