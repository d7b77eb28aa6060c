package formats

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Maker is the target of the references.
type Maker struct {
	ID   int64  `json:"id" api:"id"`
	Name string `json:"name"`
	City string `json:"city"`
}

// Coin has only short fields, so that what a format adds to each record weighs most.
type Coin struct {
	ID     int64   `json:"id" api:"id"`
	Name   string  `json:"name"`
	Metal  string  `json:"metal"`
	Weight float64 `json:"weight"`
	Year   int     `json:"year"`
	Sold   bool    `json:"sold"`
	Maker  int64   `json:"maker" api:"ref=Maker,expand"`
	Shelf  int64   `json:"shelf" api:"filter=exact"`
}

// Item is the record of the other benchmarks, about 600 bytes of JSON, with a reference.
type Item struct {
	ID          int64     `json:"id" api:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Category    string    `json:"category"`
	Email       string    `json:"email"`
	Price       int       `json:"price"`
	Quantity    int       `json:"quantity"`
	Rating      float64   `json:"rating"`
	Available   bool      `json:"available"`
	CreatedAt   time.Time `json:"createdAt"`
	Note        *string   `json:"note"`
	Maker       int64     `json:"maker" api:"ref=Maker,expand"`
	Shelf       int64     `json:"shelf" api:"filter=exact"`
}

// Letter has an object, a list, and a longer text with quotation marks and line breaks, which formats have to unescape
// and escape again.
type Letter struct {
	ID    int64    `json:"id" api:"id"`
	Title string   `json:"title"`
	Text  string   `json:"text"`
	To    Address  `json:"to"`
	Words []string `json:"words"`
	Maker int64    `json:"maker" api:"ref=Maker,expand"`
	Shelf int64    `json:"shelf" api:"filter=exact"`
}

// Address is an object within a letter.
type Address struct {
	Street string `json:"street"`
	City   string `json:"city"`
}

// The number of records.
const (
	records = 900
	shelves = 30 // with 30 records each
	makers  = 100
)

// generate returns a number of records, the same ones each time.
func generate[T any](n int, record func(random *rand.Rand, id int64) T) []T {
	random := rand.New(rand.NewPCG(4, 2)) //nolint:gosec // nothing to be kept secret
	all := make([]T, n)
	for i := range all {
		all[i] = record(random, int64(i+1))
	}
	return all
}

func newMaker(r *rand.Rand, id int64) Maker { return Maker{id, "Maker " + words(r, 2), words(r, 1)} }

func newCoin(r *rand.Rand, id int64) Coin {
	return Coin{id, words(r, 2), words(r, 1), float64(r.IntN(4000)) / 8, r.IntN(2000), r.IntN(2) > 0, r.Int64N(makers) + 1, id % shelves}
}

func newItem(r *rand.Rand, id int64) Item {
	return Item{
		id, words(r, 3), words(r, 70), words(r, 1), fmt.Sprintf("keeper%d@example.com", id), r.IntN(5000), r.IntN(90), float64(r.IntN(50)) / 10,
		r.IntN(2) > 0, time.Date(2026, 5, 17, 8, 30, r.IntN(60), 250_000_000, time.UTC), nil, r.Int64N(makers) + 1, id % shelves,
	}
}

func newLetter(r *rand.Rand, id int64) Letter {
	text := ""
	for range 6 {
		text += words(r, 25) + ", and said: \"" + words(r, 15) + ".\"\n"
	}
	return Letter{id, words(r, 4), text, Address{words(r, 2), words(r, 1)}, strings.Fields(words(r, 3)), r.Int64N(makers) + 1, id % shelves}
}

// words returns a text with a number of words.
func words(r *rand.Rand, n int) string {
	all := strings.Fields("river mill chest rune caravan keeper night moon east rim worn edge lid crown ring gem")
	made := make([]string, n)
	for i := range made {
		made[i] = all[r.IntN(len(all))]
	}
	return strings.Join(made, " ")
}
