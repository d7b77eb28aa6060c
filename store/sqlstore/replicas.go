package sqlstore

import (
	"context"
	"time"
)

// replicating is implemented by drivers whose database may have replicas.
type replicating interface {
	// Replicas returns a driver whose Query reads from replicas, and how old their data can be. Fault returns a RetryFault
	// for an error of a replica, and the next read with the context is then one of the primary.
	Replicas() (Driver, time.Duration)
	// Roams reports whether the next read with the context is one of a replica.
	Roams(ctx context.Context) bool
}

// onReplicas runs the queries of stores that read from replicas.
type onReplicas struct{ *DB }

func (r onReplicas) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	rows, err := r.replicas.Query(ctx, statement, args...)
	return rows, r.explain(ctx, err)
}

// Staleness returns how old the data can be that requests read, because it comes from a replica. It is 0 for a database
// without replicas. resource.New calls it.
func (s *table) Staleness() time.Duration {
	if s.db == nil { // Check reports it
		return 0
	}
	return s.db.staleness
}
