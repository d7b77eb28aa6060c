package storetest

import (
	"errors"
	"math"
	"strconv"
	"time"
)

func valueRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"every type of field is read as it was written",
			"Strings, numbers, bools, times, bytes, lists, maps and structs must be saved, null or not.",
			comesBack(full("a")),
		},
		{"zero values are read as zero values", "A store must not set defaults: 0, false and the empty string are values.", comesBack(&account{})},
		{"null and zero are different", "A nil pointer is null; a pointer to zero, or to an empty string, is not.", nullIsNotZero},
		{"nil and empty lists and maps are read without elements", "Both are [] or {} in JSON. Suite.Values tests that they are distinguished.", emptyLists},
		{"a time is read as the same instant", "It must be exact to the microsecond, in any zone, and before 1970 too. The zone may be lost.", times},
		{"strings are read byte for byte as written", "Nothing may be trimmed, folded, normalized or interpreted as SQL.", texts},
		{"numbers are read exactly", "All 64 bits of an integer and a float must be kept.", numbers},
	}
}

// comesBack checks that a record is read and listed as it was inserted.
func comesBack(record *account) func(*trial[account]) {
	return func(c *trial[account]) {
		c.insert(record)
		c.same("Get", record, c.get(record.ID))
		c.holds(record)
	}
}

func nullIsNotZero(c *trial[account]) {
	null := named("null")
	zero := named("zero")
	zero.Serial, zero.Note, zero.Score = new(""), new(""), new(0.0)
	zero.LeftAt, zero.Home = &time.Time{}, &dwelling{}
	c.insert(null, zero)
	c.holds(null, zero)
}

func emptyLists(c *trial[account]) {
	none, empty := named("none"), named("empty")
	empty.Data, empty.Tags, empty.Marks, empty.Address.Bells = []byte{}, []string{}, map[string]int{}, []string{}
	c.insert(none, empty)
	c.holds(none, empty)
}

func times(c *trial[account]) {
	east, west := time.FixedZone("", 14*60*60), time.FixedZone("", -9*60*60-30*60)
	for i, at := range []time.Time{
		{},
		time.Unix(0, 0),
		time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC),
		time.Date(1883, 11, 18, 12, 3, 58, 999999000, west),
		time.Date(2024, 12, 31, 23, 59, 59, 999999000, east),
		time.Date(2024, 12, 31, 23, 59, 59, 100000000, west),
		time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC),
	} {
		record := named(strconv.Itoa(i))
		record.SeenAt, record.LeftAt = at, &at
		c.insert(record)
		got := c.get(record.ID)
		if got.LeftAt == nil || !got.SeenAt.Equal(at) || !got.LeftAt.Equal(at) {
			c.Errorf("%v was read as %v and %v", at, got.SeenAt, got.LeftAt)
		}
	}
}

func texts(c *trial[account]) {
	for i, text := range []string{
		" space around ", "line\r\nbreaks\ttabs", "UPPER lower", "e\u0301 \u00e9", "\u1e9e \u00df ss", "日本語 עברית 🏴‍☠️",
		`quotes ' " ` + "`", `back\slash`, "100% _sure_", "'; DROP TABLE records; --", "null", "\u200b\ufeff\u007f", "{\"json\": [1]}",
	} {
		record := named(strconv.Itoa(i))
		record.Name, record.Note, record.Tags = text, &text, []string{text, text}
		record.Marks = map[string]int{text: i}
		record.Address.Street = text
		c.insert(record)
		c.same("Get", record, c.get(record.ID))
	}
}

func numbers(c *trial[account]) {
	integers := []int64{math.MinInt64, math.MaxInt64, 1<<53 + 1, -1}
	floats := []float64{math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1, -1.0 / 3}
	for i := range integers {
		record := named(strconv.Itoa(i))
		record.Count, record.Ratio, record.Score = integers[i], floats[i], &floats[i]
		c.insert(record)
		c.same("Get", record, c.get(record.ID))
	}
}

const settledReason = "The response to a write, and its ETag, must equal those of the next read, byte for byte in JSON. " +
	"If a store changes a value, it must set the new one in the record, as it sets a generated identifier."

func settledRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"after an insert the record equals what is read", settledReason, insertSettles},
		{"after an update the record equals what is read", settledReason, updateSettles},
	}
}

// delicate returns records with values that not every store can keep exactly.
func delicate() map[string]*account {
	east, west := time.FixedZone("", 14*60*60), time.FixedZone("", -9*60*60-30*60)
	negative := math.Copysign(0, -1)
	exact := time.Date(2024, 2, 29, 23, 59, 59, 123456789, east)
	early := time.Date(1883, 11, 18, 12, 3, 58, 999999999, west)
	here := time.Now()
	return map[string]*account{
		"a full record":           full("full"),
		"no value":                {Email: "zero"},
		"nanoseconds and zones":   {Email: "exact", SeenAt: exact, LeftAt: &early},
		"the current time":        {Email: "here", SeenAt: here, LeftAt: &here},
		"whole seconds in a zone": {Email: "whole", SeenAt: exact.Truncate(time.Second), LeftAt: new(early.Truncate(time.Second))},
		"negative zeros":          {Email: "sign", Ratio: negative, Score: &negative},
		"large and small floats":  {Email: "large", Ratio: math.MaxFloat64, Score: new(math.SmallestNonzeroFloat64)},
		"empty lists":             {Email: "empty", Data: []byte{}, Tags: []string{}, Marks: map[string]int{}, Address: dwelling{Bells: []string{}}, Home: &dwelling{Bells: []string{}}},
		"nil lists in an object":  {Email: "nil", Home: &dwelling{}},
		"text that JSON escapes":  {Email: "text", Name: "<&>\u2028\"\\\x7f\u00e9", Tags: []string{"<&>\u2028"}, Marks: map[string]int{"<&>": 1, "\u2028": 2, "a": 3}},
	}
}

func insertSettles(c *trial[account]) {
	settles(c, inserting[account])
}

func updateSettles(c *trial[account]) {
	for _, isRead := range []bool{true, false} {
		settles(c, func(record *account) work[account] {
			stored := named(record.Email)
			c.insert(stored)
			record.ID = stored.ID
			return overwriting(stored.ID, record, isRead)
		})
		for _, record := range c.list() {
			c.remove(record.ID)
		}
	}
}

// settles checks that the record after a write equals what Get and List return, byte for byte in JSON.
func settles(c *trial[account], write func(record *account) work[account]) {
	c.Helper()
	codec := codecOf[account](c.scene)
	same := func(name string, written, read *account) {
		c.Helper()
		want, err := codec.AppendState(nil, written)
		got, gotErr := codec.AppendState(nil, read)
		if err := errors.Join(err, gotErr); err != nil || string(want) != string(got) {
			c.Errorf("%s: after the write the record is\n%s\nand it is read as (error %v)\n%s", name, want, err, got)
		}
	}
	written := map[int64]*account{}
	for name, given := range delicate() {
		record := new(*given)
		c.transact(write(record))
		same(name, record, c.get(record.ID))
		written[record.ID] = record
	}
	for _, listed := range c.list() {
		same("List", written[listed.ID], listed)
	}
}
