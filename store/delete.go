package store

import (
	"context"
	"errors"
)

// Delete deletes the records with these ids, all or none: in the transaction of the context where there is one of the
// store, else in one of their own. Those that are not there are passed over. Its errors are those of [Tx].Delete.
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
