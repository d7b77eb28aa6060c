package main

import (
	"context"
	"errors"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	locate "github.com/trove-api/trove/store/sqlstore/database"
)

// database is where the service keeps its records.
type database struct {
	*sqlstore.DB

	treasures   *sqlstore.Store[DragonTreasure]
	programmers *sqlstore.Store[Programmer]
}

// open opens the database that the flag db names, and makes the tables that it lacks. A
// new one gets the hoard and its crew.
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

// fill adds the hoard and its crew where there is no treasure, in one transaction.
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
