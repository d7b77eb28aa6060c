package storetest

import (
	"context"
	"errors"
	"reflect"
	"sync"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trove-api/trove/store"
)

// work is the function of a transaction.
type work[R any] = func(ctx context.Context, tx store.Tx[R]) error

// transact runs a transaction that must succeed.
func (c *trial[R]) transact(fn work[R]) {
	c.Helper()
	if err := c.store.Transact(c.ctx, fn); err != nil {
		c.Fatalf("Transact: %v", err)
	}
}

// insert adds each record in a transaction of its own.
func (c *trial[R]) insert(records ...*R) {
	c.Helper()
	for _, record := range records {
		c.transact(inserting(record))
	}
}

func inserting[R any](record *R) work[R] {
	return func(ctx context.Context, tx store.Tx[R]) error { return tx.Insert(ctx, record) }
}

// update reads, changes and writes a record in one transaction.
func (c *trial[R]) update(id any, change func(*R)) {
	c.Helper()
	c.transact(updating(id, change))
}

func updating[R any](id any, change func(*R)) work[R] {
	return func(ctx context.Context, tx store.Tx[R]) error {
		record, err := tx.Get(ctx, id)
		if err != nil {
			return err
		}
		change(record)
		return tx.Update(ctx, id, record)
	}
}

// remove deletes a record.
func (c *trial[R]) remove(id any) {
	c.Helper()
	c.transact(removing[R](id))
}

func removing[R any](id any) work[R] {
	return func(ctx context.Context, tx store.Tx[R]) error { return tx.Delete(ctx, id) }
}

// get returns a record that must be there.
func (c *trial[R]) get(id any) *R {
	c.Helper()
	record, err := c.store.Get(c.ctx, id)
	if err != nil {
		c.Fatalf("Get(%v): %v", id, err)
	}
	if record == nil {
		c.Fatalf("Get(%v) returned neither a record nor an error", id)
	}
	return record
}

// list returns all records.
func (c *trial[R]) list() []*R {
	c.Helper()
	page, err := c.store.List(c.ctx, store.Query{})
	if err != nil {
		c.Fatalf("List: %v", err)
	}
	return page.Items
}

// holds checks that the store holds these records, in this order.
func (c *trial[R]) holds(want ...*R) {
	c.Helper()
	c.same("List", want, c.list())
}

// same compares what a call gave with what is expected. Nil and empty lists are alike,
// and so are the time zones of one instant. What is equal to the bit, as most answers are,
// is found so much sooner that cmp is only asked about the rest.
func (c *trial[R]) same(call string, want, got any) {
	c.Helper()
	if reflect.DeepEqual(want, got) {
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		c.Errorf("%s (-want +got):\n%s", call, diff)
	}
}

// fails checks that an error is of a kind.
func (c *trial[R]) fails(call string, got, want error) {
	c.Helper()
	if !errors.Is(got, want) {
		c.Errorf("%s: error %v, want %v", call, got, want)
	}
}

// taken checks that an error says that a field's value is taken.
func (c *trial[R]) taken(call string, got error, field string) {
	c.Helper()
	c.fails(call, got, store.ErrConflict)
	if unique, ok := errors.AsType[store.UniqueError](got); !ok || unique.Field != field {
		c.Errorf("%s: error %#v, want a store.UniqueError of the field %q", call, got, field)
	}
}

// together runs a function n times at once, and returns the errors.
func together(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = fn(i) })
	}
	all.Wait()
	return errs
}

// succeed checks that none of the errors is one.
func (c *trial[R]) succeed(call string, errs []error) {
	c.Helper()
	if err := errors.Join(errs...); err != nil {
		c.Fatalf("%s: %v", call, err)
	}
}
