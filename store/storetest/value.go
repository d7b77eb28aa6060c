package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"time"
)

// valueRules check that records are read as Insert and Update have written them.
func valueRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{{
		"every value is read as it was written",
		"Null, zero and the empty string are different values. Strings are kept byte for byte: nothing may be trimmed, folded, normalized or interpreted as SQL. " +
			"Numbers keep all 64 bits, but the sign of zero, and times the instant to the microsecond; their zone may be lost. Nil and empty lists may be the same. " +
			"The response to a write must equal those of the next read, byte for byte in JSON. If a store changes a value, it must set the new one in the record, as it sets a generated identifier.",
		keepsEach,
	}}
}

// keepsEach writes records in three ways, and compares them with what Get and List return: as values, and in JSON.
func keepsEach(c *trial[account]) {
	random := newGenerator(5)
	given := []*account{full(""), {}, {Serial: new(""), Note: new(""), Score: new(0.0), LeftAt: &time.Time{}, Home: &dwelling{}}}
	for range 30 {
		record := &account{}
		random.fill(reflect.ValueOf(record).Elem(), 0)
		given = append(given, record)
	}
	codec, written := codecOf[account](c.scene), map[int64]*account{}
	same := func(call string, written, read *account) {
		c.Helper()
		want, err := codec.AppendState(nil, written)
		got, gotErr := codec.AppendState(nil, read)
		if err := errors.Join(err, gotErr); err != nil || string(want) != string(got) {
			c.Errorf("%s: after the write the record is\n%s\nand it is read as (error %v)\n%s", call, want, err, got)
		}
	}
	for n, values := range given {
		for _, way := range []string{"insert", "update", "update without a read"} {
			record := new(*values)
			if record.ID, record.Email = 0, fmt.Sprint(way, n); record.Serial != nil {
				record.Serial = new(*record.Serial + record.Email)
			}
			want := new(*record)
			if way == "insert" {
				c.insert(record)
			} else {
				stored := full(record.Email)
				c.insert(stored)
				record.ID = stored.ID
				c.transact(overwriting(stored.ID, record, way == "update"))
			}
			read := c.get(record.ID)
			same("Get after an "+way, record, read)
			want.ID = record.ID
			c.same("Get after an "+way, toMicroseconds(want), toMicroseconds(read))
			written[record.ID] = record
		}
	}
	for _, listed := range c.list() {
		same("List", written[listed.ID], listed)
	}
}

// toMicroseconds cuts the times of a record, because stores may do so.
func toMicroseconds(record *account) *account {
	record = new(*record)
	if record.SeenAt = record.SeenAt.Truncate(time.Microsecond); record.LeftAt != nil {
		record.LeftAt = new(record.LeftAt.Truncate(time.Microsecond))
	}
	return record
}
