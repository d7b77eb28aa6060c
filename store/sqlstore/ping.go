package sqlstore

import "context"

// Ping returns nil if the database can run a query on the table. If the database cannot be reached, the error is
// [store.ErrUnavailable].
func (s *table) Ping(ctx context.Context) error {
	p := s.plan()
	if p.err != nil {
		return p.err
	}
	return s.db.retried(ctx, func() error {
		_, err := s.db.first(ctx, s.db, "SELECT 1 FROM "+p.quoted+" WHERE "+never, nil)
		return err
	})
}

// writePinger is implemented by drivers of databases that can be temporarily read-only. PingWrites returns an error if
// no transaction could write at the moment.
type writePinger interface {
	PingWrites(ctx context.Context) error
}

// PingWrites returns [store.ErrUnavailable] if the database cannot be written to at the moment. That is a standby server
// of PostgreSQL, or an SQLite file that is read-only or was deleted. It does not notice a full disk.
func (s *table) PingWrites(ctx context.Context) error {
	if err := s.plan().err; err != nil {
		return err
	}
	pinger, ok := s.db.driver.(writePinger)
	if !ok {
		return nil
	}
	return s.db.retried(ctx, func() error { return s.db.explain(ctx, pinger.PingWrites(ctx)) })
}
