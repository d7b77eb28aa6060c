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

// writePinger is implemented by drivers of databases that may only read for a while. PingWrites
// returns an error if no transaction could write now.
type writePinger interface {
	PingWrites(ctx context.Context) error
}

// PingWrites returns store.ErrUnavailable if the database can only be read now, as a standby, or
// a SQLite file on a disk without space for one more page.
func (s *Store[T]) PingWrites(ctx context.Context) error {
	if err := s.plan().err(); err != nil {
		return err
	}
	pinger, ok := s.db.driver.(writePinger)
	if !ok {
		return nil
	}
	return s.db.retried(ctx, func() error { return s.db.explain(ctx, pinger.PingWrites(ctx)) })
}
