package main

import (
	"context"
	"errors"
	"time"

	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/store"
)

// seed fills an empty database. Root is an admin, Harry works at the harbour and Lena at the lake, and Ann is a customer.
func (r *rental) seed(ctx context.Context) error {
	if users, err := store.Count(ctx, r.users); err != nil || users > 0 {
		return err
	}
	var users []*User
	for _, name := range []string{"Root", "Harry", "Lena", "Ann"} {
		u := &User{Name: name, Email: name + "@example.com", Password: "correct horse battery", Admin: name == "Root"}
		if err := r.accounts.Hash(ctx, nil, u); err != nil {
			return err
		}
		users = append(users, u)
	}
	today, harbour, lake := date.Of(time.Now()), &Location{Name: "Harbour"}, &Location{Name: "Lake"}
	return r.db.Transact(ctx, func(ctx context.Context) error {
		err := errors.Join(store.Insert(ctx, r.users, users...), store.Insert(ctx, r.locations, harbour, lake))
		canoe, boat := &Item{Location: harbour.ID, Number: 1, Name: "Canoe", Price: 2500}, &Item{Location: harbour.ID, Number: 2, Name: "Sailing boat", Price: 12000}
		tent := &Item{Location: lake.ID, Number: 1, Name: "Tent", Price: 1500}
		jobs := []*Job{{User: users[1].ID, Location: harbour.ID}, {User: users[2].ID, Location: lake.ID}}
		err = errors.Join(err, store.Insert(ctx, r.jobs, jobs...), store.Insert(ctx, r.items, canoe, boat, tent))
		return errors.Join(err, store.Insert(ctx, r.bookings,
			&Booking{Item: canoe.ID, Location: harbour.ID, Customer: users[3].ID, From: today.AddDays(-9), To: today.AddDays(-7), Total: 5000, Status: "returned"},
			&Booking{Item: boat.ID, Location: harbour.ID, Customer: users[3].ID, From: today, To: today.AddDays(3), Total: 36000, Status: "approved"},
			&Booking{Item: tent.ID, Location: lake.ID, Customer: users[3].ID, From: today.AddDays(5), To: today.AddDays(9), Total: 6000, Status: "requested"}))
	})
}
