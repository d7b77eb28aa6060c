package main

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

type Room struct {
	ID int64 `json:"id"`
}

type Booking struct {
	ID   int64  `json:"id"`
	Room int64  `json:"room" api:"ref=Room,filter"`
	Day  string `json:"day" api:"filter"`
}

// isFree reports whether a room has no booking of the day, and keeps it so until the transaction of the context ends.
func isFree(ctx context.Context, rooms store.Store[Room], bookings store.Store[Booking], b *Booking) (bool, error) {
	err := rooms.Transact(ctx, func(ctx context.Context, tx store.Tx[Room]) error {
		_, err := tx.Get(ctx, b.Room) // a second booking of this room waits here
		return err
	})
	if err != nil {
		return false, err
	}
	page, err := bookings.List(ctx, store.Query{Count: true, Limit: 1, Where: []store.Condition{
		{Fields: []string{"room"}, Operator: store.Equal, Values: []any{b.Room}},
		{Fields: []string{"day"}, Operator: store.Equal, Values: []any{b.Day}},
	}})
	return page.Total == 0, err
}

func TestARoomIsBookedOnceADay(t *testing.T) {
	t.Parallel()
	db := open(t)
	rooms, bookings := sqlstore.Table[Room](db), sqlstore.Table[Booking](db)
	if err := errors.Join(db.Create(t.Context(), rooms, bookings), store.Insert(t.Context(), rooms, &Room{})); err != nil {
		t.Fatal(err)
	}
	booked := 0
	for range 3 {
		b := &Booking{Room: 1, Day: "2026-05-01"}
		err := db.Transact(t.Context(), func(ctx context.Context) error {
			free, err := isFree(ctx, rooms, bookings, b)
			if err != nil || !free {
				return err
			}
			booked++
			return store.Insert(ctx, bookings, b)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if booked != 1 {
		t.Errorf("the room is booked %d times", booked)
	}
}
