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
			"every kind of field comes back as it was written",
			"Strings, numbers, bools, times, bytes, lists, maps and structs, null or not, survive the store.",
			comesBack(full("a")),
		},
		{"zero values come back as zero values", "A store fills nothing in: an explicit 0, false or empty string is a value.", comesBack(&account{})},
		{"null and zero are two values", "A nil pointer is null; a pointer to zero, or to an empty string, is not.", nullIsNotZero},
		{"nil and empty lists and maps come back without elements", "Both are written [] and {} in JSON. Suite.Values tells them apart.", emptyLists},
		{"a time comes back as the same instant", "To the microsecond, in whatever zone, before 1970 too. The zone itself may be lost.", times},
		{"text comes back as it was written, byte for byte", "Nothing is trimmed, folded, normalized or taken for a part of a query.", texts},
		{"numbers come back exactly", "All 64 bits of an integer and of a float.", numbers},
	}
}

// comesBack checks that a record can be inserted, read and listed.
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
	zero.LeftAt, zero.Home = &time.Time{}, &address{}
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
			c.Errorf("%v came back as %v and %v", at, got.SeenAt, got.LeftAt)
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

const settledReason = "The answer to a write, and the ETag that is computed from it, must fit the next read, byte for byte in JSON. " +
	"Where a store cannot keep a value as it was given, it sets what it keeps in the record, as it sets a generated identifier."

func settledRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"what an insert leaves in the record is what is read", settledReason, insertSettles},
		{"what an update leaves in the record is what is read", settledReason, updateSettles},
	}
}

// delicate returns records with values that not every store can keep.
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
		"the time of this moment": {Email: "here", SeenAt: here, LeftAt: &here},
		"whole seconds in a zone": {Email: "whole", SeenAt: exact.Truncate(time.Second), LeftAt: new(early.Truncate(time.Second))},
		"zeros with a sign":       {Email: "sign", Ratio: negative, Score: &negative},
		"large and small floats":  {Email: "large", Ratio: math.MaxFloat64, Score: new(math.SmallestNonzeroFloat64)},
		"empty lists":             {Email: "empty", Data: []byte{}, Tags: []string{}, Marks: map[string]int{}, Address: address{Bells: []string{}}, Home: &address{Bells: []string{}}},
		"nil lists in an object":  {Email: "nil", Home: &address{}},
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

// settles checks that what a write leaves in a record is what Get and List return, byte for byte in JSON.
func settles(c *trial[account], write func(record *account) work[account]) {
	c.Helper()
	codec := codecOf[account](c.scene)
	same := func(name string, written, read *account) {
		c.Helper()
		want, err := codec.AppendState(nil, written)
		got, gotErr := codec.AppendState(nil, read)
		if err := errors.Join(err, gotErr); err != nil || string(want) != string(got) {
			c.Errorf("%s: the write left\n%s\nand it is read as (error %v)\n%s", name, want, err, got)
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
