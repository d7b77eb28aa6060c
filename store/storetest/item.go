package storetest

import (
	"time"

	"github.com/google/uuid"
)

// Item is what a store under [RunQueries] keeps: fields of every sort that queries
// compare and order by, with null and without.
type Item struct {
	ID     int64      `json:"id" api:"id"`
	Name   string     `json:"name" api:"filter=partial|range,sort,search"`
	Alias  *string    `json:"alias" api:"filter=partial|exists,sort,search"`
	Level  Level      `json:"level" api:"filter=exact,sort"`
	Active bool       `json:"active" api:"filter,sort"`
	Known  *bool      `json:"known" api:"filter=exact|exists,sort"`
	Count  int64      `json:"count" api:"filter=exact|range,sort"`
	Rank   *int16     `json:"rank" api:"filter=exact|range|exists,sort"`
	Size   uint32     `json:"size" api:"filter=exact|range,sort"`
	Score  *float64   `json:"score" api:"filter=exact|range|exists,sort"`
	SeenAt time.Time  `json:"seenAt" api:"filter=exact|range,sort"`
	LeftAt *time.Time `json:"leftAt" api:"filter=exact|range|exists,sort"`
	Key    uuid.UUID  `json:"key" api:"filter,sort"`
	Ref    *uuid.UUID `json:"ref" api:"filter=exact|exists,sort"`
	Place  Place      `json:"place"`
	Home   *Place     `json:"home"`
	Price  Decimal    `json:"price" api:"filter=exact|range,sort"`
	Offer  *Decimal   `json:"offer" api:"filter=exact|range|exists,sort"`
}

// Level is a string of a type of its own.
type Level string

// Place is the struct within an [Item].
type Place struct {
	City  string     `json:"city" api:"filter=partial,sort,search"`
	Floor *int       `json:"floor" api:"filter=exact|range|exists,sort"`
	Since *time.Time `json:"since" api:"filter=range|exists,sort"`
	Note  string     `json:"note"`
	Fee   *Decimal   `json:"fee" api:"filter=exact|range|exists,sort"`
}

// The values that items have. There are few of each, so that many items are equal in a
// field, and they are the ones that stores get wrong.
func (g *generator) item(id int64) *Item {
	return &Item{
		ID:     id,
		Name:   g.text(),
		Alias:  maybe(g, g.text),
		Level:  one(g, Level("low"), "Low", "high", ""),
		Active: g.coin(),
		Known:  maybe(g, g.coin),
		Count:  one(g, int64(-5), 0, 7, 10, 1<<53+1, -1<<63, 1<<63-1),
		Rank:   maybe(g, func() int16 { return one(g, int16(-2), 0, 9, 10) }),
		Size:   one(g, uint32(0), 2, 10, 1<<32-1),
		Score:  maybe(g, func() float64 { return one(g, -1.5, 0, 0.1, 10, 9.5, 1e300) }),
		SeenAt: g.time(),
		LeftAt: maybe(g, g.time),
		Key:    g.uuid(),
		Ref:    maybe(g, g.uuid),
		Place:  g.place(),
		Home:   maybe(g, g.place),
		Price:  g.decimal(),
		Offer:  maybe(g, g.decimal),
	}
}

func (g *generator) place() Place {
	return Place{City: g.text(), Floor: maybe(g, func() int { return one(g, -1, 0, 2, 12) }), Since: maybe(g, g.time), Note: "x", Fee: maybe(g, g.decimal)}
}

func (g *generator) text() string {
	return one(g,
		"", "a", "A", "b", "ab", "Ab c", "abc", "z", "Z", "é", "É", "e\u0301", "ÉTÉ d'été", "Σίσυφος", "ΣΊΣΥΦΟΣ", "ſea", "sea", "\u212Aelvin", "kelvin",
		"straße", "STRASSE", "100%", "100", "a_b", "axb", `a\b`, "a*b?", "[ab]", "it's", `"q"`, "'; DROP TABLE item; --", "two words", "words two",
		"日本", "🏴‍☠️", " a", "a ", "10", "9", "-", "twowords",
	)
}

// part is a text to look for: one that items have, or a piece of it.
func (g *generator) part() string {
	text := []rune(g.text())
	if len(text) > 1 && g.coin() {
		from := g.IntN(len(text))
		return string(text[from : from+1+g.IntN(len(text)-from)])
	}
	return one(g, string(text), "%", "_", "É", "σ", "S", "k", "ss", `\`, "a", "t")
}

func (g *generator) time() time.Time {
	zone := time.FixedZone("", 2*60*60)
	return one(g,
		time.Date(2024, 2, 29, 23, 30, 0, 0, zone),               // the same instant
		time.Date(2024, 2, 29, 21, 30, 0, 0, time.UTC),           // as this one
		time.Date(2024, 2, 29, 22, 0, 0, 0, time.UTC),            // later, but earlier as text
		time.Date(2024, 2, 29, 21, 30, 0, 1000, time.UTC),        // a microsecond later
		time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC), // before 1970
		time.Date(1850, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	)
}

func (g *generator) uuid() uuid.UUID {
	return uuid.MustParse(one(g, "00000000-0000-4000-8000-000000000001", "f0000000-0000-4000-8000-000000000001", "0f000000-0000-4000-8000-000000000001"))
}
