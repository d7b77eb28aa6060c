package storetest

import (
	"context"
	"errors"
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
			"an insert sets the version to 1 and both times",
			"It must replace any values in the record passed to Insert, except for a time of creation that is set.",
			insertStamps,
		},
		{
			"an update adds one to the stored version",
			"The version in the record passed to Update must be ignored, so that an ETag is never reused for different content. An update without changes counts, because the record was written. After the largest version comes 1.",
			updateStamps,
		},
		{"an update keeps the time of creation", "If the record has no time of creation, the stored one stays. If it has one, that is saved.", updateLeavesCreated},
		{
			"each update of a transaction adds one to the version, if the transaction is saved",
			"Its own writes count as the stored record. The stored version must be that of the last saved change.",
			eachUpdateStamps,
		},
		{"each of several concurrent updates adds one to the version", "This includes updates that have not read the record first.", updatesAtOnceStamp},
	}
}

func saysStamps(c *trial[stamped]) {
	if stamper, ok := c.store.(store.Stamper); !ok || !stamper.Stamps() {
		c.Errorf("the store has no method Stamps() bool, or it returns false")
	}
}

// stampedIs checks a record's version, and that the written record equals the one read.
func stampedIs(c *trial[stamped], written *stamped, version int8) {
	c.Helper()
	read := c.get(written.ID)
	if read.Version != version {
		c.Errorf("the version is %d, want %d", read.Version, version)
	}
	c.same("Get after the write", written, read)
}

// isNow checks a time by the clock of the test, which may differ from that of the database.
func isNow(c *trial[stamped], name string, at time.Time) {
	c.Helper()
	if off := time.Since(at).Abs(); off > time.Hour {
		c.Errorf("%s is %s, %s from now", name, at, off)
	}
}

var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

func insertStamps(c *trial[stamped]) {
	plain, given := &stamped{Label: "a"}, &stamped{Label: "b", Version: 9, Created: longAgo, Modified: longAgo}
	c.insert(plain, given)
	for _, record := range []*stamped{plain, given} {
		stampedIs(c, record, 1)
		isNow(c, "modified", record.Modified)
	}
	isNow(c, "created", plain.Created)
	if !given.Created.Equal(longAgo) {
		c.Errorf("created was set to %s but is %s", longAgo, given.Created)
	}
}

// overwrite updates a record without reading it.
func overwrite(record *stamped) work[stamped] { return overwriting(record.ID, record, false) }

func updateStamps(c *trial[stamped]) {
	first := &stamped{Label: "a"}
	c.insert(first)
	version := int8(1)
	for i := range 130 {
		if version++; version < 0 {
			version = 1
		}
		given := []int8{0, 1, 77, -3, version - 1}[i%5]
		record := &stamped{ID: first.ID, Label: "b", Version: given, Modified: longAgo}
		if i%2 == 0 {
			c.transact(overwrite(record))
		} else {
			c.update(first.ID, func(r *stamped) { r.Version, r.Modified, record = given, longAgo, r })
		}
		stampedIs(c, record, version)
		isNow(c, "modified", record.Modified)
	}
}

func updateLeavesCreated(c *trial[stamped]) {
	first := &stamped{Label: "a", Created: longAgo}
	c.insert(first)
	record := &stamped{ID: first.ID, Label: "b"}
	c.transact(overwrite(record))
	stampedIs(c, record, 2)
	var changed *stamped
	c.update(first.ID, func(r *stamped) { r.Created, changed = time.Time{}, r })
	stampedIs(c, changed, 3)
	if !record.Created.Equal(longAgo) || !changed.Created.Equal(longAgo) {
		c.Errorf("created was %s, then %s, then %s", longAgo, record.Created, changed.Created)
	}
	earlier := longAgo.Add(-time.Hour)
	c.update(first.ID, func(r *stamped) { r.Created, changed = earlier, r })
	stampedIs(c, changed, 4)
	if !changed.Created.Equal(earlier) {
		c.Errorf("created was set to %s but is %s", earlier, changed.Created)
	}
}

func eachUpdateStamps(c *trial[stamped]) {
	record := &stamped{Label: "a"}
	c.transact(func(ctx context.Context, tx store.Tx[stamped]) error {
		record = &stamped{Label: "a"}
		if err := tx.Insert(ctx, record); err != nil {
			return err
		}
		record.Version = 50
		return errors.Join(tx.Update(ctx, record.ID, record), tx.Update(ctx, record.ID, record))
	})
	stampedIs(c, record, 3)
	c.rollsBack(overwrite(&stamped{ID: record.ID}))
	c.holds(record)
	c.update(record.ID, func(r *stamped) { record = r })
	stampedIs(c, record, 4)
}

func updatesAtOnceStamp(c *trial[stamped]) {
	record := &stamped{Label: "a"}
	c.insert(record)
	c.succeed("Update", together(many, func(i int) error {
		if i%2 == 0 {
			return c.store.Transact(c.ctx, overwrite(&stamped{ID: record.ID, Label: "b"}))
		}
		return c.store.Transact(c.ctx, updating(record.ID, func(r *stamped) { r.Label = "c" }))
	}))
	if got := c.get(record.ID).Version; got != many+1 {
		c.Errorf("after %d concurrent updates the version is %d, want %d", many, got, many+1)
	}
}
