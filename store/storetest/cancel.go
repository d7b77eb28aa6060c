package storetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trove-api/trove/store"
)

func cancelRules() []rule[Record] {
	return []rule[Record]{
		{
			"a cancelled context is an error of every call",
			"Get, List and Transact return an error that is the context's, and nothing is saved.",
			cancelledBefore,
		},
		{
			"a transaction whose context is cancelled while it runs saves nothing",
			"Even if its function returns nil. The error is the context's, and the records can be changed by the next transaction.",
			cancelledWithin,
		},
		{
			"waiting for another transaction ends with the context",
			"A request that its client gave up does not go on waiting for a record.",
			cancelledWaiting,
		},
	}
}

func cancelledBefore(c *trial[Record]) {
	record := named("a")
	c.insert(record)
	ctx, cancel := context.WithCancel(c.ctx)
	cancel()
	_, err := c.store.Get(ctx, record.ID)
	c.fails("Get", err, context.Canceled)
	_, err = c.store.List(ctx, store.Query{})
	c.fails("List", err, context.Canceled)
	c.fails("Transact", c.store.Transact(ctx, inserting(named("b"))), context.Canceled)
	c.holds(record)
}

func cancelledWithin(c *trial[Record]) {
	record := named("a")
	c.insert(record)
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	err := c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[Record]) error {
		err := updating(record.ID, func(r *Record) { r.Name = "new" })(ctx, tx)
		cancel()
		return err
	})
	c.fails("Transact", err, context.Canceled)
	c.holds(record)
	c.update(record.ID, func(r *Record) { r.Name = "later" })
	record.Name = "later"
	c.holds(record)
}

func cancelledWaiting(c *trial[Record]) {
	record := named("a")
	c.insert(record)
	count := func(ctx context.Context, then func()) error {
		return c.store.Transact(ctx, func(ctx context.Context, tx store.Tx[Record]) error {
			err := updating(record.ID, func(r *Record) { r.Count++ })(ctx, tx)
			then()
			return err
		})
	}
	endsWaiting(c, count)
}

// endsWaiting checks that a transaction which waits for what another one holds gives up
// with its context. The transaction calls then when it has what both need.
func endsWaiting(c *trial[Record], transact func(ctx context.Context, then func()) error) {
	held, done := make(chan struct{}), make(chan struct{})
	var once, all sync.Once
	finish := func() { all.Do(func() { close(done) }) }
	defer finish()
	holder, waiter := make(chan error, 1), make(chan error, 1)
	go func() {
		holder <- transact(c.ctx, func() {
			once.Do(func() { close(held) })
			<-done
		})
	}()
	select {
	case <-held:
	case err := <-holder:
		c.Fatalf("Transact has ended before its function: %v", err)
	}
	ctx, cancel := context.WithTimeout(c.ctx, 50*time.Millisecond)
	defer cancel()
	go func() { waiter <- transact(ctx, func() {}) }()
	select {
	case err := <-waiter:
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			c.Errorf("Transact while another transaction has what it needs: error %v, want the context's", err)
		}
	case <-c.ctx.Done():
		c.Errorf("Transact went on waiting after its context was cancelled")
	}
	finish()
	c.succeed("the transaction that was waited for", []error{<-holder})
}
