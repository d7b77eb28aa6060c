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
	today := date.Of(time.Now())
	return r.db.Transact(ctx, func(ctx context.Context) error {
		return errors.Join(
			store.Insert(ctx, r.users, users...),
			store.Insert(ctx, r.locations, &Location{Name: "Harbour"}, &Location{Name: "Lake"}),
			store.Insert(ctx, r.jobs, &Job{User: 2, Location: 1}, &Job{User: 3, Location: 2}),
			store.Insert(ctx, r.items,
				&Item{Location: 1, Number: 1, Name: "Canoe", Price: 2500}, &Item{Location: 1, Number: 2, Name: "Sailing boat", Price: 12000},
				&Item{Location: 2, Number: 1, Name: "Tent", Price: 1500}),
			store.Insert(ctx, r.bookings,
				&Booking{Item: 1, Location: 1, Customer: 4, From: today.AddDays(-9), To: today.AddDays(-7), Total: 5000, Status: "returned"},
				&Booking{Item: 2, Location: 1, Customer: 4, From: today, To: today.AddDays(3), Total: 36000, Status: "approved"},
				&Booking{Item: 3, Location: 2, Customer: 4, From: today.AddDays(5), To: today.AddDays(9), Total: 6000, Status: "requested"}))
	})
}
