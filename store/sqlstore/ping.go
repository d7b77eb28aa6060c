package sqlstore

import "context"

// Ping asks the database for nothing of the table. Its error is store.ErrUnavailable where
// the database cannot be reached, and another one where it refuses.
func (s *Store[T]) Ping(ctx context.Context) error {
	if err := s.plan().err(); err != nil {
		return err
	}
	return s.db.retried(ctx, func() error {
		rows, err := s.db.Query(ctx, "SELECT 1 FROM "+quote(s.plan().name)+" WHERE "+never)
		if err != nil {
			return err
		}
		rows.Next()
		return s.db.finish(ctx, rows, nil)
	})
}
