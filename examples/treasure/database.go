package main

import (
	"context"
	"errors"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	locate "github.com/trove-api/trove/store/sqlstore/database"
)

// database holds the stores of the service.
type database struct {
	*sqlstore.DB

	treasures   *sqlstore.Store[DragonTreasure]
	programmers *sqlstore.Store[Programmer]
}

// open opens the database that the flag db names, and creates missing tables. A new one gets the example records.
func open(ctx context.Context, name string) (*database, error) {
	db, err := locate.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	d := &database{db, sqlstore.Table[DragonTreasure](db), sqlstore.Table[Programmer](db)}
	if err = db.Create(ctx, d.treasures, d.programmers); err == nil {
		err = d.fill(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return d, nil
}

// fill adds the example records if there are no treasures, in one transaction.
func (d *database) fill(ctx context.Context) error {
	return d.treasures.Transact(ctx, func(ctx context.Context, tx store.Tx[DragonTreasure]) error {
		there, err := d.treasures.List(ctx, store.Query{Limit: 1})
		if err != nil || len(there.Items) > 0 {
			return err
		}
		for _, treasure := range hoard() {
			if err := tx.Insert(ctx, &treasure); err != nil {
				return err
			}
		}
		return d.programmers.Transact(ctx, func(ctx context.Context, tx store.Tx[Programmer]) error {
			for _, programmer := range crew() {
				if err := tx.Insert(ctx, &programmer); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
