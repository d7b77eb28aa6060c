package storetest

import (
	"math"
	"strconv"
	"time"
)

func valueRules() []rule[Record] {
	return []rule[Record]{
		{
			"every kind of field comes back as it was written",
			"Strings, numbers, bools, times, bytes, lists, maps and structs, null or not, survive the store.",
			comesBack(full("a")),
		},
		{
			"zero values come back as zero values",
			"A store fills nothing in: an explicit 0, false or empty string is a value.",
			comesBack(&Record{}),
		},
		{
			"null and zero are two values",
			"A nil pointer is null; a pointer to zero, or to an empty string, is not.",
			nullIsNotZero,
		},
		{
			"nil and empty lists and maps come back without elements",
			"Both are written [] and {} in JSON. RunValues tells them apart.",
			emptyLists,
		},
		{
			"a time comes back as the same instant",
			"To the microsecond, in whatever zone, before 1970 too. The zone itself may be lost.",
			times,
		},
		{
			"text comes back as it was written, byte for byte",
			"Nothing is trimmed, folded, normalized or taken for a part of a query.",
			texts,
		},
		{
			"numbers come back exactly",
			"All 64 bits of an integer and of a float.",
			numbers,
		},
	}
}

// comesBack checks that a record can be inserted, read and listed.
func comesBack(record *Record) func(*trial[Record]) {
	return func(c *trial[Record]) {
		c.insert(record)
		c.same("Get", record, c.get(record.ID))
		c.holds(record)
	}
}

func nullIsNotZero(c *trial[Record]) {
	null := named("null")
	zero := named("zero")
	zero.Serial, zero.Note, zero.Score = new(""), new(""), new(0.0)
	zero.LeftAt, zero.Home = &time.Time{}, &Address{}
	c.insert(null, zero)
	c.holds(null, zero)
}

func emptyLists(c *trial[Record]) {
	none, empty := named("none"), named("empty")
	empty.Data, empty.Tags, empty.Marks, empty.Address.Bells = []byte{}, []string{}, map[string]int{}, []string{}
	c.insert(none, empty)
	c.holds(none, empty)
}

func times(c *trial[Record]) {
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

func texts(c *trial[Record]) {
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

func numbers(c *trial[Record]) {
	integers := []int64{math.MinInt64, math.MaxInt64, 1<<53 + 1, -1}
	floats := []float64{math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1, -1.0 / 3}
	for i := range integers {
		record := named(strconv.Itoa(i))
		record.Count, record.Ratio, record.Score = integers[i], floats[i], &floats[i]
		c.insert(record)
		c.same("Get", record, c.get(record.ID))
	}
}
