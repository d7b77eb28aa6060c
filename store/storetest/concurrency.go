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
		{"no increment is lost", "Transactions that read, change and write one record at once follow one another in effect.", increments},
		{"changes of different members of one record all survive", "Two clients that patch one record at once do not undo each other.", patches},
		{"of many that delete one record at once one succeeds", "The others get store.ErrNotFound.", deleteRace},
		{"a list never has half of a transaction", "Readers see all that a transaction saved or nothing of it.", listsAreWhole},
		{"transactions that take two records in opposite order both succeed", "They do not wait for each other: the store orders them, or runs one again.", oppositeOrder},
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
		c.Errorf("%d increments at once made %d", many, got)
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
	c.oneSucceeds(errs, func(err error) { c.fails("Delete at once with others", err, store.ErrNotFound) })
}

// move takes one from a record's count and gives it to another's, in this order;
// between runs with both records read or changed in part.
func move(from, to int64, between func()) work[account] {
	return func(ctx context.Context, tx store.Tx[account]) error {
		if err := updating(from, func(r *account) { r.Count-- })(ctx, tx); err != nil {
			return err
		}
		between()
		return updating(to, func(r *account) { r.Count++ })(ctx, tx)
	}
}

func listsAreWhole(c *trial[account]) {
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

// batchRules are about stores that are a [store.BatchGetter]; others are not asked.
func batchRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"records that are got together come in the order of their identifiers in the call",
			"Whoever asks for them puts each where its identifier was. One may be asked for more than once, and none at all.",
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
			"a record that is missing among others is nil",
			"It is no error: what referred to it is to be answered all the same.",
			func(c *trial[account]) {
				a, b := named("a"), named("b")
				c.insert(a, b)
				c.remove(b.ID)
				batch(c, []any{a.ID + 1000, a.ID, b.ID, int64(-1), a.ID}, []*account{nil, a, nil, nil, a})
				batch(c, []any{b.ID}, []*account{nil})
			},
		},
		{
			"many records are got together",
			"More than a database lets a statement have parameters.",
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
			"getting records together sees what is saved, and ends with the context",
			"As Get does.",
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

// batch gets records together, and compares them.
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
		c.Errorf("GetMany of %d returns %d", len(ids), len(got))
		return
	}
	for i := range want {
		if want[i] == nil && got[i] != nil {
			c.Errorf("GetMany: the record %d is there, want nil", i)
			return
		}
		if want[i] != nil {
			c.same("GetMany, number "+strconv.Itoa(i), want[i], got[i])
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
