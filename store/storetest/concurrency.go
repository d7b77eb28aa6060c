package storetest

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

func concurrencyRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"no increment is lost", "Concurrent transactions that read and then write one record must have the same effect as one after the other.", increments},
		{"concurrent changes of different fields all survive", "Two clients that patch one record at once must not undo each other's changes.", patches},
		{"of concurrent deletes of one record, one succeeds", "All others must get store.ErrNotFound.", deleteRace},
		{"a list never shows half of a transaction", "Readers must see either everything that a transaction saved, or nothing.", listsAreComplete},
		{"transactions that lock two records in opposite order both succeed", "They must not wait for each other: the store puts them in order or runs one again.", oppositeOrder},
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

func patches(c *trial[account]) {
	record := named("a")
	c.insert(record)
	want := *record
	want.Marks = map[string]int{}
	for i := range many {
		want.Marks[strconv.Itoa(i)] = i
	}
	errs := together(many, func(i int) error {
		return c.store.Transact(c.ctx, updating(record.ID, func(r *account) {
			if r.Marks == nil {
				r.Marks = map[string]int{}
			}
			r.Marks[strconv.Itoa(i)] = i
		}))
	})
	c.succeed("patch", errs)
	c.holds(&want)
}

func deleteRace(c *trial[account]) {
	record := named("a")
	c.insert(record)
	errs := together(10, func(int) error { return c.store.Transact(c.ctx, removing[account](record.ID)) })
	c.oneSucceeds(errs, func(err error) { c.fails("concurrent Delete", err, store.ErrNotFound) })
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
	meet := meeting(2)
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

// meeting returns a function that returns when n goroutines have called it, or after a moment, because in a store with
// a single writer only one arrives.
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

// batchRules are about stores that are a [store.BatchGetter]; other stores skip them.
func batchRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"GetMany returns records in the order of the identifiers",
			"Callers rely on the position of each record. An identifier may occur more than once, and the list may be empty.",
			func(c *trial[account]) {
				a, b, d := full("a"), named("b"), named("d")
				c.insert(a, b, d)
				batch(c, []any{d.ID, a.ID, b.ID}, []*account{d, a, b})
				batch(c, []any{b.ID, b.ID, a.ID, b.ID}, []*account{b, b, a, b})
				batch(c, []any{}, nil)
				batch(c, nil, nil)
			},
		},
		{
			"GetMany returns nil for a missing record",
			"A missing record must not be an error, because the other records are still needed.",
			func(c *trial[account]) {
				a, b := named("a"), named("b")
				c.insert(a, b)
				c.remove(b.ID)
				batch(c, []any{a.ID + 1000, a.ID, b.ID, int64(-1), a.ID}, []*account{nil, a, nil, nil, a})
				batch(c, []any{b.ID}, []*account{nil})
			},
		},
		{
			"GetMany accepts many identifiers",
			"It must accept more than the database allows as parameters of one statement.",
			func(c *trial[account]) {
				a, b := named("a"), named("b")
				c.insert(a, b)
				ids, want := make([]any, manyValues), make([]*account, manyValues)
				for i := range ids {
					ids[i] = int64(i) + b.ID + 1
				}
				ids[7], want[7], ids[manyValues-1], want[manyValues-1] = b.ID, b, a.ID, a
				batch(c, ids, want)
			},
		},
		{
			"GetMany returns saved records and ends with the context",
			"It must behave as Get does.",
			func(c *trial[account]) {
				a, b := named("a"), named("b")
				c.insert(a, b)
				c.update(b.ID, func(r *account) { r.Name = "new" })
				b.Name = "new"
				c.remove(a.ID)
				batch(c, []any{a.ID, b.ID}, []*account{nil, b})
				batches, ok := c.store.(store.BatchGetter[account])
				if !ok {
					return
				}
				ctx, cancel := context.WithCancel(c.ctx)
				cancel()
				_, err := batches.GetMany(ctx, []any{b.ID})
				c.fails("GetMany", err, context.Canceled)
			},
		},
	}
}

// batch gets records with GetMany and compares them.
func batch[R any](c *trial[R], ids []any, want []*R) {
	c.Helper()
	batches, ok := c.store.(store.BatchGetter[R])
	if !ok {
		return
	}
	got, err := batches.GetMany(c.ctx, ids)
	if err != nil {
		c.Errorf("GetMany of %d: %v", len(ids), err)
		return
	}
	if len(got) != len(want) {
		c.Errorf("GetMany of %d identifiers returned %d records", len(ids), len(got))
		return
	}
	for i := range want {
		if want[i] == nil && got[i] != nil {
			c.Errorf("GetMany: record %d is not nil, want nil", i)
			return
		}
		if want[i] != nil {
			c.same("GetMany, record "+strconv.Itoa(i), want[i], got[i])
		}
	}
}

func keysTogether(c *trial[player]) {
	a, upper, odd := playerOf("a", 1), playerOf("A", 2), playerOf(`é"'\,{} `, 3)
	c.insert(a, upper, odd)
	ids := []any{odd.Nickname, "a ", a.Nickname, "e\u0301", upper.Nickname, "", "a\x00", "\xff"}
	want := []*player{odd, nil, a, nil, upper, nil, nil, nil}
	batch(c, ids, want)
	for i := range 200 {
		ids, want = append(ids, "none "+strconv.Itoa(i)), append(want, nil)
	}
	batch(c, append(ids, upper.Nickname), append(want, upper))
}

func uuidsTogether(c *trial[token]) {
	a, b := &token{Label: "a"}, &token{Label: "b"}
	c.insert(a, b)
	batch(c, []any{b.ID, a.ID}, []*token{b, a})
	batch(c, []any{b.ID, uuid.UUID{1}, a.ID, uuid.Nil}, []*token{b, nil, a, nil})
}
