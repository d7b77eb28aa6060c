package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Booking is the rental of an item from one day to another. Only the operations of the workflow change its status.
type Booking struct {
	ID       int64     `json:"id"`
	Item     int64     `json:"item" api:"ref=Item,filter,expand,createonly,ondelete=restrict"`
	Location int64     `json:"location" api:"ref=Location,filter,group,expand,readonly" doc:"Where the item is."`
	Customer int64     `json:"customer" api:"ref=User,filter,expand,readonly"`
	From     date.Date `json:"from" validate:"required" api:"filter=range,sort,group" example:"2030-06-01"`
	To       date.Date `json:"to" validate:"required" api:"filter=range" doc:"The day on which the item is back." example:"2030-06-04"`
	Total    int64     `json:"total" api:"readonly,aggregate" doc:"Cents."`
	Status   string    `json:"status" validate:"oneof=requested approved out returned cancelled" default:"requested" api:"readonly,filter,group"`
}

// Constraints keeps an item from being booked twice at a time.
func (Booking) Constraints() []store.Constraint {
	return []store.Constraint{
		store.NoOverlap("from", "to", "item").Except("status", "returned", "cancelled").Message("The item is booked in that time."),
		store.Index("location", "from"),
	}
}

func (r *rental) ofBooking() resource.Of[Booking] {
	step := func(name string, who access.Rule, to string, from ...any) operation.Post {
		when, set := access.Where("status", from...), operation.Set("status", to)
		return operation.Post{Name: name, URITemplate: "/bookings/{id}/" + name, Access: who, When: when, Handler: set}
	}
	return resource.Of[Booking]{
		Description: "The rental of an item.", Store: r.bookings, History: true, Idempotency: 24 * time.Hour,
		Access:  access.Rules{Read: access.Any(customer, staff), Create: access.Authenticated, Update: access.Any(customer, staff)},
		Stamp:   operation.Stamp(func(u *User, b *Booking) { b.Customer = u.ID }),
		Prepare: r.price,
		Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Aggregate{},
			operation.Post{Processor: operation.Process(r.confirm)},
			operation.Patch{When: access.Where("status", "requested")},
			step("approve", staff, "approved", "requested"),
			step("lend", staff, "out", "approved"),
			step("return", staff, "returned", "out"),
			step("cancel", access.Any(customer, staff), "cancelled", "requested", "approved"),
		},
	}
}

// price sets what follows from the item: the location and the price.
func (r *rental) price(ctx context.Context, _ *operation.Request, b *Booking) error {
	days := b.To.Sub(b.From)
	if days < 1 || days > 60 {
		return validation.Fail("to", "to must be 1 to 60 days after from")
	}
	item, err := r.items.Get(ctx, b.Item)
	if err == nil {
		b.Location, b.Total = item.Location, item.Price*int64(days)
	}
	return err
}

// confirm saves a booking with the mail that confirms it.
func (r *rental) confirm(ctx context.Context, req *operation.Request, b *Booking, save operation.Save[Booking]) error {
	if err := save(ctx, b); err != nil {
		return err
	}
	text := fmt.Sprintf("We have got your booking %d, from %s to %s.", b.ID, b.From, b.To)
	return store.Insert(ctx, r.mails, &Mail{To: req.Principal.(*User).Email, Text: text})
}

// Mail is a message that is still to be sent. It has no resource, so clients never see it.
type Mail struct {
	ID   int64  `json:"id"`
	To   string `json:"to"`
	Text string `json:"text"`
}

// committed sends the mails of a transaction after it, so that a booking that fails sends none.
func (r *rental) committed(ctx context.Context, changes []store.Change) {
	for _, change := range changes {
		if mail, ok := change.After.(*Mail); ok && change.IsInsert() {
			ctx := context.WithoutCancel(ctx) // the client may be gone
			err := r.send(ctx, mail.To, mail.Text)
			if err == nil {
				err = store.Delete(ctx, r.mails, mail.ID)
			}
			if err != nil { // it stays in the table
				slog.ErrorContext(ctx, "mail not sent", "id", mail.ID, "error", err)
			}
		}
	}
}

func logMail(ctx context.Context, to, text string) error {
	slog.InfoContext(ctx, "mail", "to", to, "text", text)
	return nil
}

// Note is a remark about a booking, for the staff alone.
type Note struct {
	ID      int64     `json:"id"`
	Booking int64     `json:"booking" api:"ref=Booking,filter,createonly,ondelete=cascade"`
	Author  *int64    `json:"author" api:"ref=User,readonly,expand,ondelete=null"`
	Text    string    `json:"text" validate:"notblank,max=1000"`
	Created time.Time `json:"created" api:"created,sort"`
}

func (r *rental) ofNote() resource.Of[Note] {
	return resource.Of[Note]{
		Description: "A remark about a booking.", Store: r.notes,
		Access: access.Only(access.Through("booking", staff)),
		Stamp:  operation.Stamp(func(u *User, n *Note) { n.Author = &u.ID }),
	}
}
