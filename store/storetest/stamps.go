package storetest

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/trove-api/trove/store"
)

// stamped has every field that a store stamps. Its version is an int8, so that a test reaches its maximum.
type stamped struct {
	ID       int64     `json:"id" api:"id"`
	Label    string    `json:"label"`
	Version  int8      `json:"version" api:"version"`
	Created  time.Time `json:"created" api:"created"`
	Modified time.Time `json:"modified" api:"modified"`
}

func stampRules() []rule[*trial[stamped]] {
	return []rule[*trial[stamped]]{
		{"a store that stamps implements store.Stamper", "For other stores Trove stamps records itself and reads each record again to do so.", saysStamps},
		{
			"random writes set the version and both times",
			"An insert sets the version to 1, and each update adds one to the stored version, also the second one of a transaction, and one without changes. After the largest version comes 1. " +
				"The version in the record is ignored, so that an ETag is never reused for different content. So is the time of change, but a time of creation that is set is saved; else the stored one stays.",
			stampsAtRandom,
		},
		{"each of several concurrent updates adds one to the version", "This includes updates that have not read the record first.", updatesAtOnceStamp},
	}
}

func saysStamps(c *trial[stamped]) {
	if stamper, ok := c.store.(store.Stamper); !ok || !stamper.Stamps() {
		c.Errorf("the store has no method Stamps() bool, or it returns false")
	}
}

// isNow checks a time by the clock of the test, which may differ from that of the database.
func isNow(c *trial[stamped], name string, at time.Time) {
	c.Helper()
	if off := time.Since(at).Abs(); off > time.Hour {
		c.Errorf("%s is %s, %s from now", name, at, off)
	}
}

// stampsAtRandom runs transactions with a few writes of one record each.
func stampsAtRandom(c *trial[stamped]) {
	random, saved := newGenerator(19), map[int64]*stamped{}
	longAgo := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for range 300 {
		id, want, record := one(random, int64(1), 2), stamped{}, new(stamped)
		if stored := saved[id]; stored != nil {
			want = *stored
		}
		var writes []work[stamped]
		for range 1 + random.IntN(3) {
			given := stamped{ID: id, Label: one(random, "a", "b"), Version: one(random, int8(0), 1, 77, -3), Modified: longAgo}
			given.Created = one(random, time.Time{}, time.Time{}, longAgo, longAgo.Add(-time.Hour))
			isNew, isRead := want.Version == 0, random.coin()
			writes = append(writes, func(ctx context.Context, tx store.Tx[stamped]) error {
				if record = new(given); isNew {
					return tx.Insert(ctx, record)
				}
				return overwriting(id, record, isRead)(ctx, tx)
			})
			if want.Version++; want.Version < 0 {
				want.Version = 1
			}
			if !given.Created.IsZero() {
				want.Created = given.Created
			}
		}
		if random.IntN(6) == 0 {
			c.rollsBack(inTurn(writes...))
		} else {
			c.transact(inTurn(writes...))
			saved[id] = record
			isNow(c, "modified", record.Modified)
			if want.Created.IsZero() {
				isNow(c, "created", record.Created)
				want.Created = record.Created
			}
			if record.Version != want.Version || !record.Created.Equal(want.Created) {
				c.Fatalf("after %d writes the record is %+v, want the version %d and created %s", len(writes), *record, want.Version, want.Created)
			}
		}
		var records []*stamped
		for _, id := range slices.Sorted(maps.Keys(saved)) {
			records = append(records, saved[id])
		}
		c.holds(records...)
	}
}

func updatesAtOnceStamp(c *trial[stamped]) {
	record := &stamped{Label: "a"}
	c.insert(record)
	c.succeed("Update", together(many, func(i int) error {
		if i%2 == 0 {
			return c.store.Transact(c.ctx, overwriting(record.ID, &stamped{ID: record.ID, Label: "b"}, false))
		}
		return c.store.Transact(c.ctx, updating(record.ID, func(r *stamped) { r.Label = "c" }))
	}))
	if got := c.get(record.ID).Version; got != many+1 {
		c.Errorf("after %d concurrent updates the version is %d, want %d", many, got, many+1)
	}
}
