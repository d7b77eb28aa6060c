package storetest

import (
	"errors"
	"fmt"
	"math"
	"time"
)

const valueReason = " The response to a write must equal those of the next read, byte for byte in JSON. " +
	"If a store changes a value, it must set the new one in the record, as it sets a generated identifier."

// valueRules check that records are read as Insert and Update have written them.
func valueRules() []rule[*trial[account]] {
	var rules []rule[*trial[account]]
	for _, values := range []struct {
		name, reason string
		given        []*account
	}{
		{
			"every type of field is read as it was written",
			"Strings, numbers, bools, times, bytes, lists, maps and structs must be saved, null or not.",
			[]*account{full("")},
		},
		{
			"zero values are read as zero values",
			"A store must not set defaults: 0, false and the empty string are values. Update writes fields that became zero or null, too.",
			[]*account{{}},
		},
		{
			"null and zero are different",
			"A nil pointer is null; a pointer to zero, or to an empty string, is not.",
			[]*account{{}, {Serial: new(""), Note: new(""), Score: new(0.0), LeftAt: &time.Time{}, Home: &dwelling{}}},
		},
		{
			"nil and empty lists and maps are read without elements",
			"Both are [] or {} in JSON. Suite.Values tests that they are distinguished.",
			[]*account{
				{Home: &dwelling{}},
				{Data: []byte{}, Tags: []string{}, Marks: map[string]int{}, Address: dwelling{Bells: []string{}}, Home: &dwelling{Bells: []string{}}},
			},
		},
		{"a time is read as the same instant", "It must be exact to the microsecond, in any zone, and before 1970 too. The zone may be lost.", times()},
		{"strings are read byte for byte as written", "Nothing may be trimmed, folded, normalized or interpreted as SQL.", texts()},
		{"numbers are read exactly", "All 64 bits of an integer and a float must be kept, but the sign of zero.", numbers()},
	} {
		rules = append(rules, rule[*trial[account]]{values.name, values.reason + valueReason, func(c *trial[account]) { keepsAll(c, values.given) }})
	}
	return rules
}

func times() (all []*account) {
	east, west := time.FixedZone("", 14*60*60), time.FixedZone("", -9*60*60-30*60)
	for _, at := range []time.Time{
		{},
		time.Unix(0, 0),
		time.Now(),
		time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC),
		time.Date(1883, 11, 18, 12, 3, 58, 0, west),
		time.Date(1883, 11, 18, 12, 3, 58, 999999000, west),
		time.Date(2024, 12, 31, 23, 59, 59, 999999000, east),
		time.Date(2024, 12, 31, 23, 59, 59, 100000000, west),
		time.Date(2024, 2, 29, 23, 59, 59, 123456789, east), // a store may cut it to microseconds
		time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC),
	} {
		all = append(all, &account{SeenAt: at, LeftAt: &at})
	}
	return all
}

func texts() (all []*account) {
	for i, text := range []string{
		" space around ", "line\r\nbreaks\ttabs", "UPPER lower", "e\u0301 \u00e9", "\u1e9e \u00df ss", "日本語 עברית 🏴‍☠️",
		`quotes ' " ` + "`", `back\slash`, "100% _sure_", "'; DROP TABLE records; --", "null", "\u200b\ufeff\u007f", "{\"json\": [1]}", "<&>\u2028\"\\\x7f",
	} {
		all = append(all, &account{Name: text, Note: &text, Tags: []string{text, text}, Marks: map[string]int{text: i, "a": 3}, Address: dwelling{Street: text}})
	}
	return all
}

func numbers() (all []*account) {
	integers := []int64{math.MinInt64, math.MaxInt64, 1<<53 + 1, -1, 0}
	for i, float := range []float64{math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1, -1.0 / 3, math.Copysign(0, -1)} {
		all = append(all, &account{Count: integers[i], Ratio: float, Score: &float})
	}
	return all
}

// keepsAll writes records in three ways, and compares them with what Get and List return: as values, and in JSON.
func keepsAll(c *trial[account], given []*account) {
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
			if record.Email = fmt.Sprint(way, n); record.Serial != nil {
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
