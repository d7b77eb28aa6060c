package main

import "time"

// hoard returns the example treasures.
func hoard() []DragonTreasure {
	day := func(n int) time.Time { return time.Date(2026, time.January, n, 12, 0, 0, 0, time.UTC) }
	return []DragonTreasure{
		{
			Name: "Giant slinky", Description: new("Walks down stairs, alone or in pairs."), Value: 100,
			CoolFactor: new(8), IsPublished: true, PlunderedAt: day(2),
		},
		{
			Name: "Golden goblet", Description: new("Fills itself with mead at dusk."), Value: 1200,
			CoolFactor: new(10), IsPublished: true, PlunderedAt: day(3),
		},
		{Name: "Rusty crown", Value: 15, PlunderedAt: day(5)},
		{
			Name: "Silver mirror", Description: new("Shows the last face it saw."), Value: 640,
			CoolFactor: new(7), IsPublished: true, PlunderedAt: day(6),
		},
		{
			Name: "Amber comb", Description: new("A gnat in one of its teeth is older than the kingdom."), Value: 85,
			CoolFactor: new(4), IsPublished: true, PlunderedAt: day(8),
		},
		{Name: "Unmarked map", Description: new("Blank, but warm to the north."), Value: 300, PlunderedAt: day(9)},
		{
			Name: "Élan's lantern", Description: new("Burns as long as no one looks."), Value: 410,
			CoolFactor: new(9), IsPublished: true, PlunderedAt: day(11),
		},
		{Name: "Bag of buttons", Value: 3, CoolFactor: new(1), IsPublished: true, PlunderedAt: day(13)},
		{
			Name: "Golden ratio", Description: new("1.618 of it. The rest was stolen."), Value: 1618,
			CoolFactor: new(6), PlunderedAt: day(14),
		},
		{
			Name: "Emerald inkwell", Description: new("What is written with it cannot be read aloud."), Value: 980,
			CoolFactor: new(8), IsPublished: true, PlunderedAt: day(17),
		},
		{Name: "Left boot of seven leagues", Description: new("Goes in circles."), Value: 250, CoolFactor: new(5), PlunderedAt: day(20)},
		{
			Name: "Dragon's first tooth", Description: new("Not for sale."), Value: 5000,
			CoolFactor: new(10), IsPublished: true, PlunderedAt: day(24),
		},
	}
}

// crew returns the example programmers.
func crew() []Programmer {
	return []Programmer{{Nickname: "hopper", AvatarNumber: 7, TagLine: "The most dangerous phrase is: we have always done it this way.", UserID: 1}}
}
