package main

import (
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Booking reserves a fitting room for some time.
type Booking struct {
	ID     int64     `json:"id"`
	Room   string    `json:"room" validate:"oneof=east west" example:"east"`
	From   time.Time `json:"from" validate:"required" api:"filter=range,sort"`
	To     time.Time `json:"to" validate:"required"`
	Status string    `json:"status" validate:"oneof=booked cancelled" default:"booked" api:"filter"`
}

// Constraints keeps two customers from having one room at the same time.
func (Booking) Constraints() []store.Constraint {
	return []store.Constraint{
		store.NoOverlap("from", "to", "room").Except("status", "cancelled").Message("The room is booked in that time."),
		store.Index("status", "from"),
	}
}

func (a *app) ofBooking() resource.Of[Booking] {
	return resource.Of[Booking]{
		Description: "A fitting room for some time.",
		Store:       a.bookings,
		Access:      access.Rules{Read: access.Public, Create: access.Public, Update: staff, Delete: staff},
	}
}
