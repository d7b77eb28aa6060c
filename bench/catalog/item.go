// Package catalog defines the records that every contender serves: items in memory.
package catalog

import (
	"strconv"
	"time"
)

// Item is the record. It has ten fields, two of which are times, and is about 600 bytes of JSON.
type Item struct {
	ID          int64     `json:"id" api:"id"`
	Name        string    `json:"name" validate:"required,max=100" api:"filter=exact"`
	Description string    `json:"description" validate:"max=500"`
	Category    string    `json:"category" validate:"oneof=weapon armour gem scroll"`
	Email       string    `json:"email" validate:"email"`
	Price       int       `json:"price" validate:"gte=0,lte=1000000"`
	FoundAt     time.Time `json:"foundAt"`
	Rating      int       `json:"rating" validate:"gte=0,lte=5"`
	Available   bool      `json:"available"`
	CreatedAt   time.Time `json:"createdAt" api:"created"`
}

// Path returns the path of the item with an identifier.
func Path(id int64) string { return "/api/items/" + strconv.FormatInt(id, 10) }

// Now returns the current time as items store it.
func Now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
