package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Your own code uses a store directly, without HTTP and without access rules.
func Example() {
	ctx := context.Background()
	dragons := memory.New[dragon]()

	smaug := &dragon{Name: "Smaug"}
	if err := store.Insert(ctx, dragons, smaug, &dragon{Name: "Fafnir"}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(store.Insert(ctx, dragons, &dragon{Name: "Smaug"}))

	err := store.Update(ctx, dragons, smaug.ID, func(d *dragon) error {
		d.Name = "Norbert"
		return nil
	})
	found, _ := store.Find(ctx, dragons, "name", "Norbert")
	fmt.Println(found.ID, found.Name, err)

	err = store.Delete(ctx, dragons, smaug.ID)
	_, missing := dragons.Get(ctx, smaug.ID)
	fmt.Println(err, errors.Is(missing, store.ErrNotFound))
	// Output:
	// store: name is already in use
	// 1 Norbert <nil>
	// <nil> true
}

// Strings that differ only in letter case fold to the same string.
func ExampleFold() {
	fmt.Println(store.Fold("Straße") == store.Fold("STRAßE"), store.Fold("Dune") == store.Fold("dunes"))
	// Output: true false
}

// booking excludes others of the same item in its time, and has a trash.
type booking struct {
	ID        int64      `json:"id"`
	Item      string     `json:"item" api:"index"`
	From      int        `json:"from"`
	To        int        `json:"to"`
	Price     int        `json:"price"`
	Status    string     `json:"status" default:"open"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

// Constraints are kept by every store.
func (booking) Constraints() []store.Constraint {
	return []store.Constraint{
		store.NoOverlap("from", "to", "item").Except("status", "cancelled").Message("The item is booked in that time."),
		store.Unique("item", "price").Only("status", "cancelled"),
	}
}

// A write that breaks a constraint is an error, with the message for clients.
func ExampleNoOverlap() {
	ctx := context.Background()
	bookings := memory.New(booking{Item: "tent", From: 1, To: 5})
	err := store.Insert(ctx, bookings, &booking{Item: "tent", From: 4, To: 6})
	broken, _ := errors.AsType[store.ConstraintError](err)
	fmt.Println(broken.Message, broken.Fields)

	touching, cancelled := &booking{Item: "tent", From: 5, To: 6}, &booking{Item: "tent", From: 2, To: 3, Status: "cancelled"}
	fmt.Println(store.Insert(ctx, bookings, touching, cancelled))
	// Output:
	// The item is booked in that time. [from to item]
	// <nil>
}

// Unique can be about several fields, and about some of the records.
func ExampleUnique() {
	ctx := context.Background()
	bookings := memory.New(booking{Item: "tent", Price: 9, Status: "cancelled"})
	fmt.Println(store.Insert(ctx, bookings, &booking{Item: "tent", Price: 9}))
	err := store.Insert(ctx, bookings, &booking{Item: "tent", Price: 9, Status: "cancelled"})
	fmt.Println(errors.Is(err, store.ErrConflict), err)
	// Output:
	// <nil>
	// true store: the constraint on item, price is broken: The combination of item and price is already in use.
}

// Conditions select the records of a job.
func ExampleList() {
	ctx := context.Background()
	bookings := memory.New(booking{Item: "tent", Price: 9}, booking{Item: "boat", Price: 80}, booking{Item: "kayak", Price: 30})
	found, err := store.List(ctx, bookings, store.Gte("price", 10), store.Ne("item", "boat"))
	fmt.Println(len(found), found[0].Item, err)
	total, err := store.Count(ctx, bookings, store.In("item", "tent", "boat"))
	fmt.Println(total, err)
	// Output:
	// 1 kayak <nil>
	// 2 <nil>
}

// All records that match are changed in one transaction.
func ExampleUpdateWhere() {
	ctx := context.Background()
	bookings := memory.New(booking{Item: "tent", Price: 9}, booking{Item: "boat", Price: 80}, booking{Item: "kayak", Price: 30})
	changed, err := store.UpdateWhere(ctx, bookings, func(b *booking) error {
		b.Price--
		return nil
	}, store.Gt("price", 9))
	fmt.Println(changed, err)
	boat, err := store.Find(ctx, bookings, "item", "boat")
	fmt.Println(boat.Price, err)
	// Output:
	// 2 <nil>
	// 79 <nil>
}

// A job empties the trash of a month ago.
func ExamplePurge() {
	ctx, now := context.Background(), time.Now()
	bookings := memory.New(booking{Item: "tent", DeletedAt: new(now.AddDate(0, -2, 0))}, booking{Item: "boat", DeletedAt: &now})
	purged, err := store.Purge(ctx, bookings, now.AddDate(0, -1, 0))
	fmt.Println(purged, err)
	left, err := bookings.List(ctx, store.Query{Deleted: store.OnlyDeleted})
	fmt.Println(len(left.Items), left.Items[0].Item, err)
	// Output:
	// 1 <nil>
	// 1 boat <nil>
}

// Rows have the columns of the terms, here for each item how many bookings it has and their price.
func ExampleAggregator() {
	bookings := memory.New(booking{Item: "tent", Price: 9}, booking{Item: "boat", Price: 80}, booking{Item: "boat", From: 1, To: 2, Price: 70})
	found, err := bookings.Aggregate(context.Background(), store.Aggregation{
		Terms: []store.Term{
			{Value: store.Order{Field: "item"}}, {Function: "count"}, {Value: store.Order{Field: "price"}, Function: "sum"},
		},
		Order: []int{-2},
	})
	for _, row := range found.Rows {
		fmt.Println(row...)
	}
	fmt.Println(err)
	// Output:
	// boat 2 150/1
	// tent 1 9/1
	// <nil>
}

// KeepLog makes the entries of the log, which are saved with each change. resource.Of does so with History.
func ExampleLogKeeper() {
	ctx := context.Background()
	bookings := memory.New[booking]()
	log, name := bookings.Log()
	bookings.KeepLog(func(_ context.Context, change store.Change) (*store.LogEntry, error) {
		kind, _, _ := strings.Cut(change.String(), " ")
		return &store.LogEntry{Record: fmt.Sprint(name, "/", change.ID), Kind: kind, At: time.Now()}, nil
	})
	first := &booking{Item: "tent"}
	err := store.Insert(ctx, bookings, first)
	if err == nil {
		err = store.Update(ctx, bookings, first.ID, func(b *booking) error { b.Price = 9; return nil })
	}
	entries, failed := store.List(ctx, log, store.Eq("record", "booking/1"))
	for _, entry := range entries {
		fmt.Println(entry.Record, entry.Kind)
	}
	fmt.Println(err, failed)
	// Output:
	// booking/1 inserted
	// booking/1 updated
	// <nil> <nil>
}
