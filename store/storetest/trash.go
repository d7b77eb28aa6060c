package storetest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/trove-api/trove/store"
)

// leaf has a trash, and references others of its type with each ondelete.
type leaf struct {
	ID        int64      `json:"id" api:"id"`
	Code      *string    `json:"code" api:"unique"`
	Under     *int64     `json:"under" api:"ref=Leaf,ondelete=cascade"`
	By        *int64     `json:"by" api:"ref=Leaf"`
	Beside    *int64     `json:"beside" api:"ref=Leaf,ondelete=null"`
	Version   int64      `json:"version" api:"version"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

func trashRules() []rule[*trial[leaf]] {
	return []rule[*trial[leaf]]{
		{
			"a deleted record is in the trash alone",
			"No method may return it but a List with Query.Deleted, and none may change it but those of store.TrashTx.",
			isInTrash,
		},
		{
			"random deletes, restores and purges match the reference implementation",
			"A deletion takes living records along by cascade, and restoring brings back those alone. Living records alone count for unique fields, restrict and new references.",
			randomTrash,
		},
	}
}

// inTrash runs a function with the trash of a transaction.
func (c *trial[R]) inTrash(fn func(ctx context.Context, trash store.TrashTx) error) error {
	return c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[R]) error {
		trash, ok := tx.(store.TrashTx)
		if !ok {
			return errors.New("the transaction is not a store.TrashTx")
		}
		return fn(ctx, trash)
	})
}

func isInTrash(c *trial[leaf]) {
	if trasher, ok := c.store.(store.Trasher); !ok || !trasher.Trashes() {
		c.Errorf("the store has no method Trashes() bool, or it returns false")
	}
	kept, gone := &leaf{Code: new("a")}, &leaf{Code: new("b")}
	c.insert(kept, gone)
	c.remove(gone.ID)
	c.holdsAlike(kept)
	_, err := c.store.Get(c.ctx, gone.ID)
	c.fails("Get of a deleted record", err, store.ErrNotFound)
	c.getsMany([]any{gone.ID, kept.ID}, []*leaf{nil, kept})
	c.fails("Delete of a deleted record", c.store.Transact(c.ctx, removing[leaf](gone.ID)), store.ErrNotFound)
	c.fails("Update of a deleted record", c.store.Transact(c.ctx, overwriting(gone.ID, gone, false)), store.ErrNotFound)
	c.fails("Restore of a living record", c.inTrash(func(ctx context.Context, trash store.TrashTx) error { return trash.Restore(ctx, kept.ID) }), store.ErrNotFound)
	c.fails("Purge of a living record", c.inTrash(func(ctx context.Context, trash store.TrashTx) error { return trash.Purge(ctx, kept.ID) }), store.ErrNotFound)
	for deleted, want := range map[store.Deleted][]any{"": {kept.ID}, store.OnlyDeleted: {gone.ID}, store.WithDeleted: {kept.ID, gone.ID}} {
		page, err := c.store.List(c.ctx, store.Query{Deleted: deleted, Count: true})
		if err != nil || page.Total != len(want) {
			c.Errorf("List with Deleted %q: a total of %d (%v), want %d", deleted, page.Total, err, len(want))
		}
		c.same("List with Deleted "+string(deleted), want, c.idsOf(page.Items))
	}
}

// leaves is the expected content of a store. Records of one deletion have one time.
type leaves map[int64]*leaf

func randomTrash(c *trial[leaf]) {
	random, want := newGenerator(9), leaves{}
	for step := range trials(800) {
		ids := append(slices.Sorted(maps.Keys(want)), 0)
		some := func() int64 { return ids[random.IntN(len(ids))] }
		someRef := func(most int) *int64 {
			if random.IntN(most) > 0 {
				return nil
			}
			return new(some())
		}
		id, expected := some(), leaves{}
		for n, each := range want {
			expected[n] = new(*each)
		}
		var err, wanted error
		switch random.IntN(10) {
		default:
			record := &leaf{Code: new(string(rune('a' + random.IntN(20)))), Under: someRef(2), By: someRef(20), Beside: someRef(4)}
			wanted, err = expected.insert(record), c.store.Transact(c.ctx, inserting(record))
			expected[record.ID] = record
		case 2, 3:
			wanted = expected.delete(id, new(time.Unix(int64(step), 0)))
			err = c.store.Transact(c.ctx, removing[leaf](id))
		case 4, 6:
			wanted, err = expected.restore(id), c.inTrash(func(ctx context.Context, trash store.TrashTx) error { return trash.Restore(ctx, id) })
		case 5:
			wanted, err = expected.purge(id), c.inTrash(func(ctx context.Context, trash store.TrashTx) error { return trash.Purge(ctx, id) })
		}
		if !errors.Is(err, wanted) {
			c.Fatalf("step %d, with the record %d: error %v, want %v", step, id, err, wanted)
		}
		if wanted == nil {
			want = expected
		}
		page, err := c.store.List(c.ctx, store.Query{Deleted: store.WithDeleted})
		if err != nil || len(page.Items) != len(want) {
			c.Fatalf("step %d, with the record %d: %d records (%v), want %d", step, id, len(page.Items), err, len(want))
		}
		for _, got := range page.Items {
			then := *want[got.ID]
			if (then.DeletedAt == nil) == (got.DeletedAt == nil) {
				then.DeletedAt = got.DeletedAt
			}
			c.same("List with the trash", &then, got)
		}
	}
}

// insert returns the error of an insert, nil for none.
func (l leaves) insert(record *leaf) error {
	record.Version = 1
	for _, to := range []*int64{record.Under, record.By, record.Beside} {
		if to != nil && !l.isLiving(*to) {
			return store.ErrConflict
		}
	}
	return l.isTaken(record)
}

func (l leaves) isLiving(id int64) bool { return l[id] != nil && l[id].DeletedAt == nil }

// isTaken returns the error of a record whose code a living one has.
func (l leaves) isTaken(record *leaf) error {
	for _, other := range l {
		if other != record && other.DeletedAt == nil && *other.Code == *record.Code {
			return store.ErrConflict
		}
	}
	return nil
}

// with returns a record and those that reference it by cascade, over any number of steps, if is holds for them.
func (l leaves) with(id int64, is func(*leaf) bool) map[int64]bool {
	found := map[int64]bool{id: true}
	for grows := true; grows; {
		grows = false
		for n, each := range l {
			if each.Under != nil && found[*each.Under] && !found[n] && is(each) {
				found[n], grows = true, true
			}
		}
	}
	return found
}

// leaving returns a record and those that its deletion takes along, or the error of a reference to one of them that
// restricts it. The references of records for which is holds count.
func (l leaves) leaving(id int64, is func(*leaf) bool) (map[int64]bool, error) {
	gone := l.with(id, is)
	for n, each := range l {
		if n != id && each.By != nil && gone[*each.By] && is(each) {
			return nil, store.ErrConflict
		}
	}
	return gone, nil
}

func (l leaves) delete(id int64, at *time.Time) error {
	if !l.isLiving(id) {
		return store.ErrNotFound
	}
	gone, err := l.leaving(id, func(each *leaf) bool { return each.DeletedAt == nil })
	for n := range gone {
		l[n].DeletedAt = at
		l[n].Version++
	}
	return err
}

func (l leaves) restore(id int64) error {
	if l[id] == nil || l.isLiving(id) {
		return store.ErrNotFound
	}
	at := l[id].DeletedAt
	restored := l.with(id, func(each *leaf) bool { return each.DeletedAt == at })
	for n := range restored {
		l[n].DeletedAt = nil
		l[n].Version++
	}
	for n := range restored {
		record := l[n]
		if record.Under != nil && !l.isLiving(*record.Under) || record.By != nil && !l.isLiving(*record.By) {
			return store.ErrConflict
		}
		if err := l.isTaken(record); err != nil {
			return err
		}
	}
	return nil
}

func (l leaves) purge(id int64) error {
	if l[id] == nil || l.isLiving(id) {
		return store.ErrNotFound
	}
	gone, err := l.leaving(id, func(*leaf) bool { return true })
	maps.DeleteFunc(l, func(n int64, _ *leaf) bool { return gone[n] })
	for _, each := range l {
		if each.Beside != nil && gone[*each.Beside] {
			each.Beside = nil
			each.Version++
		}
	}
	return err
}
