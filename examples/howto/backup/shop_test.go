// Package backup_test backs up a shop while customers pay, and checks that the backup is whole.
package backup_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// Invoice has a total, which is the sum of its lines.
type Invoice struct {
	ID    int64 `json:"id"`
	Total int   `json:"total"`
}

// Line is a line of an invoice.
type Line struct {
	ID      int64 `json:"id"`
	Invoice int64 `json:"invoice" api:"ref=Invoice,filter"`
	Amount  int   `json:"amount"`
}

// Shop has the tables of a database.
type Shop struct {
	DB       *sqlstore.DB
	Invoices *sqlstore.Store[Invoice]
	Lines    *sqlstore.Store[Line]
}

// New returns the shop of a database.
func New(db *sqlstore.DB) Shop {
	return Shop{db, sqlstore.Table[Invoice](db), sqlstore.Table[Line](db)}
}

// Bill saves an invoice with a line for each amount, or nothing. It returns the invoice's identifier.
func (s Shop) Bill(ctx context.Context, amounts ...int) (int64, error) {
	var invoice Invoice
	err := s.Invoices.Transact(ctx, func(ctx context.Context, tx store.Tx[Invoice]) error {
		invoice = Invoice{}
		for _, amount := range amounts {
			invoice.Total += amount
		}
		if err := tx.Insert(ctx, &invoice); err != nil {
			return err
		}
		return s.Lines.Transact(ctx, func(ctx context.Context, tx store.Tx[Line]) error {
			for _, amount := range amounts {
				if err := tx.Insert(ctx, &Line{Invoice: invoice.ID, Amount: amount}); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return invoice.ID, err
}

// Check returns what is wrong with a restored database: a table that the program cannot use, a missing invoice, or one
// without all of its lines.
func (s Shop) Check(ctx context.Context, billed []int64) error {
	if _, err := resource.New(resource.Config{}, resource.Of[Invoice]{Store: s.Invoices}, resource.Of[Line]{Store: s.Lines}); err != nil {
		return err
	}
	plan, err := s.DB.Plan(ctx, s.Invoices, s.Lines)
	if err != nil || len(plan.Steps) > 0 {
		return fmt.Errorf("the tables differ from the structs: %v, %w", plan, err)
	}
	invoices, err := s.Invoices.List(ctx, store.Query{})
	if err != nil {
		return err
	}
	lines, err := s.Lines.List(ctx, store.Query{})
	if err != nil {
		return err
	}
	missing := map[int64]int{} // of the total of each invoice
	for _, invoice := range invoices.Items {
		missing[invoice.ID] += invoice.Total
	}
	var errs []error
	for _, id := range billed {
		if _, ok := missing[id]; !ok {
			errs = append(errs, fmt.Errorf("the invoice %d is lost", id))
		}
	}
	for _, line := range lines.Items {
		missing[line.Invoice] -= line.Amount
	}
	for id, amount := range missing {
		if amount != 0 {
			errs = append(errs, fmt.Errorf("the invoice %d lacks lines of %d", id, amount))
		}
	}
	return errors.Join(errs...)
}
