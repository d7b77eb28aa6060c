package storetest

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// recordRules are about records with a generated integer identifier, which every store supports.
func recordRules() []rule[*trial[account]] {
	return slices.Concat(
		[]rule[*trial[account]]{{"an empty store lists no records", "A collection without records is valid, so List must not return an error.", func(c *trial[account]) { c.holds() }}},
		integers().rules(), integerRules(), valueRules(), uniqueRules(), transactionRules(), concurrencyRules(),
	)
}

// account has one field of each type. The identifier is generated; Email and Serial are unique.
type account struct {
	ID      int64          `json:"id" api:"id"`
	Email   string         `json:"email" api:"unique"`
	Serial  *string        `json:"serial" api:"unique"`
	Name    string         `json:"name"`
	Note    *string        `json:"note"`
	Count   int64          `json:"count"`
	Ratio   float64        `json:"ratio"`
	Score   *float64       `json:"score"`
	Active  bool           `json:"active"`
	SeenAt  time.Time      `json:"seenAt"`
	LeftAt  *time.Time     `json:"leftAt"`
	Data    []byte         `json:"data"`
	Tags    []string       `json:"tags"`
	Marks   map[string]int `json:"marks"`
	Address dwelling       `json:"address"`
	Home    *dwelling      `json:"home"`
}

// dwelling is a struct within an account.
type dwelling struct {
	Street string   `json:"street"`
	Floor  *int     `json:"floor"`
	Bells  []string `json:"bells"`
}

// player has a string identifier, which the client chooses.
type player struct {
	Nickname string `json:"nickname" api:"id"`
	Points   int64  `json:"points" api:"filter=exact|range"`
}

// seat is identified by its hall and its name, which the client chooses.
type seat struct {
	Hall  int64  `json:"hall" api:"id"`
	Name  string `json:"name" api:"id"`
	Guest string `json:"guest" api:"filter,sort"`
}

// token has a UUID as identifier, which the store generates.
type token struct {
	ID    uuid.UUID `json:"id" api:"id"`
	Label string    `json:"label"`
}

// named returns a record that has only the required unique field.
func named(email string) *account { return &account{Email: email} }

// full returns a record with a nonzero value in every field except the identifier.
func full(email string) *account {
	zone := time.FixedZone("", 5*60*60+30*60)
	return &account{
		Email:   email,
		Serial:  new("serial of " + email),
		Name:    "Ada",
		Note:    new("first"),
		Count:   42,
		Ratio:   0.1,
		Score:   new(-2.5),
		Active:  true,
		SeenAt:  time.Date(2024, 2, 29, 23, 59, 58, 123456000, zone),
		LeftAt:  new(time.Date(1969, 12, 31, 0, 0, 0, 1000, time.UTC)),
		Data:    []byte{0, 1, 0xff},
		Tags:    []string{"a", "", "b"},
		Marks:   map[string]int{"x": 1, "": 2},
		Address: dwelling{Street: "Main", Floor: new(0), Bells: []string{"left"}},
		Home:    &dwelling{Street: "Side", Floor: new(-1), Bells: []string{"r", "l"}},
	}
}
