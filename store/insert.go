package store

import "context"

// Insert saves new records, all or none: in the transaction of the context where there is one of
// the store, so that a hook saves them together with what it runs for, else in one of their own. What the store
// sets, such as identifiers, is in the records afterwards. Its errors are those of [Tx].Insert.
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
