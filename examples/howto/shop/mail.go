package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Order is what a customer buys.
type Order struct {
	ID      int64  `json:"id"`
	Email   string `json:"email" validate:"email,max=200" example:"ann@example.com"`
	Product int64  `json:"product" api:"ref=Product"`
}

// Mail is an e-mail that is still to be sent. Its table has no resource, so clients never see it.
type Mail struct {
	ID      int64     `json:"id"`
	To      string    `json:"to"`
	Text    string    `json:"text"`
	Created time.Time `json:"created" api:"created"`
}

func (a *app) ofOrder() resource.Of[Order] {
	return resource.Of[Order]{
		Description: "What a customer buys.",
		Store:       a.orders,
		Access:      access.Rules{Read: staff, Create: access.Public},
		Operations:  []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Post{Processor: operation.Process(a.buy)}},
	}
}

// buy saves the order and its e-mail, and takes the product from the stock: everything, or nothing.
func (a *app) buy(ctx context.Context, _ *operation.Request, o *Order, save operation.Save[Order]) error {
	if err := save(ctx, o); err != nil {
		return err
	}
	mail := &Mail{To: o.Email, Text: fmt.Sprintf("Thank you for order %d.", o.ID)}
	if err := store.Insert(ctx, a.mails, mail); err != nil {
		return err
	}
	return store.Update(ctx, a.products, o.Product, func(p *Product) error {
		if p.Stock == 0 {
			return operation.Error{Status: http.StatusConflict, Detail: "The product is sold out."}
		}
		p.Stock--
		return nil
	})
}

// committed runs after each commit, with everything that the transaction changed.
func (a *app) committed(ctx context.Context, changes []store.Change) {
	for _, change := range changes {
		if mail, ok := change.After.(*Mail); ok && change.IsInsert() {
			a.deliver(ctx, mail)
		}
	}
}

// deliver sends an e-mail and deletes it. If the mail server fails, deliverRest tries again.
func (a *app) deliver(ctx context.Context, mail *Mail) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second) // the client may be gone
	defer cancel()
	err := a.send(ctx, mail.To, mail.Text)
	if err == nil {
		err = store.Delete(ctx, a.mails, mail.ID)
	}
	if err != nil {
		slog.ErrorContext(ctx, "e-mail not sent", "id", mail.ID, "error", err)
	}
}

// deliverRest sends what is older than a minute: what a crash or the mail server has left over.
func (a *app) deliverRest(ctx context.Context) error {
	page, err := a.mails.List(ctx, store.Query{Limit: 100, Where: []store.Condition{
		{Fields: []string{"created"}, Operator: store.Less, Values: []any{time.Now().Add(-time.Minute)}},
	}})
	for _, mail := range page.Items {
		a.deliver(ctx, mail)
	}
	return err
}
