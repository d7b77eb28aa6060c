package store

import (
	"context"
	"errors"
)

// Find returns the record with a value in a field, given by JSON name. If the field is not unique, it returns the first
// record in the order of the identifier. Values are those of [Eq], without nil. The error is
// [ErrNotFound] if no record has the value.
func Find[T any](ctx context.Context, in Store[T], field string, value any) (*T, error) {
	page, err := in.List(ctx, Query{Where: []Condition{on(field, Equal, value)}, Limit: 1})
	switch {
	case err != nil:
		return nil, err
	case len(page.Items) > 0:
		return page.Items[0], nil
	case len(page.Broken) > 0: // a record matches, but it cannot be read
		return nil, errors.Join(page.Broken...)
	}
	return nil, ErrNotFound
}

// Insert saves new records, all or none. If the context carries a transaction of the store, Insert joins it, so a hook
// can save them together with its own record. Values that the store sets, such as identifiers, are set in the records.
// Errors are those of [Tx].Insert.
func Insert[T any](ctx context.Context, in Store[T], records ...*T) error {
	if len(records) == 0 {
		return nil
	}
	return in.Transact(ctx, func(ctx context.Context, tx Tx[T]) error {
		for _, record := range records {
			if err := tx.Insert(ctx, record); err != nil {
				return err
			}
		}
		return nil
	})
}

// Update loads the record with that id, calls change to modify it, and saves it, all in one transaction. If the context
// carries a transaction of the store, Update joins it. If change returns an error, nothing is saved and Update returns
// that error. After a conflict change may run again, with a freshly loaded record. Other errors are those of [Tx].Get
// and [Tx].Update.
func Update[T any](ctx context.Context, in Store[T], id any, change func(record *T) error) error {
	return in.Transact(ctx, func(ctx context.Context, tx Tx[T]) error {
		record, err := tx.Get(ctx, id)
		if err == nil {
			err = change(record)
		}
		if err != nil {
			return err
		}
		return tx.Update(ctx, id, record)
	})
}

// Delete deletes the records with these ids, all or none. If the context carries a transaction of the store, Delete
// joins it. Ids that do not exist are ignored. Errors are those of [Tx].Delete.
func Delete[T any](ctx context.Context, in Store[T], ids ...any) error {
	if len(ids) == 0 {
		return nil
	}
	return in.Transact(ctx, func(ctx context.Context, tx Tx[T]) error {
		for _, id := range ids {
			if err := tx.Delete(ctx, id); err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
		}
		return nil
	})
}
