package store

import (
	"context"
	"errors"
)

// Find returns the record that has a value in a field, by its JSON name: the only one if the field
// is unique, such as the e-mail of a user, else the first in the order of identifiers. The value has
// the field's Go type, without the pointer of a nullable field. The error is [ErrNotFound] if no
// record has it.
func Find[T any](ctx context.Context, in Store[T], field string, value any) (*T, error) {
	page, err := in.List(ctx, Query{
		Where: []Condition{{Fields: []string{field}, Operator: Equal, Values: []any{value}}},
		Limit: 1,
	})
	if err != nil {
		return nil, err
	}
	switch {
	case len(page.Items) > 0:
		return page.Items[0], nil
	case len(page.Broken) > 0: // there is one, which cannot be read
		return nil, errors.Join(page.Broken...)
	}
	return nil, ErrNotFound
}

// Insert saves new records, all or none: in the transaction of the context if it carries one of the
// store, so that a hook saves them together with its own record, else in one of their own. What the
// store sets, such as identifiers, is in the records afterwards. Its errors are those of [Tx].Insert.
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

// Update loads the record with that id, has change modify it, and saves it: in the transaction of
// the context if it carries one of the store, else in one of its own, so that nothing else changes
// the record meanwhile. It returns an error of change and saves nothing then. After a conflict
// change may run again, with the record loaded anew. Other errors are those of [Tx].Get and
// [Tx].Update.
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

// Delete deletes the records with these ids, all or none: in the transaction of the context if it
// carries one of the store, else in one of their own. It ignores ids that do not exist. Its errors
// are those of [Tx].Delete.
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
