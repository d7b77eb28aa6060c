package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// Ping returns nil if the database responds and has the table, even while others have locked it. If the database cannot be
// reached, the error is [store.ErrUnavailable].
func (s *table) Ping(ctx context.Context) error {
	p := s.plan()
	return p.reads(ctx, func(from querier) error {
		found, err := p.db.first(ctx, from, p.dialect.facts.Describe, []any{p.name})
		if err == nil && !found {
			err = fmt.Errorf("sqlstore: the table %s does not exist", p.name)
		}
		return err
	})
}

// outage is a time in which the database rejects all writes, or may do so. It is safe for concurrent use.
type outage struct {
	begun   atomic.Bool // a statement failed with an UnwritableFault, and no later write has succeeded
	probing sync.Mutex
}

// writePinger is implemented by drivers that have an [UnwritableFault].
type writePinger interface {
	// PingWrites returns an error if no transaction could write at the moment, as on a read-only server.
	PingWrites(ctx context.Context) error
	// ProbeWrites writes something that needs space on the disk, and removes it. It returns an error if that fails.
	ProbeWrites(ctx context.Context) error
}

// PingWrites returns [store.ErrUnavailable] if the database cannot be written to at the moment. That is a standby server
// of PostgreSQL, an SQLite file that was deleted, or a full disk. A full disk is noticed when a write fails. After that,
// each call writes 1 MiB and removes it, until that or a write of the store succeeds.
func (s *table) PingWrites(ctx context.Context) error {
	if err := s.plan().err; err != nil {
		return err
	}
	db := s.db
	pinger, ok := db.driver.(writePinger)
	if !ok {
		return nil
	}
	err := db.retried(ctx, func() error { return db.explain(ctx, pinger.PingWrites(ctx)) })
	if err != nil || !db.outage.begun.Load() {
		return err
	}
	if !db.outage.probing.TryLock() {
		return fmt.Errorf("sqlstore: the last write failed: %w", store.ErrUnavailable)
	}
	defer db.outage.probing.Unlock()
	if err := pinger.ProbeWrites(ctx); err != nil {
		return fmt.Errorf("sqlstore: the last write failed; trying another one: %w", db.explain(ctx, err))
	}
	db.outage.begun.Store(false)
	return nil
}

// Diagnose returns the database, what is wrong with it after an error of Ping or PingWrites, and the numbers of [DB.Stats].
// They contain no values of clients.
func (r records) Diagnose(err error) (database any, problem string, numbers any) {
	db, stats := r.db, r.db.Stats()
	switch {
	case errors.Is(err, txn.ErrReadOnly):
		problem = "read-only"
	case db.outage.begun.Load(), err != nil && db.driver.Fault(err).Kind == UnwritableFault:
		problem = "cannot write, such as on a full disk"
	case stats.Max > 0 && stats.InUse >= stats.Max:
		problem = "no free connection"
	case errors.Is(err, context.DeadlineExceeded):
		problem = "no response in time"
	default:
		problem = "unreachable"
	}
	return db, problem, map[string]any{
		"database": db.dialect.Name(), "inUse": stats.InUse, "idle": stats.Idle, "max": stats.Max,
		"waits": stats.Waits, "waitedSeconds": stats.Waited.Seconds(), "retries": stats.Retries, "replicas": stats.Replicas,
	}
}
