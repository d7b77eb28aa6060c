package sqlstore_test

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// item has fields of every type that queries compare and sort by, nullable and not.
type item struct {
	ID     int64      `json:"id" api:"id"`
	Name   string     `json:"name" api:"filter=partial|range,sort,search"`
	Alias  *string    `json:"alias" api:"filter=partial|exists,sort,search"`
	Level  level      `json:"level" api:"filter=exact,sort"`
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
	Place  place      `json:"place"`
	Home   *place     `json:"home"`
	Price  decimal    `json:"price" api:"filter=exact|range,sort"`
	Offer  *decimal   `json:"offer" api:"filter=exact|range|exists,sort"`
}

// level is a named string type.
type level string

// place is a struct within an item.
type place struct {
	City  string     `json:"city" api:"filter=partial,sort,search"`
	Floor *int       `json:"floor" api:"filter=exact|range|exists,sort"`
	Since *time.Time `json:"since" api:"filter=range|exists,sort"`
	Note  string     `json:"note"`
	Fee   *decimal   `json:"fee" api:"filter=exact|range|exists,sort"`
}

// decimal is a number that is stored as written and sorted by value.
type decimal string

func (d decimal) MarshalText() ([]byte, error) { return []byte(cmp.Or(d, "0")), nil }

func (d *decimal) UnmarshalText(text []byte) error {
	*d = decimal(text)
	return nil
}

func (d decimal) OrderKey() string { return store.NumberKey(string(cmp.Or(d, "0"))) }

// keyed has a client-set identifier.
type keyed struct {
	Nickname string `json:"nickname" api:"id"`
	Points   int64  `json:"points"`
}

// token has a UUID as identifier.
type token struct {
	ID    uuid.UUID `json:"id" api:"id"`
	Label string    `json:"label"`
}
