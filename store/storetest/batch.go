package storetest

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// batchRules are about stores that are a [store.BatchGetter]; others are not asked.
func batchRules() []rule[Record] {
	return []rule[Record]{
		{
			"records that are got together come in the order of their identifiers in the call",
			"Whoever asks for them puts each where its identifier was. One may be asked for more than once, and none at all.",
			func(c *trial[Record]) {
				a, b, d := full("a"), named("b"), named("d")
				c.insert(a, b, d)
				batch(c, []any{d.ID, a.ID, b.ID}, []*Record{d, a, b})
				batch(c, []any{b.ID, b.ID, a.ID, b.ID}, []*Record{b, b, a, b})
				batch(c, []any{}, nil)
				batch(c, nil, nil)
			},
		},
		{
			"a record that is missing among others is nil",
			"It is no error: what referred to it is to be answered all the same.",
			func(c *trial[Record]) {
				a, b := named("a"), named("b")
				c.insert(a, b)
				c.remove(b.ID)
				batch(c, []any{a.ID + 1000, a.ID, b.ID, int64(-1), a.ID}, []*Record{nil, a, nil, nil, a})
				batch(c, []any{b.ID}, []*Record{nil})
			},
		},
		{
			"many records are got together",
			"More than a database lets a statement have parameters.",
			func(c *trial[Record]) {
				a, b := named("a"), named("b")
				c.insert(a, b)
				ids, want := make([]any, manyValues), make([]*Record, manyValues)
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
			func(c *trial[Record]) {
				a, b := named("a"), named("b")
				c.insert(a, b)
				c.update(b.ID, func(r *Record) { r.Name = "new" })
				b.Name = "new"
				c.remove(a.ID)
				batch(c, []any{a.ID, b.ID}, []*Record{nil, b})
				batches, ok := c.store.(store.BatchGetter[Record])
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

func keysTogether(c *trial[Keyed]) {
	a, upper, odd := keyed("a", 1), keyed("A", 2), keyed(`é"'\,{} `, 3)
	c.insert(a, upper, odd)
	ids := []any{odd.Nickname, "a ", a.Nickname, "e\u0301", upper.Nickname, "", "a\x00", "\xff"}
	want := []*Keyed{odd, nil, a, nil, upper, nil, nil, nil}
	batch(c, ids, want)
	for i := range 200 {
		ids, want = append(ids, "none "+strconv.Itoa(i)), append(want, nil)
	}
	batch(c, append(ids, upper.Nickname), append(want, upper))
}

func uuidsTogether(c *trial[Token]) {
	a, b := &Token{Label: "a"}, &Token{Label: "b"}
	c.insert(a, b)
	batch(c, []any{b.ID, a.ID}, []*Token{b, a})
	batch(c, []any{b.ID, uuid.UUID{1}, a.ID, uuid.Nil}, []*Token{b, nil, a, nil})
}
