package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// valueRules check that records are read as Insert and Update have written them, and shared with no caller.
func valueRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"a record may be changed after it was written or read",
			"Insert and Update must keep a copy, and a transaction's Get return one, so that only Update changes the saved record. Readers share records, so an update must not modify those that were read.",
			sharesNothing,
		},
		{
			"every value is read as it was written",
			"Null, zero and the empty string are different values. Strings are kept byte for byte: nothing may be trimmed, folded, normalized or interpreted as SQL. " +
				"Numbers keep all 64 bits, but the sign of zero, and times the instant to the microsecond; their zone may be lost. Nil and empty lists may be the same. " +
				"The response to a write must equal those of the next read, byte for byte in JSON. If a store changes a value, it must set the new one in the record, as it sets a generated identifier.",
			keepsEach,
		},
	}
}

func keepsEach(c *trial[account]) {
	random := newGenerator(5)
	keepsAll(c, 100, func(n int) *account {
		record := &account{}
		random.fill(reflect.ValueOf(record).Elem(), 0)
		if record.ID, record.Email = 0, fmt.Sprint(n); record.Serial != nil {
			record.Serial = new(*record.Serial + record.Email)
		}
		return record
	}, cmpopts.EquateEmpty())
}

// roundsTimes compares times to the microsecond.
var roundsTimes = cmp.Comparer(func(a, b time.Time) bool { return a.Truncate(time.Microsecond).Equal(b.Truncate(time.Microsecond)) })

// keepsAll inserts n records, or updates others to them, with and without a read. What was written, what is in the record
// then, and what Get and List return must be equal: as values, and the last two as JSON.
func keepsAll[R any](c *trial[R], n int, values func(n int) *R, options ...cmp.Option) {
	compiled, _ := model.Compile(reflect.TypeFor[R]()) // tests of all structs show that it succeeds
	codec, err := codec.Compile(&model.Type{Go: compiled.Go, Kind: model.Object, Struct: compiled})
	if err != nil {
		c.Fatalf("%v", err)
	}
	same := func(call string, written, read *R) {
		c.Helper()
		if diff := cmp.Diff(written, read, options...); diff != "" {
			c.Fatalf("%s (-written +read):\n%s", call, diff)
		}
		want, err := codec.AppendState(nil, written)
		if got, gotErr := codec.AppendState(nil, read); err != nil || gotErr != nil || string(got) != string(want) {
			c.Fatalf("%s: after the write the record is (error %v)\n%s\nand it is read as (error %v)\n%s", call, err, want, gotErr, got)
		}
	}
	settled := append(slices.Clip(options), roundsTimes)
	written := map[any]*R{}
	for i := range n {
		given := values(i)
		record := codec.Clone(given).(*R)
		if i%3 == 0 {
			c.insert(record)
		} else {
			stored := values(i)
			c.insert(stored)
			c.id.Set(record, c.id.Of(stored))
			c.transact(overwriting(c.id.Of(stored), record, i%3 == 1))
		}
		id := c.id.Of(record)
		c.id.Set(given, id)
		if diff := cmp.Diff(given, record, settled...); diff != "" {
			c.Fatalf("the record after the write (-given +got):\n%s", diff)
		}
		same("Get", record, c.get(id))
		written[id] = record
	}
	for _, listed := range c.list() {
		same("List", written[c.id.Of(listed)], listed)
	}
}
