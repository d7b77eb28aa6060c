package main

import (
	"context"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Invoice is what a customer pays for a booking.
type Invoice struct {
	ID       int64     `json:"id"`
	Booking  int64     `json:"booking" api:"ref=Booking,unique,filter,createonly"`
	Location int64     `json:"location" api:"ref=Location,filter,readonly" doc:"That of the booking."`
	Due      date.Date `json:"due" api:"filter=range,sort" example:"2030-07-01"`
	Status   string    `json:"status" validate:"oneof=draft sent paid" default:"draft" api:"readonly,filter,group"`
}

// Line is a part of an invoice.
type Line struct {
	ID       int64  `json:"id"`
	Invoice  int64  `json:"invoice" api:"ref=Invoice,filter,ondelete=cascade"`
	Text     string `json:"text" validate:"notblank,max=200" example:"3 days"`
	Quantity int64  `json:"quantity" validate:"gte=1,lte=1000"`
	Price    int64  `json:"price" validate:"gte=-1000000,lte=1000000" doc:"Cents for one."`
	Amount   int64  `json:"amount" api:"readonly,aggregate" doc:"Cents for all."`
}

func (r *rental) ofInvoice() resource.Of[Invoice] {
	draft := access.Where("status", "draft")
	return resource.Of[Invoice]{
		Description: "What a customer pays for a booking.", Store: r.invoices, Idempotency: 24 * time.Hour,
		Access: access.Rules{Read: access.Any(payer, staff), Create: staff, Update: staff},
		Prepare: func(ctx context.Context, _ *operation.Request, i *Invoice) error {
			booking, err := r.bookings.Get(ctx, i.Booking)
			if err == nil {
				i.Location = booking.Location
			}
			return err
		},
		Inverse: map[string]string{"lines": "Line.invoice"},
		Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Aggregate{},
			operation.Post{Nested: []string{"lines"}},
			operation.Patch{Nested: []string{"lines"}, When: draft},
			operation.Post{Name: "send", URITemplate: "/invoices/{id}/send", When: draft, Handler: operation.Set("status", "sent")},
			operation.Post{Name: "pay", URITemplate: "/invoices/{id}/pay", When: access.Where("status", "sent"), Handler: operation.Set("status", "paid")},
		},
	}
}

func (r *rental) ofLine() resource.Of[Line] {
	billing := access.Through("invoice", staff)
	return resource.Of[Line]{
		Description: "A part of an invoice.", Store: r.lines, Path: "/invoices/{invoice}/lines",
		Operations: append(operation.Standard(), operation.Aggregate{}),
		Prepare: func(_ context.Context, _ *operation.Request, l *Line) error {
			l.Amount = l.Quantity * l.Price
			return nil
		},
		Access: access.Rules{Read: access.Through("invoice", access.Any(payer, staff)), Create: billing, Update: billing, Delete: billing},
	}
}
